import type { Executor } from '@rapporteur/database';

export interface RateDecision {
  readonly admitted: boolean;
  /** Requests that would still be admitted now. */
  readonly remaining: number;
}

/** Reads (GET, HEAD) and all other requests of a team are counted apart. */
export type RequestKind = 'read' | 'change';

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
  if (row === undefined) throw new Error('The rate limit statement gave no row.');
  return row;
}
