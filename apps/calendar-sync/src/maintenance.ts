import type { Database } from '@rapporteur/database';
import type { Clock } from '@rapporteur/service-runtime';
import { removeUnusedConfigs } from './bots/bot-configs.store.ts';
import { removeExpiredConsents } from './consents/consents.store.ts';
import { removeStaleRequests } from './connections/request-sync.store.ts';

export interface MaintenanceDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

const dayMs = 86_400_000;
const eventsKeptMs = 90 * dayMs;
const botsKeptMs = 7 * dayMs;

/** Deletes expired data. */
export async function maintain({ database, clock }: MaintenanceDependencies): Promise<void> {
  const now = clock.now();
  await database.query(`update wanted_bots set state = 'over' where state = 'wanted' and join_at < $1`, [
    new Date(now - dayMs),
  ]);
  await database.query(
    `delete from wanted_bots where state <> 'wanted' and next_attempt_at is null and updated_at < $1`,
    [new Date(now - botsKeptMs)],
  );
  await database.query('delete from events where end_at < $1', [new Date(now - eventsKeptMs)]);
  await removeUnusedConfigs(database, new Date(now - dayMs));
  await removeExpiredConsents(database, new Date(now));
  await removeStaleRequests(database, new Date(now - dayMs));
}
