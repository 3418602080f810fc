import type { Executor } from '@rapporteur/database';
import type { GrantEndRow } from '../schema/entities.ts';
import type { StorageClient } from '../service-clients.ts';
import type { Context } from '../schema/context.ts';

export interface EndedBot {
  readonly botId: string;
  readonly teamId: string;
}

/** Time for uploads after the end that a runner reported: its last files, and those that wait for storage. */
const runnerGraceMs = 600_000;
const botsAtOnce = 500;

/**
 * Ends the leases of a bot that no longer needs its runner, and schedules the end of its upload grants: after ten
 * minutes when a runner still holds a lease, which has reported its end and completes its uploads; at once when its
 * runner failed or was fenced.
 */
export async function endLeases(transaction: Executor, { botId, teamId }: EndedBot, at: Date): Promise<void> {
  await transaction.query(
    `with done as (
       update leases set state = 'done', ended_at = $3 where bot_id = $1 and state in ('launching', 'held') returning bot_id)
     insert into grant_ends (bot_id, team_id, due_at)
     select $1, $2, case when exists (select from done) then $4::timestamptz else $3::timestamptz end
     where exists (select from leases where bot_id = $1)
     on conflict (bot_id) do nothing`,
    [botId, teamId, at, new Date(at.getTime() + runnerGraceMs)],
  );
}

export interface GrantEndDependencies extends Pick<Context, 'database' | 'now'> {
  /** Has storage-config refuse every further write of these bots' runners. */
  readonly endGrants: StorageClient['endGrants'];
}

/**
 * Ends the grants that are due. Those that storage does not confirm stay due. Throws UNAVAILABLE. Returns the number of
 * bots.
 */
export async function endDueGrants({ database, endGrants, now }: GrantEndDependencies): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await database.query<GrantEndRow>(
      'select bot_id, team_id from grant_ends where due_at <= $1 order by due_at limit $2',
      [new Date(now()), botsAtOnce],
    );
    if (due.length === 0) return ended;
    await endGrants({ bots: due.map(({ bot_id: botId, team_id: teamId }) => ({ botId, teamId })) });
    await database.query('delete from grant_ends where bot_id = any($1)', [due.map((row) => row.bot_id)]);
    ended += due.length;
  }
}
