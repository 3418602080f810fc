import { endReasons, hasRecorded, mayLeave } from '@rapporteur/bot-lifecycle';
import { runnerSubjects } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { fail, Failure } from '@rapporteur/failures';
import type { Router } from 'express';
import { servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { BotRow } from '../schema/bot-entity.ts';
import type { BotPlace, Context, EventSink } from '../schema/context.ts';
import { botPlaceOf } from '../schema/context.ts';
import { findAttendingRun } from './commands.store.ts';
import { lockBot, wantRun } from './bots.store.ts';
import { moveBot } from './move-bot.ts';

export type LeaveDependencies = Pick<Context, 'database' | 'events' | 'notifyRunner' | 'now'>;

/**
 * Requests a bot to leave. A bot without a run ends immediately; a run gets the request with its lease and ends through
 * its own reports. Idempotent. Throws BOT_NOT_FOUND and BOT_STATUS.
 */
export async function requestLeave(
  dependencies: LeaveDependencies,
  botId: string,
  teamId: string,
): Promise<{ message: string }> {
  const at = new Date(dependencies.now());
  const outcome = await dependencies.database.transaction(async (transaction) => {
    const bot = await lockBot(transaction, botId);
    if (bot === null || bot.team_id !== teamId) throw fail('BOT_NOT_FOUND');
    if (!mayLeave(bot.phase)) throw refuseLeave(bot);
    await transaction.query(
      'update bots set leave_requested_at = coalesce(leave_requested_at, $2), updated_at = $2 where id = $1',
      [botId, at],
    );
    if (bot.wants_run === null) return 'requested';
    const leaving = { ...bot, leave_requested_at: bot.leave_requested_at ?? at };
    return await leaveUnlaunched({ transaction, events: dependencies.events, at }, leaving);
  });
  if (outcome === 'requested') dependencies.notifyRunner(runnerSubjects.notification(botId));
  else dependencies.events.notify();
  if (outcome === 'cancelled') return { message: 'The bot was cancelled before it joined the meeting.' };
  return { message: 'The bot is leaving the meeting.' };
}

/**
 * Applies a leave request to a bot whose next run is not launched, or not launched again after a failure. The bot is
 * locked. requested: another run of it attends and gets the request.
 */
export async function leaveUnlaunched(
  act: { readonly transaction: Executor; readonly events: EventSink; readonly at: Date },
  bot: BotRow,
): Promise<'requested' | 'cancelled' | 'ended'> {
  const { transaction, at } = act;
  if (bot.moves > 0 && (await findAttendingRun(transaction, bot.id)) !== null) {
    // The next run would only join to leave.
    await transaction.query('update bots set wants_run = null where id = $1', [bot.id]);
    return 'requested';
  }
  const recorded = hasRecorded(bot.phase);
  const code = recorded ? 'API_REQUEST' : 'EXITING_MEETING_BEFORE_RECORD';
  const end = { code, message: endReasons[code].message, recorded } as const;
  const exitedAt = bot.failure === null || bot.joined_at === null ? null : new Date(bot.failure.at);
  const move = await moveBot(act, bot, { kind: 'ended', end }, { at, exitedAt });
  if (!move.moved) throw refuseLeave(bot);
  if (recorded) await wantRun(transaction, bot.id, { mode: 'finalize', dueAt: at });
  return bot.phase === 'queued' ? 'cancelled' : 'ended';
}

function refuseLeave(bot: BotRow) {
  return fail('BOT_STATUS', { message: `Bot ${bot.id} is ${bot.status}; it cannot be asked to leave in this state.` });
}

interface LeaveRouteDependencies extends LeaveDependencies {
  /** Cancels a bot that is scheduled and has not run. Throws BOT_STATUS. */
  readonly cancelScheduled: (place: BotPlace) => Promise<'cancelled' | 'running' | 'unknown'>;
}

/** The API of leave requests. */
export function leaveRoutes(auth: InternalAuth, dependencies: LeaveRouteDependencies): Router {
  return servePublic(auth, {
    leaveBot: async (call) => ({ data: await leaveOrCancel(dependencies, botPlaceOf(call)) }),
  });
}

async function leaveOrCancel(dependencies: LeaveRouteDependencies, place: BotPlace): Promise<{ message: string }> {
  const leave = () => requestLeave(dependencies, place.botId, place.teamId);
  try {
    return await leave();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'BOT_NOT_FOUND') throw error;
    switch (await dependencies.cancelScheduled(place)) {
      case 'cancelled':
        return { message: 'The scheduled bot was cancelled; it will not join.' };
      case 'running':
        // The scheduled bot was started meanwhile.
        return leave();
      case 'unknown':
        throw error;
    }
  }
}
