import { once } from 'node:events';
import type { Response } from 'express';
import { fail } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';

/** Bytes read from the store at a time, which bounds the memory of a response. */
const windowBytes = 4 * 1024 * 1024;
const windowMs = 30_000;
/** A client that reads nothing for this long loses its response. */
const idleMs = 60_000;

interface Window {
  readonly body: Buffer;
  /** The length of the whole object. */
  readonly length: number;
}

/**
 * Sends an object behind a signed URL, or the requested range of it. Throws NOT_FOUND when the store does not have it,
 * RANGE_NOT_SATISFIABLE, UNAVAILABLE when the store does not respond. Closes the connection when it fails later.
 */
export async function sendObject(
  outbound: OutboundHttp,
  response: Response,
  { url, range }: { readonly url: string; readonly range: ByteSpan | null },
): Promise<void> {
  const start = range?.start ?? 0;
  const wantedEnd = range?.end ?? Infinity;
  const first = await readWindow(outbound, url, { start, end: Math.min(wantedEnd, start + windowBytes - 1) });
  if (first === null) {
    if (range !== null) throw fail('RANGE_NOT_SATISFIABLE');
    response.setHeader('content-length', '0').end();
    return;
  }
  const end = Math.min(wantedEnd, first.length - 1);
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-length', String(end - start + 1));
  if (range !== null) response.status(206).setHeader('content-range', `bytes ${start}-${end}/${first.length}`);
  try {
    await write(response, first.body, closed.signal);
    for (let at = start + first.body.byteLength; at <= end && !response.destroyed;) {
      const next = await readWindow(outbound, url, { start: at, end: Math.min(end, at + windowBytes - 1) });
      if (next === null || next.length !== first.length) throw new Error('The object changed while it was read.');
      await write(response, next.body, closed.signal);
      at += next.body.byteLength;
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** Null when the object has no byte at `start`. */
async function readWindow(
  outbound: OutboundHttp,
  url: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Window | null> {
  const fetched = await outbound
    .request({
      url,
      method: 'GET',
      headers: { range: `bytes=${start}-${end}`, 'accept-encoding': 'identity' },
      timeoutMs: windowMs,
      maxResponseBytes: windowBytes,
    })
    .catch((error: unknown) => {
      throw fail('UNAVAILABLE', { cause: error });
    });
  if (fetched.status === 416) return null;
  if (fetched.status === 404 || fetched.status === 403) throw fail('NOT_FOUND');
  const length = completeLength(fetched.headers['content-range']);
  if (fetched.status === 206 && length !== null && fetched.bodyPrefix.byteLength > 0)
    return { body: fetched.bodyPrefix, length };
  // A store without ranges sends the whole object, which then fits one window.
  if (fetched.status === 200 && start === 0) {
    const { byteLength } = fetched.bodyPrefix;
    return byteLength === 0 ? null : { body: fetched.bodyPrefix.subarray(0, end + 1), length: byteLength };
  }
  throw fail('UNAVAILABLE', { cause: new Error(`The store responded with ${fetched.status}.`) });
}

async function write(response: Response, body: Buffer, closed: AbortSignal): Promise<void> {
  if (closed.aborted || response.write(body)) return;
  await once(response, 'drain', { signal: AbortSignal.any([closed, AbortSignal.timeout(idleMs)]) });
}

/** Bytes of an object, the last included; `end` null: to its end. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number | null;
}

/**
 * One range `bytes=a-` or `bytes=a-b`; null for no header and for every other form, which a server may ignore (RFC
 * 9110).
 */
export function requestedRange(header: string | undefined): ByteSpan | null {
  const match = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(header ?? '');
  if (match === null) return null;
  const start = Number(match[1]);
  const end = match[2] === undefined ? null : Number(match[2]);
  return end !== null && end < start ? null : { start, end };
}

/** The complete length in `Content-Range: bytes a-b/length`; null when it is missing. */
export function completeLength(contentRange: string | undefined): number | null {
  const length = /^bytes \d+-\d+\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return length === undefined ? null : Number(length);
}
