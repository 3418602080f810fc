import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

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
