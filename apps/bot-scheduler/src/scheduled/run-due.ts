import { endCodeOf, reservedTokensFor } from '@rapporteur/bot-lifecycle';
import type { BotEnd } from '@rapporteur/bot-lifecycle';
import type { Executor } from '@rapporteur/database';
import { Failure, asFailure } from '@rapporteur/failures';
import { mapConcurrently, startPeriodicTask } from '@rapporteur/async';
import type { Repetition } from '@rapporteur/service-runtime';
import { refusalOf } from '../admission/admit-bot.ts';
import { admitAll, insertUncountedBot } from '../admission/admission.store.ts';
import type { NewBot } from '../admission/admission.store.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { callbackOf, duplicateRuleOf, runnerConfigurationOf, transcriptionKeyOf } from '../admission/prepare-bot.ts';
import { lockBot } from '../lifecycle/bots.store.ts';
import { moveBot } from '../lifecycle/move-bot.ts';
import type { LoginClient } from '../service-clients.ts';
import { wantedLogin, reserveLogin } from '../credentials/wanted-login.ts';
import type { LoginFields, ReservedLogin } from '../credentials/wanted-login.ts';
import { neededFields } from '../credentials/split-secrets.ts';
import { metersOf } from '../credentials/bot-meters.ts';
import type { TranscriptionKey } from '../credentials/bot-meters.ts';
import type { StoredRequest } from '../schema/bot-entity.ts';
import type { Context, EventSink } from '../schema/context.ts';
import type { SchedulerCounters } from '../metrics.ts';
import { claimDue, markSpawned, dueParameters, dueRowsSql } from './scheduled.store.ts';
import type { DueBotRow, DueClaim } from './scheduled.store.ts';
import { findDue, leadTimeMs } from './lead-time.ts';
import type { StartPace } from './lead-time.ts';

interface RunningDueDependencies extends DueDependencies, Pick<Context, 'clock' | 'logger'> {
  readonly settings: DueSettings & { readonly sweepMs: number };
  readonly counters: Pick<SchedulerCounters, 'dueBots'>;
  /** The current start rate. */
  readonly pace: () => StartPace;
}

/** Less than the 4 minutes before the join time in which a schedule cannot be changed. */
export const longestLeadMs = 230_000;

/** Creates the bots of due schedules periodically. */
export function startRunningDue(dependencies: RunningDueDependencies): Repetition {
  const { counters, settings, clock, logger } = dependencies;
  const work = async (): Promise<void> => {
    const scheduledLeadMs = await findLead(dependencies);
    const outcome = await runDue({ ...dependencies, settings: { ...settings, scheduledLeadMs } });
    for (const kind of ['admitted', 'refused', 'missed'] as const) {
      if (outcome[kind] > 0) counters.dueBots.inc({ outcome: kind }, outcome[kind]);
    }
    if (outcome.admitted + outcome.refused + outcome.missed > 0) logger.info(outcome, 'Scheduled bots were due.');
  };
  return startPeriodicTask({ what: 'Sending scheduled bots', everyMs: settings.sweepMs, work }, { clock, logger });
}

async function findLead({ database, pace, settings, clock }: RunningDueDependencies): Promise<number> {
  const nowMs = clock.now();
  const due = await findDue(database, nowMs, longestLeadMs);
  return leadTimeMs(due, pace(), { leastMs: settings.scheduledLeadMs, mostMs: longestLeadMs }, nowMs);
}

/** Each bot's login, or its failure. After a retryable failure the bot waits for the next round. */
type DueLogins = ReadonlyMap<string, ReservedLogin | Failure>;

interface DueRow {
  readonly id: string;
  readonly team_id: string;
  readonly request: StoredRequest;
}

const atOnce = 10;

/**
 * Reserves the logins of due scheduled bots before the transaction that creates them: no lock is held meanwhile.
 * From `untilMs` on none is requested: the other bots wait for the next round.
 */
