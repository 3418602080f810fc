import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { grantListing, internalRoutes } from '@rapporteur/contracts';
import { joinFragment } from './fragment-object.ts';
import type { DirectUploads } from './direct-media.ts';

/** Content to store: bytes in memory, a file, or a fragment with its record; files are read again for each attempt. */
export type StoredContent =
  | { readonly bytes: Uint8Array }
  | { readonly file: string }
  | { readonly mediaFile: string; readonly recordFile: string };

export interface PutObject {
  /** Relative to the bot's own prefix. */
  readonly key: string;
  readonly content: StoredContent;
  readonly contentType: string;
}

export interface PutReceipt {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The part of the object store below the bot's prefix. */
export interface GrantStore {
  put(object: PutObject, signal: AbortSignal): Promise<PutReceipt>;
  /** Null when there is no such object. */
  get(key: string, signal: AbortSignal): Promise<Uint8Array | null>;
  list(prefix: string, signal: AbortSignal): Promise<{ readonly key: string; readonly bytes: number }[]>;
  /** The recording is stored and reported: its fragments may be deleted. */
  release(artifacts: readonly { readonly key: string; readonly bytes: number }[], signal: AbortSignal): Promise<void>;
}

/** The grant is no longer valid: another run holds the bot. Not retryable. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** The store does not have this upload any more, or cannot accept it: it has to start again. */
export class UploadGone extends Error {
  override readonly name = 'UploadGone';
}

const hopeless = new Set([400, 404, 405, 409, 412, 413]);
const readCharacters = 4_000;
const shownCharacters = 300;
const slowestBytesPerSecond = 200_000;
const shortestTimeoutMs = 15_000;

export interface GrantOptions {
  readonly url: string;
  readonly grant: string;
  /** Uploads media directly to the store; absent: everything goes through storage-config. */
  readonly direct?: DirectUploads;
  /** Called after every request that wrote to the store, with its bytes of content and the object's key. */
  onStored?(bytes: number, key: string): void;
  /** Called with the reason of the storage for every request that it did not take, and may take later. */
  onFailed?(reason: string): void;
}

/** @throws from every call: GrantRefused for 401 and 403, Error for failures that may be transient */
export function createGrantStore(options: GrantOptions): GrantStore {
  const authorization = `Bearer ${options.grant}`;
  const address = (key: string): URL => grantAddress(options.url, internalRoutes.grantObjects, key);
  return {
    put: async (object, signal) => {
      const { key, contentType } = object;
      const content = await joined(object.content);
      const receipt = await measure(content);
      if (isDirect(key, receipt)) {
        const fragment = { key, bytes: await bytesOf(content), contentType };
        if ((await options.direct?.sendFragment(fragment, signal)) === true) {
          options.onStored?.(receipt.bytes, key);
          return receipt;
        }
      }
      const headers = {
        authorization,
        'content-type': contentType,
        'content-length': String(receipt.bytes),
        'x-content-sha256': receipt.sha256,
      };
      const body =
        'bytes' in content
          ? Buffer.from(content.bytes)
          : (Readable.toWeb(createReadStream(content.file)) as ReadableStream);
      const init = { method: 'PUT', headers, body, duplex: 'half', signal: withinTime(signal, receipt.bytes) };
      const response = await fetch(address(key), init as RequestInit);
      await expectOk(response, `storing ${key}`, options);
      options.onStored?.(receipt.bytes, key);
      return receipt;
    },
    get: async (key, signal) => {
      const response = await fetch(address(key), {
        headers: { authorization },
        signal: withinTime(signal, 64_000_000),
      });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      await expectOk(response, `reading ${key}`, { discard: false });
      return new Uint8Array(await response.arrayBuffer());
    },
    list: async (prefix, signal) => {
      const url = address('');
      url.pathname = url.pathname.replace(/\/$/, '');
      url.searchParams.set('prefix', prefix);
      const response = await fetch(url, { headers: { authorization }, signal: withinTime(signal, 1_000_000) });
      await expectOk(response, `listing ${prefix}`, { discard: false });
      return grantListing.parse(await response.json()).objects;
    },
    release: async (artifacts, signal) => {
      const body = { artifacts: artifacts.map(({ key, bytes }) => ({ key, bytes })) };
      const response = await postWithGrant(options, internalRoutes.grantRelease, body, signal);
      await expectOk(response, 'releasing the fragments of the recording');
    },
  };
}

const directBytesLeast = 16_384;

/** A small object costs less in one request through storage-config than in the three of a direct upload. */
function isDirect(key: string, { bytes }: PutReceipt): boolean {
  return key.startsWith('segments/') && bytes >= directBytesLeast;
}

type WholeContent = Exclude<StoredContent, { readonly mediaFile: string }>;

async function joined(content: StoredContent): Promise<WholeContent> {
  if (!('mediaFile' in content)) return content;
  return { bytes: joinFragment(await readFile(content.mediaFile), await readFile(content.recordFile)) };
}

async function bytesOf(content: WholeContent): Promise<Buffer> {
  return 'bytes' in content ? Buffer.from(content.bytes) : await readFile(content.file);
}

/** Address of a key in a grant's routes. */
export function grantAddress(serviceUrl: string, route: string, key: string): URL {
  const base = new URL(`${route.replace(/^\//, '')}/`, serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`);
  return new URL(key.split('/').map(encodeURIComponent).join('/'), base);
}

/** A request with a JSON body to a route without a key. */
export async function postWithGrant(
  { url, grant }: Pick<GrantOptions, 'url' | 'grant'>,
  route: string,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  return await fetch(new URL(route, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${grant}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: withinTime(signal, 0),
  });
}

/** Timeout for `bytes` over the slowest connection. */
export function timeoutMsFor(bytes: number): number {
  return Math.ceil(shortestTimeoutMs + (bytes / slowestBytesPerSecond) * 1_000);
}

/** Aborts with the signal, or after `timeoutMsFor(bytes)`. */
export function withinTime(signal: AbortSignal, bytes: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMsFor(bytes))]);
}

async function measure(content: WholeContent): Promise<PutReceipt> {
  const hash = createHash('sha256');
  if ('bytes' in content) return { bytes: content.bytes.byteLength, sha256: hash.update(content.bytes).digest('hex') };
  for await (const chunk of createReadStream(content.file)) hash.update(chunk as Buffer);
  return { bytes: (await stat(content.file)).size, sha256: hash.digest('hex') };
}

/** The message of an error envelope, or the beginning of another body. */
function reasonIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // No envelope.
  }
  return text.slice(0, shownCharacters);
}

/** @throws GrantRefused, UploadGone, or Error for failures that may be transient */
export async function expectOk(
  response: Response,
  what: string,
  { discard = true, onFailed }: { readonly discard?: boolean } & Pick<GrantOptions, 'onFailed'> = {},
): Promise<void> {
  if (response.ok) {
    if (discard) await response.body?.cancel();
    return;
  }
  const reason = reasonIn((await response.text().catch(() => '')).slice(0, readCharacters));
  if (response.status === 503) onFailed?.(reason);
  const sentence = `The storage service responded with HTTP ${response.status} for ${what}. ${reason}`;
  if (response.status === 401 || response.status === 403) throw new GrantRefused(sentence);
  throw hopeless.has(response.status) ? new UploadGone(sentence) : new Error(sentence);
}
