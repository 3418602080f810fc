import { z } from 'zod';
import { artifactUrlsReply, deleteBotObjectsReply, internalRoutes, uploadGrantReply } from '@rapporteur/contracts';
import type { DeleteBotObjectsReply, UploadGrantRequest } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { EndedBot, EndGrants } from './end-grants.ts';

/** Signs URLs, valid for 4 hours, for objects of one bot. Maps name -> key to name -> URL. Throws UNAVAILABLE. */
export type SignArtifactUrls = (botId: string, keys: Record<string, string>) => Promise<Record<string, string>>;

export interface UploadGrant {
  readonly url: string;
  readonly grant: string;
}

/** Has storage-config delete every object of a bot. Idempotent. Throws UNAVAILABLE. */
export type DeleteBotObjects = (bot: EndedBot, timeoutMs: number) => Promise<DeleteBotObjectsReply>;

/** Client of storage-config. All calls throw UNAVAILABLE without a valid response. */
export interface StorageClient {
  readonly signUrls: SignArtifactUrls;
  readonly deleteBotObjects: DeleteBotObjects;
  readonly endGrants: EndGrants;
  grantUpload(request: UploadGrantRequest): Promise<UploadGrant>;
}

const confirmed = z.object({ success: z.literal(true) });

export function createStorageClient(auth: InternalAuth, baseUrl: string): StorageClient {
  const unreachable = 'The storage of recordings is not reachable right now. Try again in a moment.';
  const sendRequest = createRequestSender({ auth, service: 'storage-config', baseUrl, unreachable });
  return {
    signUrls: async (botId, keys) =>
      (await sendRequest({ path: internalRoutes.artifactUrls, body: { botId, keys }, reply: artifactUrlsReply })).urls,
    deleteBotObjects: (bot, timeoutMs) =>
      sendRequest({
        path: internalRoutes.botObjects,
        body: bot,
        reply: deleteBotObjectsReply,
        method: 'DELETE',
        timeoutMs,
      }),
    endGrants: async (bots) =>
      void (await sendRequest({ path: internalRoutes.endGrants, body: { bots }, reply: confirmed })),
    grantUpload: (request) =>
      sendRequest({ path: internalRoutes.uploadGrants, body: request, reply: uploadGrantReply }),
  };
}
