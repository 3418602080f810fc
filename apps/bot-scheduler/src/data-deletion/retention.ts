import type { Executor } from '@rapporteur/database';
import type { Service } from '@rapporteur/service-runtime';
import type { Context } from '../schema/context.ts';
import { forgetOldCommands } from '../lifecycle/commands.store.ts';
import { forgetData } from './forget-data.ts';
import { deleteDueObjects } from './delete-objects.ts';
import type { ObjectDeletionDependencies } from './delete-objects.ts';

export type RetentionDependencies = Pick<Context, 'database' | 'events' | 'now'>;

const botsAtOnce = 200;

/**
 * Bots whose retention ended and whose data is not deleted: a partial index is read from its beginning, so the cost is
 * that of the result. The hold is a scalar subquery: PostgreSQL turns `not exists` into a join, for which it sorts all
 * rows of a team. Parameters: the time, and the limit.
 */
export const expiredSql = `
  select expired.id, limits.team_id from team_limits limits cross join lateral (
    select id from bots
    where bots.team_id = limits.team_id and ended_at < $1::timestamptz - limits.retention_days * interval '1 day'
      and ended_at is not null and data_forgotten_at is null
      and (select placed_at from legal_holds where bot_id = bots.id) is null
    order by ended_at, id limit $2) expired
  limit $2`;

/**
 * When a bot's own retention ends, in UTC. The expression of an index: over timestamps without a zone, because adding to
 * one with a zone is not immutable.
 */
const ownEndSql = `(ended_at at time zone 'UTC' + retention_hours * interval '1 hour')`;

/** The same for bots with a retention of their own. */
export const expiredEarlySql = `
  select id, team_id from bots
  where ${ownEndSql} < $1::timestamptz at time zone 'UTC'
    and retention_hours is not null and ended_at is not null and data_forgotten_at is null
    and (select placed_at from legal_holds where bot_id = bots.id) is null
  order by ${ownEndSql} limit $2`;

/** Deletes the data of bots whose own retention or team's ended. Returns the number of bots, at most 400. */
export async function forgetExpired({ database, events, now }: RetentionDependencies): Promise<number> {
  const at = new Date(now());
  const found: { readonly id: string; readonly team_id: string }[] = [];
  for (const sql of [expiredSql, expiredEarlySql])
    found.push(...(await database.query<(typeof found)[0]>(sql, [at, botsAtOnce])));
  const expired = [...new Map(found.map((bot) => [bot.id, bot])).values()];
  for (const { id, team_id } of expired) {
    await database.transaction((transaction) =>
      forgetData(transaction, { botId: id, teamId: team_id }, { events, at }),
    );
  }
  if (expired.length > 0) events.notify();
  return expired.length;
}

/** When the retention deletes the data of a bot; null while it runs, under a legal hold, and after the deletion. */
export async function findExpiry(database: Executor, botId: string): Promise<Date | null> {
  const [found] = await database.query<{ expires_at: Date }>(
    `select least(ended_at + retention_days * interval '1 day', ${ownEndSql} at time zone 'UTC') as expires_at
     from bots join team_limits on team_limits.team_id = bots.team_id
     where id = $1 and ended_at is not null and data_forgotten_at is null
       and not exists (select from legal_holds where bot_id = id)`,
    [botId],
  );
  return found?.expires_at ?? null;
}

/** Commands contain chat messages; their result is needed for seconds only. */
const commandsKeptMs = 3_600_000;

/** Deletes expired data, and objects whose deletion is not confirmed, until the service stops. */
export function startDataMaintenance(
  service: Pick<Service, 'repeat'>,
  dependencies: ObjectDeletionDependencies,
  everyMs: number,
): void {
  const { database, events, now } = dependencies;
  // Independent jobs: unavailable storage must not delay the deletion of chat messages.
  const jobs: [string, () => Promise<unknown>][] = [
    ['Forgetting data past its retention', () => forgetExpired({ database, events, now })],
    ['Deleting stored objects', () => deleteDueObjects(dependencies)],
    ['Forgetting old commands', () => forgetOldCommands(database, new Date(now() - commandsKeptMs))],
  ];
  for (const [what, work] of jobs) service.repeat({ what, everyMs, work });
}
