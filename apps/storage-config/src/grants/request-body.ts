import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { withDeadline } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';

/** Time for a sender to read our response after its body is no longer read. */
const lingerMs = 2_000;

/**
 * The chunks of an upload as they arrive. Throws VALIDATION when the sender aborts, or sends nothing for `idleMs` while
 * a chunk is waited for. A reader that stops early leaves the connection open for the response.
 */
export async function* requestBody(request: Request, idleMs: number): AsyncGenerator<Uint8Array> {
  liftRequestTimeout(request);
  const iterator = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  for (;;) {
    const chunk = iterator.next().catch(rethrowAsBrokenOff);
    const next = await withDeadline(chunk, idleMs, () => brokenOff(`nothing of it came for ${idleMs / 1_000} seconds`));
    if (next.done === true) return;
    yield next.value as Uint8Array;
  }
}

function rethrowAsBrokenOff(cause: unknown): never {
  throw brokenOff('the connection broke', cause);
}

function brokenOff(why: string, cause?: unknown): Error {
  return fail('VALIDATION', { message: `The body did not arrive whole: ${why}.`, details: 'body', cause });
}

/**
 * Node gives every request of a server one deadline for its whole body, which a long recording on a slow connection
 * exceeds: it is removed for the whole port, permanently. An upload has an idle timeout instead, every other body the
 * deadlines of service-runtime.
 */
function liftRequestTimeout(request: Request): void {
  const { server } = request.socket as Socket & { readonly server?: Server };
  if (server !== undefined) server.requestTimeout = 0;
}

/**
 * After a response that did not wait for the whole body, the rest is discarded for a moment, then the connection ends.
 */
export function endUnreadBody(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs).unref();
  });
}
