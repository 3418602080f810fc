import type { Database, Executor } from '@rapporteur/database';
import type { Clock } from '@rapporteur/service-runtime';
import type { DecideBots } from '../bots/decide-bots.ts';

export interface ChangeDependencies {
  readonly database: Database;
  readonly decideBots: DecideBots;
  readonly clock: Clock;
  /** Requests that bots are applied. */
  readonly onDecided: () => void;
}

/** A change of what decides over a team's bots; the bots that it wants, or wants no longer, commit with it. */
export async function changeAhead<T>(
  { database, decideBots, clock, onDecided }: ChangeDependencies,
  teamId: string,
  work: (transaction: Executor) => Promise<T>,
): Promise<T> {
  const result = await database.transaction(async (transaction) => {
    const changed = await work(transaction);
    const ahead = await transaction.query<{ event_id: string }>(
      'select event_id from events where team_id = $1 and start_at > $2',
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
