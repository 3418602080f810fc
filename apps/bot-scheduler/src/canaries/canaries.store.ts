import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { CanaryRunRow } from '../schema/entities.ts';
import type { Canary } from './read-canaries.ts';
import type { Judgement } from './judge-canary.ts';

/** Makes the table hold the canaries of the configuration; a new one is due soon, spread over its first minute. */
export async function saveCanaries(executor: Executor, canaries: readonly Canary[], at: Date): Promise<void> {
  const names = canaries.map(({ name }) => name);
  await executor.query('delete from canaries where not name = any($1)', [names]);
  await executor.query(
    `insert into canaries (name, due_at) select name, $2::timestamptz + random() * least(60, seconds) * interval '1 second'
     from unnest($1::text[], $3::int[]) as one(name, seconds) on conflict (name) do nothing`,
    [names, at, canaries.map(({ interval_seconds }) => interval_seconds)],
  );
}

/** Names of due canaries, the longest due first, locked until the transaction ends. Canaries start one after another. */
export async function claimDueCanaries(transaction: Executor, at: Date): Promise<string[]> {
  const rows = await transaction.query<{ name: string }>(
    'select name from canaries where due_at <= $1 order by due_at, name for update',
    [at],
  );
  return rows.map(({ name }) => name);
}

/** Fails where a canary of the platform runs: `findBusyPlatforms` names them. */
export async function insertCanaryRun(
  transaction: Executor,
  run: { readonly botId: string; readonly canary: Canary; readonly at: Date },
): Promise<void> {
  const { botId, canary, at } = run;
  await transaction.query(
    'insert into canary_runs (bot_id, canary, platform, login_team_id, started_at) values ($1, $2, $3, $4, $5)',
    [botId, canary.name, canary.platform, canary.login?.team_id ?? null, at],
  );
}

/** Platforms on which a canary runs. */
export async function findBusyPlatforms(executor: Executor): Promise<Set<MeetingPlatformName>> {
  const rows = await executor.query<{ platform: MeetingPlatformName }>(
    'select platform from canary_runs where ended_at is null',
  );
  return new Set(rows.map(({ platform }) => platform));
}

/** Up to a twentieth of the interval earlier or later, so that canaries of several deployments do not run in step. */
export async function postponeCanary(
  transaction: Executor,
  { name, interval_seconds }: Canary,
  at: Date,
): Promise<void> {
  await transaction.query(
    `update canaries set due_at = $2::timestamptz + $3::int * (0.95 + random() * 0.1) * interval '1 second' where name = $1`,
    [name, at, interval_seconds],
  );
}

/** @returns whether there is such a canary */
export async function makeCanaryDue(executor: Executor, name: string, at: Date): Promise<boolean> {
  const rows = await executor.query('update canaries set due_at = least(due_at, $2) where name = $1 returning name', [
    name,
    at,
  ]);
  return rows.length === 1;
}

/** Sooner than at the next interval: a second failure raises the alert. */
export async function confirmSoon(transaction: Executor, { name, interval_seconds }: Canary, at: Date): Promise<void> {
  await transaction.query(
    `update canaries set due_at = least(due_at, $2::timestamptz + $3::int * interval '0.1 second') where name = $1`,
    [name, at, interval_seconds],
  );
}

/** The outcome of the last run before this one that checked the page; null: there was none. */
export async function findOutcomeBefore(
  executor: Executor,
  { canary, started_at }: Pick<CanaryRunRow, 'canary' | 'started_at'>,
): Promise<CanaryRunRow['outcome']> {
  const [row] = await executor.query<Pick<CanaryRunRow, 'outcome'>>(
    `select outcome from canary_runs where canary = $1 and started_at < $2 and outcome <> 'skipped'
     order by started_at desc limit 1`,
    [canary, started_at],
  );
  return row?.outcome ?? null;
}

export function findOpenRuns(executor: Executor): Promise<CanaryRunRow[]> {
  return executor.query<CanaryRunRow>('select * from canary_runs where ended_at is null');
}

/** @returns false when another replica has ended it */
export async function endCanaryRun(
  transaction: Executor,
  botId: string,
  { outcome, failedStep, result }: Judgement,
  at: Date,
): Promise<boolean> {
  const rows = await transaction.query(
    `update canary_runs set ended_at = $2, outcome = $3, failed_step = $4, result = $5::jsonb
     where bot_id = $1 and ended_at is null returning bot_id`,
    [botId, at, outcome, failedStep, JSON.stringify(result)],
  );
  return rows.length === 1;
}

/** The newest runs of each canary, the newest first. */
export function findNewestRuns(executor: Executor, most: number): Promise<CanaryRunRow[]> {
  return executor.query<CanaryRunRow>(
    `select runs.* from canaries, lateral (
       select * from canary_runs where canary = canaries.name order by started_at desc limit $1) runs
     order by runs.canary, runs.started_at desc`,
    [most],
  );
}

const runsKept = 100;
const botsAtOnce = 100;

/**
 * Deletes runs beyond the newest 100 of each canary with their bots, once nothing of these bots is stored any more.
 */
export async function forgetCanaryRuns(transaction: Executor): Promise<void> {
  const rows = await transaction.query<{ bot_id: string }>(
    `select placed.bot_id from (
       select bot_id, row_number() over (partition by canary order by started_at desc) as place
       from canary_runs where ended_at is not null) placed
     join bots on bots.id = placed.bot_id
     where place > $1 and ended_at is not null and artifacts_deleted
       and not exists (select from grant_ends where grant_ends.bot_id = placed.bot_id)
     limit $2`,
    [runsKept, botsAtOnce],
  );
  const ids = rows.map(({ bot_id }) => bot_id);
  if (ids.length === 0) return;
  for (const table of ['canary_runs', 'bot_history', 'bot_commands', 'bot_screenshots', 'bot_access', 'bot_secrets'])
    await transaction.query(`delete from ${table} where bot_id = any($1)`, [ids]);
  for (const table of ['reported_chat', 'launch_tickets', 'run_ends', 'leases', 'legal_holds'])
    await transaction.query(`delete from ${table} where bot_id = any($1)`, [ids]);
  await transaction.query('delete from bots where id = any($1)', [ids]);
}
