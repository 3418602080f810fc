import { createHash } from 'node:crypto';
import { multipartCreated, internalRoutes } from '@rapporteur/contracts';
import { expectOk, grantAddress, withinTime } from './grant-store.ts';
import type { GrantOptions } from './grant-store.ts';

/** A part's number from 1, or the bytes before all parts, or after them. */
export type PartName = number | 'head' | 'tail';

/** Multipart uploads of the bot's objects; the head is uploaded last. */
export interface MultipartStore {
  start(key: string, contentType: string, signal: AbortSignal): Promise<string>;
  /** @returns the part's SHA-256 */
  put(upload: MultipartName, part: PartName, bytes: Buffer, signal: AbortSignal): Promise<Buffer>;
  finish(upload: MultipartName, parts: { parts: number; tail: boolean }, signal: AbortSignal): Promise<void>;
  drop(upload: MultipartName, signal: AbortSignal): Promise<void>;
}

export interface MultipartName {
  readonly key: string;
  readonly upload: string;
}

/** Completing may copy the whole object once, where the store has no better way. */
const finishTimeoutMs = 300_000;

/** @throws from every call: GrantRefused, UploadGone, or Error for failures that may be transient */
export function createMultipartStore(options: GrantOptions): MultipartStore {
  const authorization = `Bearer ${options.grant}`;
  const json = { authorization, 'content-type': 'application/json' };
  const address = ({ key, upload }: { key: string; upload?: string }, part?: PartName): URL => {
    const url = grantAddress(options.url, internalRoutes.grantMultipart, key);
    if (upload !== undefined) url.searchParams.set('upload', upload);
    if (part !== undefined) url.searchParams.set('part', String(part));
    return url;
  };
  return {
    start: async (key, contentType, signal) => {
      const body = JSON.stringify({ contentType });
      const init = { method: 'POST', headers: json, body, signal: withinTime(signal, 0) };
      const response = await fetch(address({ key }), init);
      await expectOk(response, `beginning ${key}`, { ...options, discard: false });
      options.onStored?.(0, key);
      return multipartCreated.parse(await response.json()).upload;
    },
    put: async (upload, part, bytes, signal) => {
      const hash = createHash('sha256').update(bytes).digest();
      if ((await options.direct?.sendPart({ ...upload, part }, bytes, signal)) === true) {
        options.onStored?.(bytes.length, upload.key);
        return hash;
      }
      const headers = {
        authorization,
        'content-type': 'application/octet-stream',
        'x-content-sha256': hash.toString('hex'),
      };
      const body = bytes as Uint8Array<ArrayBuffer>;
      const response = await fetch(address(upload, part), {
        method: 'PUT',
        headers,
        body,
        signal: withinTime(signal, bytes.length),
      });
      await expectOk(response, `storing part ${part} of ${upload.key}`, options);
      options.onStored?.(bytes.length, upload.key);
      return hash;
    },
    finish: async (upload, parts, signal) => {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(finishTimeoutMs)]);
      const init = { method: 'POST', headers: json, body: JSON.stringify(parts), signal: deadline };
      await expectOk(await fetch(address(upload), init), `finishing ${upload.key}`, options);
      options.onStored?.(0, upload.key);
    },
    drop: async (upload, signal) => {
      const init = { method: 'DELETE', headers: { authorization }, signal: withinTime(signal, 0) };
      await expectOk(await fetch(address(upload), init), `dropping ${upload.key}`);
    },
  };
}