async function reserveDueLogins(
  {
    database,
    logins,
    now,
  }: { readonly database: Executor; readonly logins: LoginClient | null; readonly now: () => number },
  claim: DueClaim,
  untilMs: number,
): Promise<DueLogins> {
  if (claim.withLogin === false) return new Map();
  const rows = await database.query<DueRow>(
    `select id, team_id, request from scheduled_bots where ${dueRowsSql}`,
    dueParameters({ ...claim, withLogin: true }),
  );
  const found = new Map<string, ReservedLogin | Failure>();
  await mapConcurrently(rows, atOnce, async (row) => {
    const place = { botId: row.id, teamId: row.team_id };
    if (now() >= untilMs) return;
    found.set(row.id, await reserveLogin(logins, place, row.request as LoginFields).catch(asFailure));
  });
  return found;
}

export interface DueDependencies extends Pick<Context, 'database' | 'notifyRuns' | 'now' | 'logger'> {
  readonly events: EventSink & { notify(ids: readonly string[]): void };
  readonly settings: DueSettings;
  /** Client of the service that stores logins; null: not deployed. */
  readonly logins: LoginClient | null;
}

export interface DueSettings {
  /** How long before its join time a bot is created, so that its runner is ready in time. */
  readonly scheduledLeadMs: number;
  /** A bot that is late by more than this, because the service was down, does not join. */
  readonly scheduledLateAfterMs: number;
}

/** Outcome of the due bots. waiting: this service has no copy of their team, or no login for them yet. */
export interface DueOutcome {
  readonly admitted: number;
  readonly refused: number;
  readonly missed: number;
  readonly waiting: number;
}

interface BatchOutcome extends Omit<DueOutcome, 'waiting'> {
  readonly waiting: ReadonlySet<string>;
}

const rowsAtOnce = 200;
const mostOneByOne = 10_000;
/** After this no login of the round is requested any more; one that is being requested takes 10 s at most. */
const loginsMs = 10_000;
const nothing: BatchOutcome = { admitted: 0, refused: 0, missed: 0, waiting: new Set() };

/**
 * Creates the bots of every due schedule, under the rules for all bots. A claim and its result commit together: if the
 * scheduler dies, the next one claims the schedule again.
 */
export async function runDue(dependencies: DueDependencies): Promise<DueOutcome> {
  try {
    return await runAll(dependencies);
  } catch (error) {
    if (error instanceof Failure && error.retryable) throw error;
    throw await runOneByOne(dependencies, error);
  }
}

/** Bots that need no login come first: they do not wait for the service that has the logins. */
async function runAll(dependencies: DueDependencies): Promise<DueOutcome> {
  const totals = { admitted: 0, refused: 0, missed: 0 };
  const waiting = new Set<string>();
  for (const withLogin of [false, true]) {
    const loginsUntilMs = dependencies.now() + loginsMs;
    for (let claimed = rowsAtOnce; claimed === rowsAtOnce;) {
      const batch = await runBatch(dependencies, { limit: rowsAtOnce, withLogin, except: [...waiting] }, loginsUntilMs);
      for (const kind of ['admitted', 'refused', 'missed'] as const) totals[kind] += batch[kind];
      for (const id of batch.waiting) waiting.add(id);
      claimed = batch.admitted + batch.refused + batch.missed + batch.waiting.size;
    }
  }
  return { ...totals, waiting: waiting.size };
}

/**
 * Runs schedules one by one, so that one that fails does not affect the others. Returns the error that names the failed
 * ones.
 */
async function runOneByOne(dependencies: DueDependencies, cause: unknown): Promise<Error> {
  const until = new Date(dependencies.now() + dependencies.settings.scheduledLeadMs);
  const due = await dependencies.database.query<{ id: string; team_id: string }>(
    `select id, team_id from scheduled_bots where state = 'scheduled' and spawned_at is null and join_at <= $1
     order by join_at limit $2`,
    [until, mostOneByOne],
  );
  const stuck: string[] = [];
  const loginsUntilMs = dependencies.now() + loginsMs;
  for (const { id, team_id } of due) {
    await runBatch(dependencies, { limit: 1, id }, loginsUntilMs).catch(() => stuck.push(`${id} of team ${team_id}`));
  }
  return new Error(`Scheduled bots cannot be run: ${stuck.slice(0, 10).join(', ')} (${stuck.length} in all).`, {
    cause,
  });
}

