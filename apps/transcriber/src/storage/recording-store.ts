import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { internalCalls, internalRoutes } from '@rapporteur/contracts';
import type { Artifact, ArtifactKind } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { StreamedBody } from '@rapporteur/outbound-http';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** The recording does not exist, or may not be read: its data was deleted. */
export class RecordingGone extends Error {
  override readonly name = 'RecordingGone';
}

/** The stored files of one bot. Methods throw RecordingGone, and UNAVAILABLE without a valid response of storage. */
export interface BotFiles {
  /** A document, which is held in memory. */
  read(key: string): Promise<Buffer>;
  /** Audio, from a byte on. Its stream fails with UNAVAILABLE. */
  open(key: string, from?: number): Promise<StreamedBody>;
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
/** As long as a provider may take to receive the audio. */
const transferMs = 900_000;

/** Accesses bots' files through grants of storage-config. */
export function createRecordingStore(
  auth: InternalAuth,
  options: { readonly storageUrl: string; readonly now: () => number },
): OpenBotFiles {
  const storage = { auth, service: 'storage-config', baseUrl: options.storageUrl };
  const { grantUpload } = createClient(internalCalls.storage, storage);
  return async (place, signal) => {
    const expiresAt = new Date(options.now() + grantLifetimeMs).toISOString();
    const { url, grant } = await grantUpload({ ...place, expiresAt });
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
      open: async (key, from = 0) => {
        const { status, body, headers } = await send(key, from === 0 ? {} : { headers: { range: `bytes=${from}-` } });
        if ((status === 206) !== from > 0)
          throw fail('UNAVAILABLE', { cause: new Error('Storage sent another part.') });
        const stream = Readable.from(readable(body)).on('close', () => void body?.cancel().catch(() => undefined));
        return { byteLength: Number(headers.get('content-length')), stream };
      },
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

async function* readable(body: Response['body']): AsyncGenerator<Buffer> {
  try {
    if (body === null) return;
    for await (const { buffer, byteOffset, byteLength } of body) yield Buffer.from(buffer, byteOffset, byteLength);
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}
