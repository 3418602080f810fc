import { internalCalls } from '@rapporteur/contracts';
import type { CalendarBotResult, CalendarBotsRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { asFailure, fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { readInput, addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import { describeRefusal } from '../admission/batch.ts';
import { createBotBody, calendarOriginOf } from '../schema/create-bot-body.ts';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PreparedBot } from '../admission/prepare-bot.ts';
import type { ScheduledBotRow } from '../schema/entities.ts';
import { forgetSecrets, saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { findCredentialRefusal } from '../credentials/credential-refusal.ts';
import { refuseOwnKeys } from '../credentials/own-keys.ts';
import { refuseLongRetention } from '../credentials/own-retention.ts';
import { insertScheduled, lockScheduled, markCancelled, updateScheduled } from './scheduled.store.ts';
import type { ScheduleDependencies } from './schedule-bot.ts';

export interface CalendarBotDependencies extends ScheduleDependencies {
  /** Makes a started bot leave. Throws BOT_NOT_FOUND and BOT_STATUS. */
  readonly leave: (botId: string, teamId: string) => Promise<unknown>;
}

type CalendarBot = CalendarBotsRequest['bots'][number];
type Outcome = Omit<CalendarBotResult, 'botId'>;

const none = { error: null, current: null } as const;

/** Makes the stored schedule match the calendar. Idempotent. */
export async function applyCalendarBot(
  dependencies: CalendarBotDependencies,
  teamId: string,
  bot: CalendarBot,
): Promise<CalendarBotResult> {
  const { botId } = bot;
  try {
    return { botId, ...(await apply(dependencies, teamId, bot)) };
  } catch (error) {
    const failure = asFailure(error);
    const replaced = await withdraw(dependencies, teamId, { bot, failure }).catch(() => null);
    const outcome = replaced?.outcome ?? (failure.retryable ? 'failed' : 'refused');
    return { botId, outcome, error: describeRefusal(failure), current: replaced?.current ?? null };
  }
}

/**
 * A change that is not applied takes the schedule back that it was to replace: no bot joins at a time or by a link that
 * the event no longer has. Null: there is no such schedule.
 */
async function withdraw(
  { database, now }: CalendarBotDependencies,
  teamId: string,
  { bot: { botId, version, wanted }, failure }: { readonly bot: CalendarBot; readonly failure: Failure },
): Promise<Pick<Outcome, 'outcome' | 'current'> | null> {
  if (wanted === null) return null;
  return await database.transaction(async (transaction) => {
    const row = await lockScheduled(transaction, botId, teamId);
    if (row === null || row.state !== 'scheduled' || versionOf(row) >= version) return null;
    if (row.spawned_at !== null) return { outcome: 'running', current: currentOf(row) };
    const isSame =
      row.join_at.getTime() === Date.parse(wanted.joinAt) && row.meeting_url === wanted.body['meeting_url'];
    if (failure.retryable && isSame) return null;
    await markCancelled(transaction, botId, new Date(now()));
    await forgetSecrets(transaction, botId);
    return { outcome: 'withdrawn', current: null };
  });
}

const versionOf = ({ request }: ScheduledBotRow): number => calendarOriginOf(request)?.version ?? 0;

/** Why no bot can be created from this body; null when one can. Throws only errors that the customer cannot correct. */
export async function checkCalendarBot(
  dependencies: CalendarBotDependencies,
  teamId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<CalendarBotResult['error']> {
  try {
    await prepare(dependencies, teamId, body);
    return null;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.retryable) throw failure;
    return describeRefusal(failure);
  }
}

async function prepare(
  dependencies: CalendarBotDependencies,
  teamId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<PreparedBot> {
  const read = readInput(createBotBody, body);
  const prepared = prepareBot(dependencies, read);
  const refusal: Failure | null = await findCredentialRefusal(dependencies.zoom, teamId, read, 'later');
  if (refusal !== null) throw refusal;
  await refuseOwnKeys(dependencies.database, teamId, prepared.secrets);
  await refuseLongRetention(dependencies.database, teamId, read.retention_hours);
  return prepared;
}

async function apply(dependencies: CalendarBotDependencies, teamId: string, bot: CalendarBot): Promise<Outcome> {
  const { botId, eventId, version, wanted } = bot;
  const calendar = { event_id: eventId, version };
  const prepared = wanted === null ? null : await prepare(dependencies, teamId, { ...wanted.body, calendar });
  const at = new Date(dependencies.now());
  const outcome = await dependencies.database.transaction<Outcome | 'leave'>(async (transaction) => {
    const row = await lockScheduled(transaction, botId, teamId);
    if (row === null) {
      if (wanted === null || prepared === null) return { outcome: 'unknown', ...none };
      await insert({ ...dependencies, transaction }, { botId, teamId, at, joinAt: new Date(wanted.joinAt) }, prepared);
      return { outcome: 'scheduled', ...none };
    }
    if (row.state !== 'scheduled') return ended(row, wanted !== null);
    if (row.spawned_at !== null)
      return wanted === null ? 'leave' : { outcome: 'running', error: null, current: currentOf(row) };
    if (wanted === null || prepared === null) {
      await markCancelled(transaction, botId, at);
      await forgetSecrets(transaction, botId);
      return { outcome: 'cancelled', ...none };
    }
    if (versionOf(row) < version) {
      await updateScheduled(transaction, botId, { ...prepared, joinAt: new Date(wanted.joinAt) }, at);
      await forgetSecrets(transaction, botId);
      const sealed = sealSecrets(dependencies.box, { teamId, botId }, prepared.secrets);
      await saveSecrets(transaction, { teamId, botId }, sealed);
    }
    return { outcome: 'scheduled', ...none };
  });
  return outcome === 'leave' ? await leave(dependencies, botId, teamId) : outcome;
}

interface Insertion {
  readonly botId: string;
  readonly teamId: string;
  readonly at: Date;
  readonly joinAt: Date;
}

async function insert(
  { transaction, box }: Pick<CalendarBotDependencies, 'box'> & { readonly transaction: Executor },
  { botId, teamId, at, joinAt }: Insertion,
  prepared: PreparedBot,
): Promise<void> {
  const [known] = await transaction.query('select 1 from team_limits where team_id = $1', [teamId]);
  if (known === undefined) throw fail('UNAVAILABLE', { message: 'This team is not known to the scheduler yet.' });
  await insertScheduled(transaction, { ...prepared, id: botId, teamId, at, joinAt });
  await saveSecrets(transaction, { teamId, botId }, sealSecrets(box, { teamId, botId }, prepared.secrets));
}

function ended(row: ScheduledBotRow, isWanted: boolean): Outcome {
  if (row.state === 'cancelled') return { outcome: isWanted ? 'stopped' : 'cancelled', ...none };
  return { outcome: 'ended', error: null, current: currentOf(row) };
}

function currentOf({ join_at, meeting_url }: ScheduledBotRow) {
  return { joinAt: join_at.toISOString(), meetingUrl: meeting_url };
}

async function leave(
  { leave: requestLeave }: CalendarBotDependencies,
  botId: string,
  teamId: string,
): Promise<Outcome> {
  try {
    await requestLeave(botId, teamId);
    return { outcome: 'cancelled', ...none };
  } catch (error) {
    const failure = asFailure(error);
    // It ended meanwhile, or is about to end.
    if (failure.code === 'BOT_STATUS' || failure.code === 'BOT_NOT_FOUND') return { outcome: 'ended', ...none };
    throw failure;
  }
}

/** `internalCalls.calendarBots`. */
export function calendarBotRoutes(auth: InternalAuth, dependencies: CalendarBotDependencies): Router {
  const { apply, check } = internalCalls.calendarBots;
  return Router().use(
    serveCall(auth, apply, async ({ teamId, bots }, request) => {
      const results: CalendarBotResult[] = [];
      for (const bot of bots) results.push(await applyCalendarBot(dependencies, teamId, bot));
      addToLog(request, { outcomes: results.map(({ outcome }) => outcome).join(',') });
      return { results };
    }),
    serveCall(auth, check, async ({ teamId, bodies }) => {
      const errors: CalendarBotResult['error'][] = [];
      for (const body of bodies) errors.push(await checkCalendarBot(dependencies, teamId, body));
      return { errors };
    }),
  );
}
