import type { Executor } from '@rapporteur/database';
import type { BotRow } from '../schema/rows.ts';

/** The bot, locked until the transaction ends, or null. */
export async function lockBot(transaction: Executor, botId: string): Promise<BotRow | null> {
  const [bot] = await transaction.query<BotRow>('select * from bots where id = $1 for update', [botId]);
  return bot ?? null;
}

/** The bot if it belongs to the team, else null: another team's bot looks like none. */
export async function findBotOfTeam(executor: Executor, botId: string, teamId: string): Promise<BotRow | null> {
  const [bot] = await executor.query<BotRow>('select * from bots where id = $1 and team_id = $2', [botId, teamId]);
  return bot ?? null;
}

/** When the bot first stood in a waiting room, or null. */
export async function findWaitingSince(executor: Executor, botId: string): Promise<Date | null> {
  const [row] = await executor.query<{ at: Date | null }>(
    `select min(at) as at from bot_history where bot_id = $1 and code in ('in_waiting_room', 'in_waiting_for_host')`,
    [botId],
  );
  return row?.at ?? null;
}

/** Asks for a run of this mode from `dueAt` on. */
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