async function runBatch(
  dependencies: DueDependencies,
  claim: Omit<DueClaim, 'until'>,
  loginsUntilMs: number,
): Promise<BatchOutcome> {
  const { database, events, settings } = dependencies;
  const at = new Date(dependencies.now());
  const ended: Ending[] = [];
  const reported: string[] = [];
  const until = new Date(at.getTime() + settings.scheduledLeadMs);
  const logins = await reserveDueLogins(dependencies, { until, ...claim }, loginsUntilMs);
  const outcome = await database.transaction(async (transaction) => {
    const rows = await claimDue(transaction, { until, ...claim });
    return rows.length === 0
      ? nothing
      : settle({ transaction, events, ended, reported }, rows, { at, settings, logins });
  });
  if (outcome !== nothing) events.notify(reported);
  if (outcome.admitted > 0) dependencies.notifyRuns();
  for (const { bot, end } of ended) {
    const facts = { botId: bot.id, teamId: bot.teamId, joinAt: bot.joinAt, code: end.code };
    dependencies.logger.warn(facts, `A scheduled bot was not sent: ${end.message}`);
  }
  return outcome;
}

interface Writing {
  readonly transaction: Executor;
  readonly events: EventSink;
  /** Collects bots that do not join. */
  readonly ended: Ending[];
  /** Collects events of new bots. */
  readonly reported: string[];
}

interface Ending {
  readonly bot: NewBot;
  readonly end: BotEnd;
}

/** Decides on claimed schedules, which the transaction has locked, and writes the results. */
async function settle(
  writing: Writing,
  rows: readonly DueBotRow[],
  { at, settings, logins }: { readonly at: Date; readonly settings: DueSettings; readonly logins: DueLogins },
): Promise<BatchOutcome> {
  const { transaction } = writing;
  await lockAccounts(transaction, rows);
  const latest = new Date(at.getTime() - settings.scheduledLateAfterMs);
  const missed = rows
    .filter((row) => row.join_at < latest)
    .map((row) => ({ bot: newBotOf(row, at), end: endOfMissed(row, at) }));
  const inTime = rows.filter((row) => row.join_at >= latest).map((row) => newBotOf(row, at));
  const { ready, withoutLogin, delayed } = giveLogins(inTime, logins);
  const { refused: notAdmitted, waiting: unknown } = await admitInTime(writing, ready);
  const refused = [...withoutLogin, ...notAdmitted];
  const waiting = new Set([...unknown, ...delayed]);
  for (const ending of [...missed, ...refused]) await writeRefused(writing, ending);
  const spawned = rows.filter((row) => !waiting.has(row.id));
  const ids = spawned.map((row) => row.id);
  await markSpawned(transaction, ids, at);
  await forgetUnneeded(transaction, spawned);
  const admitted = inTime.length - refused.length - waiting.size;
  return { admitted, refused: refused.length, missed: missed.length, waiting };
}

/** Bots whose login is not reserved yet wait for the next round. */
function giveLogins(
  bots: readonly NewBot[],
  logins: DueLogins,
): { readonly ready: NewBot[]; readonly withoutLogin: Ending[]; readonly delayed: string[] } {
  const ready: NewBot[] = [];
  const withoutLogin: Ending[] = [];
  const delayed: string[] = [];
  for (const bot of bots) {
    const reserved = logins.get(bot.id);
    if (wantedLogin(bot.request as LoginFields) === null) ready.push(bot);
    else if (reserved === undefined) delayed.push(bot.id);
    else if (!(reserved instanceof Failure))
      ready.push({ ...bot, configuration: { ...bot.configuration, login: reserved.login } });
    else if (reserved.retryable) delayed.push(bot.id);
    else withoutLogin.push({ bot, end: endOf(reserved) });
  }
  return { ready, withoutLogin, delayed };
}

