import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A reader that takes no byte for this long, a paused player for example, has to ask again with a range. */
const readerIdleMs = 300_000;

/**
 * Streams a body to its reader. A player that seeks closes the connection in the middle: that is no failure. When the
 * store breaks off, the connection ends before the announced length, so that nobody takes the part for the whole.
 */
export async function sendBody(body: Readable, response: Response): Promise<void> {
  response.setTimeout(readerIdleMs, () => response.destroy());
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
