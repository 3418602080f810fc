import type { Database } from '@rapporteur/database';
import type { Clock } from '@rapporteur/service-runtime';
import type { DecideBots } from '../bots/decide-bots.ts';
import { teamTransaction } from '../bots/team-transaction.ts';
import type { TeamTransaction } from '../bots/team-transaction.ts';

export interface ChangeDependencies {
  readonly database: Database;
  readonly decideBots: DecideBots;
  readonly clock: Clock;
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
}

/** Runs a change of rules or settings; the resulting changes of wanted bots commit with it. */
export async function changeAhead<T>(
  { database, decideBots, clock, onDecided }: ChangeDependencies,
  teamId: string,
  work: (transaction: TeamTransaction) => Promise<T>,
): Promise<T> {
  const result = await teamTransaction(database, teamId, async (transaction) => {
    const changed = await work(transaction);
    const ahead = await transaction.query<{ event_id: string }>(
      'select event_id from events where team_id = $1 and end_at > $2',
      [teamId, new Date(clock.now())],
    );
    await decideBots(
      transaction,
      teamId,
      ahead.map(({ event_id }) => event_id),
    );
    return changed;
  });
  onDecided();
  return result;
}
