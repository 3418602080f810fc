import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  directFragmentsReply,
  directPartReply,
  grantListing,
  internalRoutes,
  multipartCreated,
} from '@rapporteur/contracts';
import type {
  BotInvocation,
  DirectFragments,
  DirectFragmentsReply,
  DirectPartReply,
  DirectPartRequest,
} from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { joinFragment } from './fragment-object.ts';
import type { RunContext } from '../run-context.ts';

/** Content to store: bytes in memory, a file, or a fragment with its record; files are read again for each attempt. */
type StoredContent =
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

/** A part's number from 1, or the bytes before all parts, or after them. */
export type PartName = number | 'head' | 'tail';

export type MultipartName = Pick<DirectPartRequest, 'key' | 'upload'>;

/** Multipart uploads of the bot's objects; the head is uploaded last. */
export interface MultipartStore {
  start(key: string, contentType: string, signal: AbortSignal): Promise<string>;
  /** @returns the part's SHA-256 */
  put(upload: MultipartName, part: PartName, bytes: Buffer, signal: AbortSignal): Promise<Buffer>;
  finish(upload: MultipartName, parts: { parts: number; tail: boolean }, signal: AbortSignal): Promise<void>;
  drop(upload: MultipartName, signal: AbortSignal): Promise<void>;
}

/** The grant is no longer valid: another run holds the bot. Not retryable. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** The store does not have this upload any more, or cannot accept it: it has to start again. */
export class UploadGone extends Error {
  override readonly name = 'UploadGone';
}

const uploadGoneStatuses = new Set([400, 404, 405, 409, 412, 413]);
const readCharacters = 4_000;
const shownCharacters = 300;
const slowestBytesPerSecond = 200_000;
const shortestTimeoutMs = 15_000;
/** Completing may copy the whole object once, where the store has no better way. */
const finishTimeoutMs = 300_000;
/** A small object costs less in one request through storage-config than in the three of a direct upload. */
const directBytesLeast = 16_384;
/** How long everything goes through storage-config after a failure, or where the store accepts nothing directly. */
const pauseMs = 60_000;
const responseBytesAtMost = 100_000;
/** Slots for fragments that are granted at once: the commit of the last one requests the next ones. */
const slotsAtOnce = 8;
/** A slot is not used in this time before its request expires: the clocks of two machines differ. */
const expiryMarginMs = 5 * 60_000;
/** The store has the object: an earlier attempt arrived and its response was lost. */
const alreadyThere = 412;
const failuresEveryMs = 600_000;
/**
 * Longest fragment. Each costs a request to the store. The encoder makes a key frame before this time is over. A killed
 * runner loses the open fragment and the one being uploaded: about 4 s at most.
 */
export const fragmentMs = 3_600;

type SignedRequest = NonNullable<DirectPartReply['request']>;
type Slot = NonNullable<DirectFragmentsReply['slots']>[number] & { readonly untilMs: number };

export interface GrantOptions {
  readonly url: string;
  readonly grant: string;
  /** The addresses of the store for media; absent: everything goes through storage-config. */
  readonly direct?: ReturnType<typeof createDirectUploads>;
  /** Called after every request that wrote to the store, with its bytes of content and the object's key. */
  onStored?(bytes: number, key: string): void;
  /** Called with the reason of the storage for every request that it did not take, and may take later. */
  onFailed?(reason: string): void;
}

/** What is stored in one request, at the address of the store or of storage-config. */
interface Sent {
  readonly key: string;
  readonly bytes: number;
  /** For an error message. */
  readonly what: string;
  /** The address of storage-config. */
  readonly address: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => BodyInit;
  /** Sends it to the address of the store. False, or absent: it goes through storage-config. */
  readonly direct?: () => Promise<boolean> | undefined;
}

async function send(options: GrantOptions, sent: Sent, signal: AbortSignal): Promise<void> {
  if ((await sent.direct?.()) !== true) {
    const headers = { authorization: `Bearer ${options.grant}`, ...sent.headers };
    const init = { method: 'PUT', headers, body: sent.body(), duplex: 'half', signal: withinTime(signal, sent.bytes) };
    await expectOk(await fetch(sent.address, init as RequestInit), sent.what, options);
  }
  options.onStored?.(sent.bytes, sent.key);
}

