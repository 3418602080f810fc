import type { Executor } from '@rapporteur/database';

/** What a plan, or a team of its own, may do. */
export interface Limits {
  readonly requests_per_second: number;
  readonly daily_bot_cap: number;
  readonly retention_days: number;
}

/** What an event says about a team's limits must be what is true when it commits: changes stand in one line. */
export async function lockLimits(transaction: Executor): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtext('rapporteur.identity.limits'))`);
}
