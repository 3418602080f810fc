import { z } from 'zod';
import { artifactUrlsReply, internalRoutes, uploadGrantReply } from '@rapporteur/contracts';
import type { UploadGrantRequest } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { DeleteBotObjects } from '../data-deletion/delete-objects.ts';
import type { SignArtifactUrls } from '../details/details.routes.ts';

export interface UploadGrant {
  readonly url: string;
  readonly grant: string;
}

/** What this service asks of storage-config. All throw UNAVAILABLE when it does not answer as agreed. */
export interface StorageClient {
  readonly signUrls: SignArtifactUrls;
  readonly deleteBotObjects: DeleteBotObjects;
  grantUpload(request: UploadGrantRequest): Promise<UploadGrant>;
}

const timeoutMs = 5_000;
const deleted = z.object({ success: z.literal(true) });

export function createStorageClient(auth: InternalAuth, baseUrl: string): StorageClient {
  const ask = async <T>(path: string, body: unknown, reply: z.ZodType<T>, method = 'POST'): Promise<T> => {
    try {
      const response = await auth.fetch('storage-config', new URL(path, baseUrl).href, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
      });
      if (!response.ok) throw new Error(`storage-config answered ${response.status} to ${path}.`);
      return reply.parse(await response.json());
    } catch (error) {
      throw fail('UNAVAILABLE', {
        message: 'The storage of recordings is not reachable right now. Try again in a moment.',
        cause: error,
      });
    }
  };
  return {
    signUrls: async (botId, keys) => (await ask(internalRoutes.artifactUrls, { botId, keys }, artifactUrlsReply)).urls,
    deleteBotObjects: async (botId, teamId) =>
      void (await ask(internalRoutes.botObjects, { botId, teamId }, deleted, 'DELETE')),
    grantUpload: (request) => ask(internalRoutes.uploadGrants, request, uploadGrantReply),
  };
}