/** @throws from every call: GrantRefused for 401 and 403, Error for failures that may be transient */
export function createGrantStore(options: GrantOptions): GrantStore {
  const authorization = `Bearer ${options.grant}`;
  const addressOf = (key: string): URL => grantAddress(options.url, internalRoutes.grantObjects, key);
  return {
    put: async ({ key, content: parts, contentType }, signal) => {
      const content = await joined(parts);
      const receipt = await measure(content);
      const { bytes, sha256 } = receipt;
      const isDirect = key.startsWith('segments/') && bytes >= directBytesLeast;
      const sent = {
        key,
        bytes,
        what: `storing ${key}`,
        address: addressOf(key),
        headers: { 'content-type': contentType, 'content-length': String(bytes), 'x-content-sha256': sha256 },
        body: () =>
          'bytes' in content
            ? Buffer.from(content.bytes)
            : (Readable.toWeb(createReadStream(content.file)) as ReadableStream),
        direct: async () =>
          isDirect &&
          (await options.direct?.sendFragment({ key, bytes: await bytesOf(content), contentType }, signal)) === true,
      };
      await send(options, sent, signal);
      return receipt;
    },
    get: async (key, signal) => {
      const response = await fetch(addressOf(key), {
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
      const url = addressOf('');
      url.pathname = url.pathname.replace(/\/$/, '');
      url.searchParams.set('prefix', prefix);
      const response = await fetch(url, { headers: { authorization }, signal: withinTime(signal, 1_000_000) });
      await expectOk(response, `listing ${prefix}`, { discard: false });
      return grantListing.parse(await response.json()).objects;
    },
    release: async (artifacts, signal) => {
      const body = { artifacts: artifacts.map(({ key, bytes }) => ({ key, bytes })) };
      const response = await postWithGrant(
        options,
        new URL(internalRoutes.grantRelease, options.url),
        body,
        withinTime(signal, 0),
      );
      await expectOk(response, 'releasing the fragments of the recording');
    },
  };
}

/** @throws from every call: GrantRefused, UploadGone, or Error for failures that may be transient */
export function createMultipartStore(options: GrantOptions): MultipartStore {
  const address = (key: string, upload?: string, part?: PartName): URL => {
    const url = grantAddress(options.url, internalRoutes.grantMultipart, key);
    if (upload !== undefined) url.searchParams.set('upload', upload);
    if (part !== undefined) url.searchParams.set('part', String(part));
    return url;
  };
  return {
    start: async (key, contentType, signal) => {
      const response = await postWithGrant(options, address(key), { contentType }, withinTime(signal, 0));
      await expectOk(response, `beginning ${key}`, { ...options, discard: false });
      options.onStored?.(0, key);
      return multipartCreated.parse(await response.json()).upload;
    },
    put: async ({ key, upload }, part, bytes, signal) => {
      const hash = createHash('sha256').update(bytes).digest();
      const sent = {
        key,
        bytes: bytes.length,
        what: `storing part ${part} of ${key}`,
        address: address(key, upload, part),
        headers: { 'content-type': 'application/octet-stream', 'x-content-sha256': hash.toString('hex') },
        body: () => bytes as Uint8Array<ArrayBuffer>,
        direct: () => options.direct?.sendPart({ key, upload, part }, bytes, signal),
      };
      await send(options, sent, signal);
      return hash;
    },
    finish: async ({ key, upload }, parts, signal) => {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(finishTimeoutMs)]);
      const response = await postWithGrant(options, address(key, upload), parts, deadline);
      await expectOk(response, `finishing ${key}`, options);
      options.onStored?.(0, key);
    },
    drop: async ({ key, upload }, signal) => {
      const headers = { authorization: `Bearer ${options.grant}` };
      const init = { method: 'DELETE', headers, signal: withinTime(signal, 0) };
      await expectOk(await fetch(address(key, upload), init), `dropping ${key}`);
    },
  };
}

