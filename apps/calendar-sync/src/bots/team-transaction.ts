import { isSerializationFailure } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';

declare const isLocked: unique symbol;

/** A transaction that has held the lock of its team since its first statement. */
export type TeamTransaction = Executor & { readonly [isLocked]: true };

const mostAttempts = 3;

/**
 * Runs a transaction that decides on bots of a team. It locks the team before it reads or writes anything: what it
 * reads stays true until it commits, and row locks are always taken after the team's. A deadlock with a statement of
 * another kind is tried again.
 */
export async function teamTransaction<T>(
  database: Database,
  teamId: string,
  work: (transaction: TeamTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (transaction) => {
        await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 41))', [teamId]);
        return await work(transaction as TeamTransaction);
      });
    } catch (error) {
      if (attempt === mostAttempts || !isSerializationFailure(error)) throw error;
    }
  }
}
