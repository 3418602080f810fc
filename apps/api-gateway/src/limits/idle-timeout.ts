import type { RequestHandler } from 'express';

const usualIdleMs = 60_000;

/** Closes the connection of a client that reads nothing of its response for this long: unread data stays in memory. */
export function limitIdleTime(idleMs = usualIdleMs): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(idleMs, () => {
      // Before the response begins, the client is not the cause of the idle time.
      if (response.headersSent) response.destroy();
    });
    next();
  };
}