interface DirectUploadsOptions extends Pick<GrantOptions, 'url' | 'grant'>, Pick<RunContext, 'clock' | 'logger'> {
  /** The client for a request to the store of the deployment, or to one whose address a customer gave. */
  readonly outbound: (request: Pick<SignedRequest, 'url' | 'customers'>) => Pick<OutboundHttp, 'request'>;
}

/**
 * Uploads media to the address of the object store, not through storage-config. Each call resolves to false when the
 * media has to go through storage-config.
 *
 * @throws from every call: GrantRefused, UploadGone for a part, or Error when a commit may succeed later
 */
export function createDirectUploads(options: DirectUploadsOptions) {
  const { clock, logger } = options;
  let pausedUntilMs = -Infinity;
  let partsPausedUntilMs = -Infinity;
  let slots: Slot[] = [];
  /** Commits a fragment, and fetches slots where none is left. */
  const exchange = async (commit: DirectFragments['commit'], signal: AbortSignal): Promise<void> => {
    const body: DirectFragments = { commit, slots: slots.length > 0 ? 0 : slotsAtOnce };
    const what = commit === null ? 'requesting slots' : `committing ${commit.key}`;
    const reply = directFragmentsReply.parse(
      await addresses(options, internalRoutes.grantDirectFragments, { body, what, signal }),
    );
    const untilMs = Date.parse(reply.expiresAt) - expiryMarginMs;
    slots = [...slots, ...(reply.slots ?? []).map((slot) => ({ ...slot, untilMs }))];
  };
  const nextSlot = async (signal: AbortSignal): Promise<Slot | null> => {
    slots = slots.filter(({ untilMs }) => clock.now() < untilMs);
    if (slots.length === 0) await exchange(null, signal);
    return slots.shift() ?? null;
  };
  /** False: it goes through storage-config, and so does everything for a while. */
  const sendSigned = async (
    request: SignedRequest | null,
    { key, bytes }: { readonly key: string; readonly bytes: Buffer },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const failure =
      request === null ? null : await sendToStore(options.outbound(request), request, bytes, signal).catch(String);
    if (request !== null && failure === null) return true;
    signal.throwIfAborted();
    pausedUntilMs = clock.monotonic() + pauseMs;
    if (failure !== null)
      logger.warn({ key, failure }, 'The object store did not take an upload directly; using storage-config.');
    return false;
  };
  return {
    sendFragment: async (
      { key, bytes, contentType }: Omit<PutObject, 'content'> & { readonly bytes: Buffer },
      signal: AbortSignal,
    ): Promise<boolean> => {
      if (clock.monotonic() < pausedUntilMs) return false;
      const slot = await nextSlot(signal);
      const request = slot && { ...slot.request, headers: { ...slot.request.headers, 'content-type': contentType } };
      if (!(await sendSigned(request, { key, bytes }, signal)) || slot === null) return false;
      await exchange({ key, bytes: bytes.length, slot: slot.slot }, signal);
      return true;
    },
    sendPart: async (part: Omit<DirectPartRequest, 'bytes'>, bytes: Buffer, signal: AbortSignal): Promise<boolean> => {
      if (clock.monotonic() < Math.max(pausedUntilMs, partsPausedUntilMs)) return false;
      const [body, what] = [{ ...part, bytes: bytes.length }, `requesting a direct upload of ${part.key}`];
      const { request } = directPartReply.parse(
        await addresses(options, internalRoutes.grantDirectParts, { body, what, signal }),
      );
      if (request !== null) return await sendSigned(request, { key: part.key, bytes }, signal);
      // A store may take fragments directly and no parts.
      partsPausedUntilMs = clock.monotonic() + pauseMs;
      return false;
    },
  };
}

async function addresses(
  grant: Pick<GrantOptions, 'url' | 'grant'>,
  route: string,
  { body, what, signal }: { readonly body: unknown; readonly what: string; readonly signal: AbortSignal },
): Promise<unknown> {
  const response = await postWithGrant(grant, new URL(route, grant.url), body, withinTime(signal, 0));
  await expectOk(response, what, { discard: false });
  return await response.json();
}

