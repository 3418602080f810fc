import type { RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';
import { keyOf } from '../keys/authentication.ts';
import type { RateDecision } from './rate-limit.store.ts';

/** The window slides over one second, so a retry can succeed after that time. */
const windowSeconds = 1;

export type AdmitRequest = (teamId: string, requestsPerSecond: number) => Promise<RateDecision>;

/**
 * Specification part 8: per second and team, not per key, for everything but GET. Throws RATE_LIMITED above the limit,
 * UNAVAILABLE when the database does not respond. Must follow `authenticate`.
 */
export function limitRate(admit: AdmitRequest): RequestHandler {
  return async (request, response, next) => {
    const { teamId, requestsPerSecond } = keyOf(request);
    const { admitted, remaining } = await decided(admit(teamId, requestsPerSecond));
    response.setHeader('x-ratelimit-limit', String(requestsPerSecond));
    response.setHeader('x-ratelimit-remaining', String(remaining));
    response.setHeader('x-ratelimit-reset', String(windowSeconds));
    if (!admitted) throw fail('RATE_LIMITED', { retryAfterSeconds: windowSeconds });
    next();
  };
}

async function decided(decision: Promise<RateDecision>): Promise<RateDecision> {
  try {
    return await decision;
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}
