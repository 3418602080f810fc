import { createHash } from 'node:crypto';
import { internalRoutes, uploadGrantReply } from '@rapporteur/contracts';
import type { Artifact, ArtifactKind } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** The recording does not exist, or may not be read: its data was deleted. */
export class RecordingGone extends Error {
  override readonly name = 'RecordingGone';
}

/** The stored files of one bot. Methods throw RecordingGone, and UNAVAILABLE without a valid response of storage. */
export interface BotFiles {
  read(key: string): Promise<Buffer>;
  write(file: NewFile): Promise<Artifact>;
}

export interface NewFile {
  readonly kind: ArtifactKind;
  readonly key: string;
  readonly contentType: string;
  readonly content: string;
}

export interface BotFilesPlace {
  readonly botId: string;
  readonly teamId: string;
  readonly fencing: number;
}

export type OpenBotFiles = (place: BotFilesPlace, signal: AbortSignal) => Promise<BotFiles>;

const grantLifetimeMs = 3_600_000;
const transferMs = 600_000;

/** Accesses bots' files through grants of storage-config. */
export function createRecordingStore(
  auth: InternalAuth,
  options: { readonly storageUrl: string; readonly now: () => number },
): OpenBotFiles {
  const sendRequest = createRequestSender({ auth, service: 'storage-config', baseUrl: options.storageUrl });
  return async (place, signal) => {
    const expiresAt = new Date(options.now() + grantLifetimeMs).toISOString();
    const body = { ...place, expiresAt };
    const { url, grant } = await sendRequest({ path: internalRoutes.uploadGrants, body, reply: uploadGrantReply });
    const send = async (key: string, init: RequestInit): Promise<Response> => {
      const path = key.split('/').map(encodeURIComponent).join('/');
      const response = await fetch(`${url}${internalRoutes.grantObjects}/${path}`, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${grant}` },
        signal: AbortSignal.any([signal, AbortSignal.timeout(transferMs)]),
      }).catch((error: unknown) => {
        throw fail('UNAVAILABLE', { cause: error });
      });
      if (response.ok) return response;
      await response.body?.cancel();
      if (response.status === 404 || response.status === 403) throw new RecordingGone();
      throw fail('UNAVAILABLE', { cause: new Error(`Storage responded with status ${response.status}.`) });
    };
    return {
      read: async (key) => {
        const response = await send(key, {});
        return Buffer.from(
          await response.arrayBuffer().catch((error: unknown) => {
            throw fail('UNAVAILABLE', { cause: error });
          }),
        );
      },
      write: async ({ kind, key, contentType, content }) => {
        const bytes = Buffer.from(content);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const headers = { 'content-type': contentType, 'x-content-sha256': sha256 };
        const response = await send(key, { method: 'PUT', headers, body: new Uint8Array(bytes) });
        await response.body?.cancel();
        return { kind, key, bytes: bytes.byteLength, sha256, contentType };
      },
    };
  };
}
