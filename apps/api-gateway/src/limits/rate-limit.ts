import type { RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';
import type { Executor } from '@rapporteur/database';
import { keyOf } from '../keys/authentication.ts';

/** The window slides over one second, so a retry can succeed after that time. */
const windowSeconds = 1;

export interface RateLimit {
  readonly admit: (teamId: string, requestsPerSecond: number, kind: RequestKind) => Promise<RateDecision>;
  /** For each team; null: reads are not limited and not counted. */
  readonly readsPerSecond: number | null;
}

/**
 * Specification part 8: per second and team, not per key, by its plan for everything but GET; for reads only where the
 * operator sets a limit. Throws RATE_LIMITED above the limit, UNAVAILABLE when the database does not respond. Must follow
 * `authenticate`.
 */
export function limitRate({ admit, readsPerSecond }: RateLimit): RequestHandler {
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && readsPerSecond === null) return next();
    const key = keyOf(request);
    const requestsPerSecond = isRead && readsPerSecond !== null ? readsPerSecond : key.requestsPerSecond;
    const { admitted, remaining } = await decided(admit(key.teamId, requestsPerSecond, isRead ? 'read' : 'change'));
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

interface RateDecision {
  readonly admitted: boolean;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
}

/** Reads (GET, HEAD) and all other requests of a team are counted apart. */
type RequestKind = 'read' | 'change';

/**
 * Decides in one round trip whether a team may send one more request, and counts it if so: never more than the limit
 * within any second across all replicas, and exactly the limit under load. The function is in
 * `create-identity.migration.ts`.
 */
export async function admitRequest(
  database: Executor,
  teamId: string,
  requestsPerSecond: number,
  kind: RequestKind,
): Promise<RateDecision> {
  const [row] = await database.query<RateDecision>('select admitted, remaining from admit_request($1, $2, $3)', [
    teamId,
    requestsPerSecond,
    kind === 'read',
  ]);
  if (row === undefined) throw new Error('The rate limit statement returned no row.');
  return row;
}
