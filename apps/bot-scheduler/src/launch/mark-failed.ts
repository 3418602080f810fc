import { backoffMs } from '@rapporteur/async';
import {
  delayReasonOf,
  delayReasons,
  endCodeOfFailedRun,
  endReasons,
  hasRecorded,
  mayRejoin,
  startObstacles,
} from '@rapporteur/bot-lifecycle';
import type { BotEnd, EndCode, LifecycleInput, RunExit } from '@rapporteur/bot-lifecycle';
import type { Executor } from '@rapporteur/database';
import { countStartedRuns, findLease, loseLease } from '../lifecycle/leases.store.ts';
import { lockBot, wantRun } from '../lifecycle/bots.store.ts';
import { moveBot } from '../lifecycle/move-bot.ts';
import type { MoveFacts } from '../lifecycle/move-bot.ts';
import type { BotRow, RunFailureRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import { endMovedRun, findPart, lostItsMachine } from '../lifecycle/displace-run.ts';
import type { Context, EventSink } from '../schema/context.ts';

export interface RecoveryDependencies extends Pick<Context, 'database' | 'events' | 'now'> {
  readonly settings: { readonly rejoinsAfterFailure: number };
}

/** What was done about a failed run. nothing: it was over already. moved: its bot continues with another run. */
export type Recovery = 'nothing' | 'moved' | 'launch-again' | 'rejoin' | 'finalize' | 'ended';

/** Maximum number of launches of a bot whose runs sent no report and therefore joined nothing. */
const mostLaunches = 3;
/** A run without an invocation does not count as a launch until its bot is this late. */
const launchWithinMs = 10 * 60_000;
/** Saving is retried for about five hours: storage, its service or this machine may recover. */
const mostFinalizeRuns = 60;
/** Runs that never got an invocation do not count as finalize runs, but they are limited to about a week. */
const mostFinalizeLaunches = 2_000;
const finalizePause = { firstMs: 5_000, longestMs: 300_000 };
const launchAgainAfterMs = 1_000;

export interface FailedRun {
  readonly botId: string;
  readonly attempt: number;
  readonly exit: RunExit | null;
  /** The last renewal that the decision is based on; null: none. A newer renewal prevents it. Absent: not checked. */
  readonly lastRenewedAt?: Date | null;
}

/**
 * Fences a failed run and decides about its bot: launched again when it never began or may rejoin, finalized when
 * something was recorded, else ended with the reason of the failure. One transaction; idempotent.
 */
export async function markFailed(dependencies: RecoveryDependencies, failedRun: FailedRun): Promise<Recovery> {
  const at = new Date(dependencies.now());
  const recovery = await dependencies.database.transaction<Recovery>(async (transaction) => {
    const bot = await lockBot(transaction, failedRun.botId);
    const lease = await findLease(transaction, failedRun.botId, failedRun.attempt);
    if (bot === null || lease === null || (lease.state !== 'launching' && lease.state !== 'held')) return 'nothing';
    if (wasRenewedSince(lease, failedRun.lastRenewedAt)) return 'nothing';
    const part = await findPart(transaction, bot, lease);
    if (part !== 'only') {
      const code = endCodeOfFailedRun(failedRun.exit);
      const failure = { code, at: (lease.renewed_at ?? at).toISOString() };
      const losesMachine = lostItsMachine(lease, failedRun.exit);
      await endMovedRun(transaction, bot, { lease, part, failure, losesMachine, at });
      return 'moved';
    }
    await loseLease(transaction, lease, at);
    const mostRejoins = dependencies.settings.rejoinsAfterFailure;
    const act = { transaction, events: dependencies.events, at, mostRejoins };
    if (lease.mode === 'finalize') return afterFinalizeRun(act, bot);
    const code = lease.state === 'launching' ? 'GENERAL_ERROR' : endCodeOfFailedRun(failedRun.exit);
    // No report of it was applied: its bot is in no meeting, as far as is recorded.
    if (bot.phase === 'queued' && lease.applied_sequence === 0)
      return afterFailedLaunch(act, bot, { code, exit: failedRun.exit });
    return afterAttendance(act, { bot, lease, code, exit: failedRun.exit });
  });
  dependencies.events.notify();
  return recovery;
}

/** A runner may have renewed, or started, between the read of the leases and this lock. */
function wasRenewedSince({ renewed_at }: LeaseRow, lastRenewedAt: Date | null | undefined): boolean {
  if (lastRenewedAt === undefined || renewed_at === null) return false;
  return renewed_at.getTime() > (lastRenewedAt?.getTime() ?? 0);
}

interface Acting {
  readonly transaction: Executor;
  readonly events: EventSink;
  readonly at: Date;
  readonly mostRejoins: number;
}

async function afterFailedLaunch(
  act: Acting,
  bot: BotRow,
  { code, exit }: { readonly code: EndCode; readonly exit: RunExit | null },
): Promise<Recovery> {
  if (bot.leave_requested_at !== null) return end(act, bot, endOf('EXITING_MEETING_BEFORE_RECORD', false));
  const isLate = act.at.getTime() - (bot.join_at ?? bot.created_at).getTime() >= launchWithinMs;
  const launches = isLate ? bot.attempt : await countStartedRuns(act.transaction, bot.id, 'attend');
  if (launches >= mostLaunches) {
    const cause = startObstacles.find((obstacle) => obstacle === exit?.cause);
    const why = cause === undefined ? '' : ` ${delayReasons[delayReasonOf(cause)]}`;
    const message = `The bot could not be started, ${bot.attempt} times in a row.${why}`;
    return end(act, bot, code === 'GENERAL_ERROR' ? { ...endOf(code, false), message } : endOf(code, false));
  }
  const dueAt = new Date(act.at.getTime() + launchAgainAfterMs * bot.attempt);
  await wantRun(act.transaction, bot.id, { mode: 'attend', dueAt });
  return 'launch-again';
}

interface FailedAttendance {
  readonly bot: BotRow;
  readonly lease: LeaseRow;
  readonly code: EndCode;
  readonly exit: RunExit | null;
}

async function afterAttendance(act: Acting, { bot, lease, code, exit }: FailedAttendance): Promise<Recovery> {
  // Its end was reported already and is kept; only saving remains.
  if (bot.phase === 'finalizing' || bot.phase === 'reconciling') return finalizeAgain(act, bot);
  // A run that was to rejoin and sent no report does not change the earlier failure.
  const earlier = lease.applied_sequence === 0 ? bot.failure : null;
  const failure = earlier ?? { code, at: (lease.renewed_at ?? act.at).toISOString() };
  const { phase, rejoins } = bot;
  const leaveRequested = bot.leave_requested_at !== null;
  if (mayRejoin({ phase, rejoins, leaveRequested, exit }, act.mostRejoins)) return rejoin(act, bot, failure);
  const recorded = hasRecorded(phase);
  const exitedAt = bot.joined_at === null ? null : new Date(failure.at);
  const ended = endOf(failure.code, recorded);
  const moved = await move(act, bot, { kind: 'ended', end: ended }, { at: act.at, exitedAt });
  return recorded ? finalizeAgain(act, moved) : 'ended';
}

/** The bot keeps its phase and status: the attendance continues for its customer. */
async function rejoin(act: Acting, bot: BotRow, failure: RunFailureRow): Promise<Recovery> {
  await act.transaction.query('update bots set rejoins = rejoins + 1, failure = $2 where id = $1', [
    bot.id,
    JSON.stringify(failure),
  ]);
  const dueAt = new Date(act.at.getTime() + launchAgainAfterMs * bot.rejoins);
  await wantRun(act.transaction, bot.id, { mode: 'attend', dueAt });
  return 'rejoin';
}

async function afterFinalizeRun(act: Acting, bot: BotRow): Promise<Recovery> {
  const failed = await countStartedRuns(act.transaction, bot.id, 'finalize');
  if (failed < mostFinalizeRuns && bot.finalize_attempts < mostFinalizeLaunches) return finalizeAgain(act, bot);
  const message =
    'What was recorded could not be turned into files: saving it was tried for hours and failed each time.';
  await move(act, bot, { kind: 'recording-lost', message }, { at: act.at });
  return 'ended';
}

async function finalizeAgain(act: Acting, bot: BotRow): Promise<Recovery> {
  const runs = bot.finalize_attempts;
  const pauseMs = runs === 0 ? 0 : backoffMs(runs, finalizePause);
  await wantRun(act.transaction, bot.id, { mode: 'finalize', dueAt: new Date(act.at.getTime() + pauseMs) });
  return 'finalize';
}

async function end(act: Acting, bot: BotRow, reason: BotEnd): Promise<Recovery> {
  await move(act, bot, { kind: 'ended', end: reason }, { at: act.at });
  return 'ended';
}

function endOf(code: EndCode, recorded: boolean): BotEnd {
  return { code, message: endReasons[code].message, recorded };
}

/** The scheduler's own moves are based on the state it has just locked; a refusal is a bug. */
async function move(act: Acting, bot: BotRow, input: LifecycleInput, facts: MoveFacts): Promise<BotRow> {
  const moved = await moveBot(act, bot, input, facts);
  if (!moved.moved) throw new Error(`Bot ${bot.id} refused ${input.kind}: ${moved.why}`);
  return moved.bot;
}