/** @returns null, or why the store refused it */
async function sendToStore(
  outbound: Pick<OutboundHttp, 'request'>,
  { url, method, headers }: SignedRequest,
  body: Buffer,
  signal: AbortSignal,
): Promise<string | null> {
  const { status, bodyPrefix } = await outbound.request({
    url,
    method,
    headers,
    body,
    timeoutMs: timeoutMsFor(body.length),
    maxResponseBytes: responseBytesAtMost,
    whenTooLarge: 'cut',
    signal,
  });
  const isFine = (status >= 200 && status < 300) || status === alreadyThere;
  return isFine ? null : `HTTP ${status} ${bodyPrefix.toString('utf8', 0, shownCharacters)}`;
}

/** Where a run stores its recording: media goes to the object store directly where that is possible. */
export function openUploads(
  { storage, outbound: rules }: Pick<BotInvocation, 'storage' | 'outbound'>,
  options: {
    onStored(bytes: number, key: string): void;
    /** Called with the reason of a failed upload: the first one, and then one every ten minutes at most. */
    onFailed?(reason: string): void;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): { readonly store: GrantStore; readonly multipart: MultipartStore } {
  const clients = new Map<string, OutboundHttp>();
  const direct = createDirectUploads({
    ...storage,
    ...options,
    outbound: ({ url, customers }) => {
      // The store of the deployment may be at any address.
      const own = customers ? [] : [hostAndPort(new URL(url))];
      const key = own.join();
      const client = clients.get(key) ?? createOutboundHttp({ ...rules, allow: [...rules.allow, ...own] });
      clients.set(key, client);
      return client;
    },
  });
  let quietUntilMs = -Infinity;
  const onFailed = (reason: string): void => {
    if (options.clock.monotonic() < quietUntilMs) return;
    quietUntilMs = options.clock.monotonic() + failuresEveryMs;
    options.onFailed?.(reason);
  };
  const grant = { ...storage, direct, onStored: options.onStored.bind(options), onFailed };
  return { store: createGrantStore(grant), multipart: createMultipartStore(grant) };
}

function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

type WholeContent = Exclude<StoredContent, { readonly mediaFile: string }>;

async function joined(content: StoredContent): Promise<WholeContent> {
  if (!('mediaFile' in content)) return content;
  return { bytes: joinFragment(await readFile(content.mediaFile), await readFile(content.recordFile)) };
}

async function bytesOf(content: WholeContent): Promise<Buffer> {
  return 'bytes' in content ? Buffer.from(content.bytes) : await readFile(content.file);
}

async function measure(content: WholeContent): Promise<PutReceipt> {
  const hash = createHash('sha256');
  if ('bytes' in content) return { bytes: content.bytes.byteLength, sha256: hash.update(content.bytes).digest('hex') };
  for await (const chunk of createReadStream(content.file)) hash.update(chunk as Buffer);
  return { bytes: (await stat(content.file)).size, sha256: hash.digest('hex') };
}

/** Address of a key in a grant's routes. */
function grantAddress(serviceUrl: string, route: string, key: string): URL {
  const base = new URL(`${route.replace(/^\//, '')}/`, serviceUrl.endsWith('/') ? serviceUrl : `${serviceUrl}/`);
  return new URL(key.split('/').map(encodeURIComponent).join('/'), base);
}

/** A request with a JSON body; the signal contains its deadline. */
async function postWithGrant(
  { grant }: Pick<GrantOptions, 'grant'>,
  address: URL,
  body: unknown,
  signal: AbortSignal,
): Promise<Response> {
  return await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${grant}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

/** Timeout for `bytes` over the slowest connection. */
function timeoutMsFor(bytes: number): number {
  return Math.ceil(shortestTimeoutMs + (bytes / slowestBytesPerSecond) * 1_000);
}

/** Aborts with the signal, or after `timeoutMsFor(bytes)`. */
function withinTime(signal: AbortSignal, bytes: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMsFor(bytes))]);
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
async function expectOk(
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
  throw uploadGoneStatuses.has(response.status) ? new UploadGone(sentence) : new Error(sentence);
}
