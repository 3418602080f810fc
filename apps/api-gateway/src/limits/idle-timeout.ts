import type { RequestHandler } from 'express';

const usualIdleMs = 60_000;

/** Ends the connection of a caller that takes nothing of its response for this long: what it does not take stays in memory. */
export function limitIdleTime(idleMs = usualIdleMs): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(idleMs, () => {
      // Until the response begins the silence is not the caller's.
      if (response.headersSent) response.destroy();
    });
    next();
  };
}
