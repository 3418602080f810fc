import express from 'express';
import type { RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';

/** How long a body may take to arrive. */
export const bodyDeadlineMs = 30_000;

export interface JsonBodyOptions {
  readonly limitBytes: number;
  /** For the whole body; default 30 000. */
  readonly deadlineMs?: number;
}

/**
 * Parses a JSON body up to a size; anything but JSON is UNSUPPORTED_MEDIA_TYPE, invalid JSON is VALIDATION. A body that
 * is not complete in time is REQUEST_TIMEOUT, and its connection ends: the server's own limit is not in force on every
 * port.
 */
export function jsonBody({ limitBytes, deadlineMs = bodyDeadlineMs }: JsonBodyOptions): RequestHandler {
  const parse = express.json({ limit: limitBytes, strict: false, type: 'application/json' });
  return (request, response, next) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      response.setHeader('connection', 'close');
      next(fail('REQUEST_TIMEOUT'));
    }, deadlineMs);
    parse(request, response, (error?: unknown) => {
      clearTimeout(timer);
      if (!isLate) next(error);
    });
  };
}
