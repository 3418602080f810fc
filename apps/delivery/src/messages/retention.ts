import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';

export interface RetentionDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retentionDays: number;
}

const everyMs = 3_600_000;
const batch = 1_000;
const dayMs = 24 * 3_600_000;
/** Longer than an event can live on the bus, so that a late redelivery still finds its row. */
const inboxDays = 14;

/** Fails deliveries that were held too long, then deletes old messages without pending deliveries. */
export async function applyRetention({ database, clock, logger, retentionDays }: RetentionDependencies): Promise<void> {
  const before = new Date(clock.now() - retentionDays * dayMs);
  const givenUp = await inBatches(
    database,
    `update deliveries set state = 'failed', settled_at = $2, last_error = $3
      where (endpoint_id, message_id) in (
        select endpoint_id, message_id from deliveries where state = 'held' and created_at < $1
         limit ${batch} for update skip locked)
     returning message_id`,
    [before, new Date(clock.now()), `The endpoint stayed disabled for ${retentionDays} days: the message was dropped.`],
  );
  if (givenUp > 0)
    logger.warn({ count: givenUp, retentionDays }, 'Messages of endpoints that stayed disabled were dropped.');
  await inBatches(
    database,
    `delete from inbox where (consumer, event_id) in (
       select consumer, event_id from inbox where handled_at < $1 limit ${batch} for update skip locked)
     returning event_id`,
    [new Date(clock.now() - inboxDays * dayMs)],
  );
  await inBatches(
    database,
    `delete from forgotten_bots where bot_id in (
       select bot_id from forgotten_bots where forgotten_at < $1 limit ${batch} for update skip locked)
     returning bot_id`,
    [new Date(clock.now() - inboxDays * dayMs)],
  );
  await inBatches(
    database,
    `delete from messages where message_id in (
       select message_id from messages as m where created_at < $1
          and not exists (select 1 from deliveries as d
                           where d.message_id = m.message_id and (d.settled_at is null or d.settled_at >= $1))
        order by created_at limit ${batch} for update skip locked)
     returning message_id`,
    [before],
  );
  await inBatches(
    database,
    `delete from webhook_endpoints where endpoint_id in (
       select endpoint_id from webhook_endpoints as e where owner_id is not null and created_at < $1
          and not exists (select 1 from deliveries as d where d.endpoint_id = e.endpoint_id)
        order by created_at limit ${batch} for update skip locked)
     returning endpoint_id`,
    [before],
  );
}

/** Repeats a statement that processes at most `batch` rows until none is left; returns the number of rows. */
async function inBatches(database: Database, sql: string, parameters: readonly unknown[]): Promise<number> {
  for (let total = 0; ;) {
    const rows = await database.query(sql, parameters);
    total += rows.length;
    if (rows.length < batch) return total;
  }
}

/** Runs hourly until stopped. */
export function keepRetention(dependencies: RetentionDependencies): Repetition {
  const task = { what: 'Removing old webhook messages', everyMs, work: () => applyRetention(dependencies) };
  return startPeriodicTask(task, dependencies);
}
