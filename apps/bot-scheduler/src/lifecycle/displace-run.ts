import { mayMove } from '@rapporteur/bot-lifecycle';
import type { RunEndCause, RunExit } from '@rapporteur/bot-lifecycle';
import { runnerSubjects, internalCalls } from '@rapporteur/contracts';
import type { AttendanceEnd } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { BotRow, RunFailureRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import type { Context } from '../schema/context.ts';
import { findActiveLeases, loseLease } from './leases.store.ts';
import { lockBot, wantRun } from './bots.store.ts';

export type DisplaceDependencies = Pick<Context, 'database' | 'notifyRunner' | 'now'>;

/** displaced: the next run is launched. already: it is in progress. not-attending: there is no meeting to stay in. */
export type Displacement = 'displaced' | 'already' | 'not-attending' | 'unknown';

/**
 * Launches another run of a bot whose run still attends. Both write the same recording until the new one records; then
 * the displaced one leaves. `attempt`: only this run, and only once; null: any attending run, also after its
 * replacement failed.
 */
export async function displaceRun(
  { database, notifyRunner, now }: DisplaceDependencies,
  { botId, attempt }: { readonly botId: string; readonly attempt: number | null },
): Promise<Displacement> {
  const at = new Date(now());
  const displacement = await database.transaction<Displacement>(async (transaction) => {
    const bot = await lockBot(transaction, botId);
    if (bot === null) return 'unknown';
    // A replaced run has left the meeting and stores what it holds.
    const attending = (await findActiveLeases(transaction, botId)).filter(({ replaced_at }) => replaced_at === null);
    const [lease, ...others] = attending;
    if (others.length > 0 || bot.wants_run !== null) return 'already';
    const { phase } = bot;
    const attends = lease?.state === 'held' && lease.mode === 'attend' && (attempt ?? lease.attempt) === lease.attempt;
    if (!attends || !mayMove({ phase, leaveRequested: bot.leave_requested_at !== null })) return 'not-attending';
    if (attempt !== null && lease.displaced_at !== null) return 'already';
    await transaction.query('update leases set displaced_at = $3 where bot_id = $1 and attempt = $2', [
      botId,
      lease.attempt,
      at,
    ]);
    await transaction.query('update bots set moves = moves + 1 where id = $1', [botId]);
    await wantRun(transaction, botId, { mode: 'attend', dueAt: at });
    return 'displaced';
  });
  if (displacement === 'displaced') notifyRunner(runnerSubjects.notification(botId));
  return displacement;
}

/**
 * The role of a run for its bot. only: there is no other. displaced: its replacement is pending or launched. replacing:
 * it is the replacement and does not record yet. replaced: its replacement records.
 */
export type RunPart = 'only' | 'displaced' | 'replacing' | 'replaced';

/** `bot` must be locked. */
export async function findPart(transaction: Executor, bot: BotRow, lease: LeaseRow): Promise<RunPart> {
  if (bot.moves === 0) return 'only';
  if (lease.replaced_at !== null) return 'replaced';
  const others = await findActiveLeases(transaction, bot.id);
  if (others.some(({ attempt, replaced_at }) => attempt < lease.attempt && replaced_at === null)) return 'replacing';
  const isAwaited = bot.wants_run === 'attend' || others.some(({ attempt }) => attempt > lease.attempt);
  return lease.displaced_at !== null && isAwaited ? 'displaced' : 'only';
}

/**
 * The run records: earlier runs leave the meeting. If the bot is paused, this run is lost instead, because the pause is
 * not passed to it.
 */
export async function takeOver(transaction: Executor, bot: BotRow, lease: LeaseRow, at: Date): Promise<void> {
  if (bot.phase === 'paused') return loseLease(transaction, lease, at);
  await transaction.query(
    `update leases set replaced_at = $3 where bot_id = $1 and attempt < $2 and state = 'held' and replaced_at is null`,
    [bot.id, lease.attempt, at],
  );
}

/** Called before a displaced run ends the attendance itself: cancels its replacement. */
export async function callOffReplacement(transaction: Executor, bot: BotRow, lease: LeaseRow, at: Date): Promise<void> {
  await transaction.query(`update bots set wants_run = null where id = $1 and wants_run = 'attend'`, [bot.id]);
  for (const other of await findActiveLeases(transaction, bot.id))
    if (other.attempt > lease.attempt) await loseLease(transaction, other, at);
}

export interface MovedRunEnd {
  readonly lease: LeaseRow;
  readonly part: RunPart;
  /** The bot's end reason if the replacement is not admitted. */
  readonly failure: RunFailureRow;
  /** Whether its machine goes, which says nothing about the meeting: another replacement is launched. */
  readonly losesMachine: boolean;
  readonly at: Date;
}

/** Ends one of two runs of a bot that continues. */
export async function endMovedRun(
  transaction: Executor,
  bot: BotRow,
  { lease, part, failure, losesMachine, at }: MovedRunEnd,
): Promise<void> {
  await loseLease(transaction, lease, at);
  const continues = mayMove({ phase: bot.phase, leaveRequested: bot.leave_requested_at !== null });
  if (part === 'replacing' && losesMachine && continues)
    await wantRun(transaction, bot.id, { mode: 'attend', dueAt: at });
  if (part === 'displaced' && bot.failure === null)
    await transaction.query('update bots set failure = $2 where id = $1', [bot.id, JSON.stringify(failure)]);
}

const machineCauses: ReadonlySet<RunEndCause | undefined> = new Set([
  'evicted',
  'preempted',
  'terminated',
  'node-lost',
]);

/** Whether a run that failed lost its machine. A pod that is evicted before its container starts is only gone. */
export function lostItsMachine({ state }: Pick<LeaseRow, 'state'>, exit: RunExit | null): boolean {
  return machineCauses.has(exit?.cause) || (state === 'launching' && exit?.cause === 'killed');
}

/** Whether a displaced run ends because of its machine, not because of the meeting or a request. */
export function endsForItsMachine({ code }: Pick<AttendanceEnd, 'code'>): boolean {
  return code === 'SIGTERM';
}

type BotMoveDependencies = DisplaceDependencies & Pick<Context, 'notifyRuns'>;

/** `internalCalls.operators.moveBot`: another run replaces the bot's current one. */
export function botMoveRoutes(auth: InternalAuth, dependencies: BotMoveDependencies): Router {
  return serveCall(auth, internalCalls.operators.moveBot, async ({ botId }, request) => {
    const displacement = await displaceRun(dependencies, { botId, attempt: null });
    addToLog(request, { displacement });
    if (displacement === 'unknown') throw fail('BOT_NOT_FOUND');
    if (displacement === 'not-attending')
      throw fail('BOT_STATUS', {
        message: `Bot ${botId} attends no meeting, or its recording is paused; it cannot be moved.`,
      });
    if (displacement === 'displaced') dependencies.notifyRuns();
    const [bot] = await dependencies.database.query<{ team_id: string }>('select team_id from bots where id = $1', [
      botId,
    ]);
    return { success: true as const, teamId: bot?.team_id };
  });
}
