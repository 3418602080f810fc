import type { Database } from '@rapporteur/database';
import { oneByOne, rewrapRows } from '@rapporteur/secret-box';
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
const pageRows = 200;

/** Removes what is long over, and seals with the current key what a former one still wraps. */
export async function maintain(dependencies: MaintenanceDependencies): Promise<void> {
  const { database, clock, hasFormerKeys, logger } = dependencies;
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
  const counts = [await rewrapConnections(dependencies), await rewrapConfigs(dependencies)];
  const rewrapped = counts.reduce((sum, one) => sum + one.rewrapped, 0);
  const unreadable = counts.reduce((sum, one) => sum + one.unreadable, 0);
  if (rewrapped > 0) logger.info({ rewrapped }, 'Secrets of calendars are now sealed with the current secret key.');
  if (rewrapped === 0 && unreadable === 0) logger.info({}, 'No secret of a calendar needs a former secret key.');
}

async function rewrapConnections({ database, sealing, logger }: MaintenanceDependencies) {
  return await rewrapRows<ConnectionRow, { row: ConnectionRow; sealed: Record<string, Buffer> }>({
    pageAfter: (row) =>
      database.query(
        `select * from connections where ($1::uuid is null or calendar_id > $1) order by calendar_id limit ${pageRows}`,
        [row?.calendar_id ?? null],
      ),
    rewrap: (row) => {
      const sealed = sealing.rewrapConnection(row);
      return sealed === null ? null : { row, sealed };
    },
    // What was renewed meanwhile is left to the next time.
    save: oneByOne(async ({ row, sealed }) => {
      const columns = Object.keys(sealed) as (keyof ConnectionRow)[];
      const saved = await database.query(
        `update connections set ${columns.map((name, at) => `${name} = $${at * 2 + 2}`).join(', ')} where calendar_id = $1
           and ${columns.map((name, at) => `${name} = $${at * 2 + 3}`).join(' and ')} returning 1`,
        [row.calendar_id, ...columns.flatMap((name) => [sealed[name], row[name]])],
      );
      return saved.length;
    }),
    onUnreadable: (row, error) =>
      logger.error(
        { err: error, calendarId: row.calendar_id },
        'The credentials of a calendar open with no key we have.',
      ),
  });
}

async function rewrapConfigs({ database, sealing, logger }: MaintenanceDependencies) {
  return await rewrapRows<BotConfigRow, { id: string; sealed: Buffer }>({
    pageAfter: (row) =>
      database.query(
        `select * from bot_configs where ($1::uuid is null or config_id > $1) order by config_id limit ${pageRows}`,
        [row?.config_id ?? null],
      ),
    rewrap: (row) => {
      const sealed = sealing.rewrapConfig(row);
      return sealed === null ? null : { id: row.config_id, sealed };
    },
    save: oneByOne(async ({ id, sealed }) => {
      const saved = await database.query('update bot_configs set sealed = $2 where config_id = $1 returning 1', [
        id,
        sealed,
      ]);
      return saved.length;
    }),
    onUnreadable: (row, error) =>
      logger.error({ err: error, configId: row.config_id }, 'A bot configuration opens with no key we have.'),
  });
}
