import type { DelayReason } from '@rapporteur/bot-lifecycle';
import { updateRows } from '@rapporteur/database';
import type { Executor, RowOf } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { RunnerReport } from '@rapporteur/contracts';
import { botEntity } from '../schema/bot-entity.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { botHistoryEntity, ScheduledState } from '../schema/entities.ts';
import type { BotPlace } from '../schema/context.ts';

/** The id and team of a new bot, and the API key of the creating request. */
export interface NewBotPlace extends BotPlace {
  readonly apiKeyId: string | null;
}

/** The bot, locked until the transaction ends, or null. */
export async function lockBot(transaction: Executor, botId: string): Promise<BotRow | null> {
  const [bot] = await transaction.query<BotRow>('select * from bots where id = $1 for update', [botId]);
  return bot ?? null;
}

/** Writes these columns of a bot that the transaction has locked; returns the whole row. */
export async function writeBot(transaction: Executor, botId: string, columns: Partial<BotRow>): Promise<BotRow> {
  const [bot] = await updateRows(transaction, botEntity, { where: { id: botId }, columns });
  if (bot === undefined) throw new Error(`Bot ${botId} vanished while it was locked.`);
  return bot;
}

/** The bot if it belongs to the team, else null. */
export async function findBotOfTeam(executor: Executor, botId: string, teamId: string): Promise<BotRow | null> {
  const [bot] = await executor.query<BotRow>('select * from bots where id = $1 and team_id = $2', [botId, teamId]);
  return bot ?? null;
}

/**
 * The team's bot, locked until the transaction ends. Throws BOT_NOT_FOUND, and BOT_STATUS for a scheduled bot that has
 * not run: `action` completes "it cannot …".
 */
export async function lockBotOfTeam(
  transaction: Executor,
  { botId, teamId }: BotPlace,
  action: string,
): Promise<BotRow> {
  const bot = await lockBot(transaction, botId);
  if (bot !== null && bot.team_id === teamId) return bot;
  const [scheduled] = await transaction.query<{ state: ScheduledState }>(
    'select state from scheduled_bots where id = $1 and team_id = $2',
    [botId, teamId],
  );
  if (scheduled === undefined) throw fail('BOT_NOT_FOUND');
  throw refuseInStatus(botId, scheduled.state, action);
}

/** BOT_STATUS with the common message. */
export function refuseInStatus(botId: string, status: string, action: string): Failure {
  return fail('BOT_STATUS', { message: `Bot ${botId} is ${status}; it cannot ${action} in this state.` });
}

/** Name of the bot's newest run, or null before the first. */
export async function findNewestRunName(executor: Executor, botId: string): Promise<string | null> {
  const [lease] = await executor.query<{ run_name: string }>(
    'select run_name from leases where bot_id = $1 order by attempt desc limit 1',
    [botId],
  );
  return lease?.run_name ?? null;
}

/** When the bot first entered a waiting room, or null. */
export async function findWaitingSince(executor: Executor, botId: string): Promise<Date | null> {
  const [row] = await executor.query<{ at: Date | null }>(
    `select min(at) as at from bot_history where bot_id = $1 and code in ('in_waiting_room', 'in_waiting_for_host')`,
    [botId],
  );
  return row?.at ?? null;
}

/** Why a bot with this status waits; null: unknown, or it does not wait. */
export async function findDelayReason(executor: Executor, botId: string, status: string): Promise<DelayReason | null> {
  const [row] = await executor.query<{ reason: DelayReason | null }>(
    'select delay_reason as reason from bot_history where bot_id = $1 and code = $2 order by sequence desc limit 1',
    [botId, status],
  );
  return row?.reason ?? null;
}

export type HistoryRow = RowOf<typeof botHistoryEntity>;

/** The newest 250 statuses of the bot, in order. */
export function findHistory(executor: Executor, botId: string): Promise<HistoryRow[]> {
  return executor.query<HistoryRow>(
    `select * from (select * from bot_history where bot_id = $1 order by sequence desc limit 250) newest
     order by sequence`,
    [botId],
  );
}

/** When the bot first recorded, or null. */
export async function findRecordingSince(executor: Executor, botId: string): Promise<Date | null> {
  const [row] = await executor.query<{ at: Date | null }>(
    `select coalesce(to_timestamp(min(start_time)), min(at)) as at from bot_history
     where bot_id = $1 and code = 'in_call_recording'`,
    [botId],
  );
  return row?.at ?? null;
}

/** Requests a run of this mode from `dueAt` on. */
export async function wantRun(
  transaction: Executor,
  botId: string,
  wanted: { readonly mode: 'attend' | 'finalize'; readonly dueAt: Date },
): Promise<void> {
  await transaction.query(
    `update bots set wants_run = $2, due_at = $3, finalize_attempts = finalize_attempts + (case when $2 = 'finalize' then 1 else 0 end)
     where id = $1`,
    [botId, wanted.mode, wanted.dueAt],
  );
}

/** Stores the resource usage of a report; a later report replaces an earlier one. */
export async function saveResourceUsage(transaction: Executor, report: RunnerReport): Promise<void> {
  if (report.kind !== 'attendance-ended' && report.kind !== 'recording-stored') return;
  const { resourceUsage, botId } = report;
  if (resourceUsage === undefined) return;
  await transaction.query(
    `update bots set resource_usage = coalesce(resource_usage, '{}'::jsonb) || $2::jsonb where id = $1`,
    [botId, JSON.stringify(resourceUsage)],
  );
}

/** Adds the time of one transcription of the bot's recording. */
export async function addProviderTime(transaction: Executor, botId: string, ms: number): Promise<void> {
  await transaction.query(
    `update bots set resource_usage = coalesce(resource_usage, '{"cpuMs": null, "peakMemoryBytes": null, "uploadedBytes": 0}'::jsonb)
       || jsonb_build_object('providerMs', coalesce((resource_usage->>'providerMs')::bigint, 0) + $2::bigint)
     where id = $1`,
    [botId, ms],
  );
}
