import { randomUUID } from 'node:crypto';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { internalCalls } from '@rapporteur/contracts';
import type { S3Server } from '@rapporteur/object-store/testing';
import { createService, Secret } from '@rapporteur/service-runtime';
import { environmentOf } from '../measure/environment.ts';

/** Address of a stack's storage-config, and the credentials of bot-scheduler. */
export interface StoragePlace {
  readonly url: string;
  readonly internalSecret: Secret;
}

export interface Grant {
  readonly url: string;
  readonly grant: string;
}

/** Settings of a storage-config whose object store is this server. */
export function s3Settings(s3: S3Server, bucket: string): Readonly<Record<string, string>> {
  return {
    STORE_DRIVER: 's3',
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
}

export function storagePlace(stack: ServiceStack): StoragePlace {
  const environment = environmentOf(stack.pids().get('storage-config') ?? 0);
  const url = `http://127.0.0.1:${environment.get('RAPPORTEUR_PORT')}`;
  return { url, internalSecret: new Secret(environment.get('RAPPORTEUR_INTERNAL_SECRET') ?? '') };
}

const team = randomUUID();

/** A new bot by default. @throws Error when storage-config refuses */
export async function grantFor(
  { url, internalSecret }: StoragePlace,
  { botId = randomUUID(), fencing = 1 }: { readonly botId?: string; readonly fencing?: number } = {},
): Promise<Grant> {
  const caller = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
  try {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const response = await caller.auth.fetch('storage-config', url + internalCalls.storage.grantUpload.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ botId, teamId: team, fencing, expiresAt }),
    });
    return { ...internalCalls.storage.grantUpload.reply.parse(await response.json()), url };
  } finally {
    await caller.stop();
  }
}
