import type { Executor } from '@rapporteur/database';

/** Limits of a plan, or of a team that overrides its plan. */
export interface Limits {
  readonly requests_per_second: number;
  readonly daily_bot_cap: number;
  readonly retention_days: number;
}

/** Serializes changes of limits, so that an event holds the limits that are valid at its commit. */
export async function lockLimits(transaction: Executor): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtext('rapporteur.identity.limits'))`);
}
