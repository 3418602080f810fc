import type { Database } from '@rapporteur/database';
import { rewrapTable } from '@rapporteur/secret-box';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { removeUnusedConfigs } from './bots/bot-configs.store.ts';
import type { BotConfigRow, ConnectionRow } from './schema/rows.ts';
import type { Sealing } from './sealing.ts';
import { removeStaleRequests } from './connections/request-sync.store.ts';

export interface MaintenanceDependencies {
  readonly database: Database;
  readonly sealing: Sealing;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hasFormerKeys: boolean;
}

const dayMs = 86_400_000;
const eventsKeptMs = 90 * dayMs;
const botsKeptMs = 7 * dayMs;

/** Deletes expired data, and reseals with the current key what is under a former one. */
export async function maintain(dependencies: MaintenanceDependencies): Promise<void> {
  const { database, sealing, clock, hasFormerKeys, logger } = dependencies;
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
  await removeStaleRequests(database, new Date(now - dayMs));
  if (!hasFormerKeys) return;
  const counts = [
    await rewrapTable<ConnectionRow>(database, {
      name: 'connections',
      id: 'calendar_id',
      rewrap: sealing.rewrapConnection,
      onUnreadable: (row, error) =>
        logger.error(
          { err: error, calendarId: row.calendar_id },
          'The credentials of a calendar open with no key we have.',
        ),
    }),
    await rewrapTable<BotConfigRow>(database, {
      name: 'bot_configs',
      id: 'config_id',
      rewrap: sealing.rewrapConfig,
      onUnreadable: (row, error) =>
        logger.error({ err: error, configId: row.config_id }, 'A bot configuration opens with no key we have.'),
    }),
  ];
  const rewrapped = counts.reduce((sum, one) => sum + one.rewrapped, 0);
  const unreadable = counts.reduce((sum, one) => sum + one.unreadable, 0);
  if (rewrapped > 0) logger.info({ rewrapped }, 'Secrets of calendars are now sealed with the current secret key.');
  if (rewrapped === 0 && unreadable === 0) logger.info({}, 'No secret of a calendar needs a former secret key.');
}
