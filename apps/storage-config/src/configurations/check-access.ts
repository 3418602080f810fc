import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fail } from '@rapporteur/failures';
import { openS3Store } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import type { GuardedAgents } from '@rapporteur/outbound-http';
import { withDeadline } from '@rapporteur/service-runtime';
import { bucketFields, connectionOf, ingestCredentials, serviceCredentials } from './team-buckets.ts';
import type { BucketField } from './team-buckets.ts';
import type { StorageConfiguration } from './configuration-shape.ts';
import { storeReason } from './store-reason.ts';

/** Writes, reads, lists and deletes a marker in every bucket. @returns null, or the reason why it failed */
export type CheckAccess = (configuration: StorageConfiguration) => Promise<string | null>;

/** Below the 15 s that the gateway waits for a response. */
const checkTimeoutMs = 10_000;
const cleanupTimeoutMs = 1_000;

/** The checks of specification 4.9. Every connection goes through `agents`. */
export function createCheckAccess(agents: GuardedAgents): CheckAccess {
  return async (configuration) => {
    const firstOf = (bucket: string) => bucketFields.find((field) => configuration[field] === bucket);
    const fields = bucketFields.filter((field) => firstOf(configuration[field]) === field);
    const checks = fields.map((field) => checkBucket(configuration, field, agents));
    const found = await Promise.all(checks);
    return found.find((reason) => reason !== null) ?? null;
  };
}

async function checkBucket(
  configuration: StorageConfiguration,
  field: BucketField,
  agents: GuardedAgents,
): Promise<string | null> {
  const connection = { ...connectionOf(configuration, { agents, maxAttempts: 1 }), bucket: configuration[field] };
  const ingest = openS3Store({ ...connection, credentials: ingestCredentials(configuration) });
  const service = openS3Store({ ...connection, credentials: serviceCredentials(configuration) });
  const key = `rapporteur-access-check/${randomUUID()}`;
  let current = '';
  let settled = false;
  try {
    const steps = runSteps({ ingest, service, key }, (step) => (current = step));
    await withDeadline(
      steps.finally(() => (settled = true)),
      checkTimeoutMs,
      'The access check',
    );
    return null;
  } catch (error) {
    const reason = settled ? storeReason(error) : 'There was no complete response in time.';
    await withDeadline(service.delete(key), cleanupTimeoutMs, 'Deleting the marker').catch(() => undefined);
    return `${field}: ${current} failed. ${reason}`;
  } finally {
    await Promise.all([ingest.close(), service.close()]);
  }
}

interface Steps {
  readonly ingest: ObjectStore;
  readonly service: ObjectStore;
  readonly key: string;
}

async function runSteps({ ingest, service, key }: Steps, begin: (step: string) => void): Promise<void> {
  const contentType = 'text/plain';
  const marker = Buffer.from(`Access check of a meeting recorder. ${key}\n`);
  begin('writing a marker with the ingest key');
  await ingest.put(key, marker, { contentType });
  begin('reading the marker with the service key');
  const read = await buffer((await service.get(key)).body);
  if (!read.equals(marker)) throw fail('UNAVAILABLE', { message: 'The marker came back with other content.' });
  begin('listing the marker with the service key');
  const { objects } = await service.list({ prefix: key });
  if (objects.length !== 1) throw fail('UNAVAILABLE', { message: 'The list does not show the marker.' });
  begin('writing the marker with the service key');
  await service.put(key, marker, { contentType });
  begin('deleting the marker with the service key');
  await service.delete(key);
  if ((await service.head(key)) !== null) throw fail('UNAVAILABLE', { message: 'The marker is still there.' });
}