async function admitInTime(
  { transaction, reported }: Writing,
  bots: readonly NewBot[],
): Promise<{ readonly refused: Ending[]; readonly waiting: ReadonlySet<string> }> {
  const admissions = await admitAll(transaction, bots);
  const refused: Ending[] = [];
  const waiting = new Set<string>();
  for (const [index, admission] of admissions.entries()) {
    reported.push(...admission.events);
    const bot = bots[index];
    const failure = bot === undefined ? null : refusalOf(admission, bot);
    if (bot === undefined || failure === null) continue;
    if (failure.retryable) waiting.add(bot.id);
    else refused.push({ bot, end: endOf(failure) });
  }
  return { refused, waiting };
}

/** Locks all accounts by team id before admission locks them one by one, so that two batches cannot deadlock. */
async function lockAccounts(transaction: Executor, rows: readonly DueBotRow[]): Promise<void> {
  const teams = [...new Set(rows.map((row) => row.team_id))];
  await transaction.query('select 1 from token_accounts where team_id = any($1::uuid[]) order by team_id for update', [
    teams,
  ]);
}

function newBotOf(row: DueBotRow, at: Date): NewBot {
  const configuration = runnerConfigurationOf(createBotBody.parse(row.request));
  return {
    id: row.id,
    teamId: row.team_id,
    at,
    link: row.link,
    configuration,
    request: row.request,
    extra: row.extra,
    callback: callbackOf(row.request, { hasSecret: row.secret_fields.includes('callback_secret') }),
    legacy: row.legacy,
    deduplicationKey: row.deduplication_key,
    duplicates: duplicateRuleOf({
      legacy: row.legacy === null ? null : { deduplication_key: row.deduplication_key },
      allow_multiple_bots: row.request['allow_multiple_bots'] !== false,
    }),
    apiKeyId: row.api_key_id,
    created: { at: row.created_at, number: row.number },
    joinAt: row.join_at,
    reservedTokens: reservedTokensFor(metersOf({ configuration, transcriptionKey: keyOf(row) })),
    secrets: [],
  };
}

function keyOf({ request, secret_fields }: DueBotRow): TranscriptionKey {
  return transcriptionKeyOf(request, secret_fields.includes('transcription_api_key'));
}

async function writeRefused(writing: Writing, { bot, end }: Ending): Promise<void> {
  writing.reported.push(...(await insertUncountedBot(writing.transaction, bot)));
  const row = await lockBot(writing.transaction, bot.id);
  const moved = row === null ? null : await moveBot(writing, row, { kind: 'ended', end }, { at: bot.at });
  if (moved?.moved !== true) throw new Error(`Scheduled bot ${bot.id} could not be ended with ${end.code}.`);
  writing.ended.push({ bot, end });
}

/** The failure of creating it now, as the bot's end. */
function endOf({ code, message }: Failure): BotEnd {
  return { code: endCodeOf(code), message, recorded: false };
}

function endOfMissed({ join_at }: DueBotRow, at: Date): BotEnd {
  const lateMinutes = Math.round((at.getTime() - join_at.getTime()) / 60_000);
  const message = `This service was not running at the join time and started ${lateMinutes} minutes later, too late to join.`;
  return { code: 'INTERNAL_ERROR', message, recorded: false };
}

/** A schedule keeps the secrets of disabled features, because a change may enable them; its bot does not. */
async function forgetUnneeded(transaction: Executor, rows: readonly DueBotRow[]): Promise<void> {
  const unneeded = rows.flatMap(({ id, request, secret_fields }) => {
    const needed: ReadonlySet<string> = neededFields(request);
    return secret_fields.filter((field) => !needed.has(field)).map((field) => ({ bot_id: id, field }));
  });
  if (unneeded.length === 0) return;
  await transaction.query(
    `delete from bot_secrets secret using jsonb_to_recordset($1::jsonb) as gone(bot_id uuid, field text)
     where secret.bot_id = gone.bot_id and secret.field = gone.field`,
    [JSON.stringify(unneeded)],
  );
}
