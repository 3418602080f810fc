import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange } from '@rapporteur/object-store';
import type { Response } from 'express';

/**
 * The part of an object of `bytes` bytes that a Range header requests (RFC 9110): a part; `all` when there is no
 * header, it is not understood or it requests several parts; `unsatisfiable` when it lies outside.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'all' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (match === null) return 'all';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= bytes) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}

/** A reader that reads no byte for this long, a paused player for example, has to send a new request with a range. */
const readerIdleMs = 300_000;

/**
 * Streams a body to its reader. A player that seeks closes the connection in the middle: that is no failure. When the
 * store fails, the connection ends before the announced length, so that a partial body is detectable.
 */
export async function sendBody(body: Readable, response: Response): Promise<void> {
  response.setTimeout(readerIdleMs, () => response.destroy());
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
