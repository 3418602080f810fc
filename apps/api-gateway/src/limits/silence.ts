import type { RequestHandler } from 'express';

const usualSilenceMs = 60_000;

/** Ends the connection of a caller that takes nothing of its answer for this long: what it does not take stays in memory. */
export function limitSilence(silenceMs = usualSilenceMs): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(silenceMs, () => {
      // Until the answer begins the silence is not the caller's.
      if (response.headersSent) response.destroy();
    });
    next();
  };
}
