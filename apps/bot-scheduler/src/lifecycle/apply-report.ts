import { endCodeOf, endOfRejoinedBot, endReasons, hasRecorded } from '@rapporteur/bot-lifecycle';
import {
  botCaptionsStatus,
  botChatMessage,
  botChatStatus,
  runnerReport,
  runnerReportHeader,
} from '@rapporteur/contracts';
import type { BotEnd, FinalOutcome } from '@rapporteur/bot-lifecycle';
import type { AttendanceEnd, EventOrder, RunnerReport, RunnerReportHeader } from '@rapporteur/contracts';
import { afterCommit, isDataException, storableText, withStorableText } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { calendarOriginOf } from '../schema/calendar-origin.ts';
import { callOffReplacement, endMovedRun, endsForItsMachine, findPart, takeOver } from './displace-run.ts';
import { addScreenshot } from './screenshots.store.ts';
import { findLease, markApplied } from './leases.store.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import { lockBot } from './bots.store.ts';
import { moveBot } from './move-bot.ts';
import type { EventSink, Move, MoveFacts } from './move-bot.ts';
import { savePagePackReport } from './page-pack-report.store.ts';
import { saveResourceUsage } from './resource-usage.store.ts';
import { nextEventOrders } from './event-order.ts';
import { failureEvidenceOf } from './failure-evidence.ts';

export interface ReportDependencies {
  readonly database: Database;
  readonly events: EventSink & { notify(): void };
  readonly now: () => number;
  /** Default provider for a recording whose bot names none. */
  readonly defaultProvider?: string;
  /** Called after the commit of a report that changed its bot. */
  readonly onApplied?: (report: RunnerReport, bot: BotRow) => void;
}

/**
 * Outcome of a report. applied: stored. unstorable: the database can never store it, so it counts as applied.
 * duplicate: applied before. gap: an earlier report is missing; the runner resends both. fenced: its runner no longer
 * holds the lease. unknown: the bot does not exist.
 */
export type ReportOutcome =
  | {
      readonly kind: 'applied';
      readonly teamId: string;
      /** Why the lifecycle refused the move; null: it was made. */
      readonly refusal: string | null;
      /** The end of the bot by this report; null: the bot continues. */
      readonly final: FinalOutcome | null;
    }
  | { readonly kind: 'unstorable'; readonly teamId: string; readonly error: unknown }
  | { readonly kind: 'duplicate' | 'gap' | 'fenced' | 'unknown' };

/** A parsed message of the bus. unreadable: it has a valid header, but a body that this build cannot read. */
export type ReadReport =
  | { readonly kind: 'report'; readonly report: RunnerReport }
  | { readonly kind: 'unreadable'; readonly report: RunnerReportHeader; readonly error: unknown };

/** Parses a message of the bus as a storable report. Throws a ZodError when its header is invalid. */
export function readReport(message: unknown): ReadReport {
  const storable = withStorableText(message);
  const read = runnerReport.safeParse(storable);
  if (read.success) return { kind: 'report', report: read.data };
  return { kind: 'unreadable', report: runnerReportHeader.parse(storable), error: read.error };
}

/**
 * Counts an unreadable report as applied: otherwise it would be resent forever and block every later report of its bot.
 */
export function skipReport(
  { database }: Pick<ReportDependencies, 'database'>,
  header: RunnerReportHeader,
  error: unknown,
): Promise<ReportOutcome> {
  return applyInOrder(database, header, async (_transaction, { team_id: teamId }) => ({
    kind: 'unstorable',
    teamId,
    error,
  }));
}

/**
 * Applies one report exactly once and in sequence, in one transaction. A move that the lifecycle refuses counts as
 * applied, and so does a report that the database rejects as data: otherwise it would be resent forever and block later
 * reports.
 */
export async function applyReport(dependencies: ReportDependencies, report: RunnerReport): Promise<ReportOutcome> {
  const apply = async (transaction: Executor, bot: BotRow, lease: LeaseRow): Promise<ReportOutcome> => {
    const applying: Applying = {
      transaction,
      events: dependencies.events,
      at: new Date(dependencies.now()),
      ...(dependencies.defaultProvider === undefined ? {} : { defaultProvider: dependencies.defaultProvider }),
    };
    const counts = await countsForBot(applying, { bot, lease, report });
    const move = counts ? await applyKind(applying, bot, report) : unmoved(bot);
    if (move.moved) {
      await saveResourceUsage(transaction, report);
      await savePagePackReport(transaction, bot, report, applying.at);
      afterCommit(transaction, () => dependencies.onApplied?.(report, bot));
    }
    return {
      kind: 'applied',
      teamId: bot.team_id,
      refusal: move.moved ? null : move.why,
      final: move.moved ? move.final : null,
    };
  };
  const outcome = await applyInOrder(dependencies.database, report, apply).catch((error: unknown) => {
    if (!isDataException(error)) throw error;
    return skipReport(dependencies, report, error);
  });
  if (outcome.kind === 'applied') dependencies.events.notify();
  return outcome;
}

/** Runs `work` in one transaction if this report is the next one of its lease, and records it as applied. */
function applyInOrder(
  database: Database,
  report: RunnerReportHeader,
  work: (transaction: Executor, bot: BotRow, lease: LeaseRow) => Promise<ReportOutcome>,
): Promise<ReportOutcome> {
  return database.transaction<ReportOutcome>(async (transaction) => {
    const bot = await lockBot(transaction, report.botId);
    if (bot === null) return { kind: 'unknown' };
    const lease = await findLease(transaction, report.botId, report.attempt);
    const place = placeInOrder(lease, report);
    if (lease === null || place === 'fenced') return { kind: 'fenced' };
    if (place !== 'next') return { kind: place };
    // The bot has ended and the lease is done: later reports are acknowledged and change nothing.
    const outcome: ReportOutcome = lease.state === 'done' ? { kind: 'duplicate' } : await work(transaction, bot, lease);
    await markApplied(transaction, lease, report.sequence);
    return outcome;
  });
}

function placeInOrder(lease: LeaseRow | null, report: RunnerReportHeader): 'fenced' | 'duplicate' | 'gap' | 'next' {
  if (lease === null || lease.fencing !== report.fencing) return 'fenced';
  if (report.sequence <= lease.applied_sequence) return 'duplicate';
  if (lease.state !== 'held' && lease.state !== 'done') return 'fenced';
  return report.sequence > lease.applied_sequence + 1 ? 'gap' : 'next';
}

interface Applying {
  readonly transaction: Executor;
  readonly events: EventSink;
  readonly at: Date;
  readonly defaultProvider?: string;
}

/**
 * While a bot is moved, two runs report on one attendance: only reports of the recording run are used, but for the chat,
 * of which each of them may have read what the other one has not.
 */
async function countsForBot(
  { transaction, at }: Applying,
  { bot, lease, report }: { bot: BotRow; lease: LeaseRow; report: RunnerReport },
): Promise<boolean> {
  const part = await findPart(transaction, bot, lease);
  if (part === 'only') return true;
  const failure = { code: 'SIGTERM', at: at.toISOString() } as const;
  switch (report.kind) {
    case 'attendance-ended': {
      const losesMachine = endsForItsMachine(report.end);
      if (part !== 'displaced' || losesMachine) {
        await endMovedRun(transaction, bot, { lease, part, failure, losesMachine, at });
        return false;
      }
      await callOffReplacement(transaction, bot, lease, at);
      return true;
    }
    case 'status':
      if (part === 'replacing' && report.code === 'in_call_recording') await takeOver(transaction, bot, lease, at);
      return part !== 'replaced';
    case 'participants':
      return part === 'displaced';
    default:
      return true;
  }
}

async function applyKind(applying: Applying, bot: BotRow, report: RunnerReport): Promise<Move> {
  const facts: MoveFacts = { at: applying.at };
  switch (report.kind) {
    case 'status': {
      const startTime = report.startTime === undefined ? {} : { startTime: report.startTime };
      const joinedAt = report.code === 'in_call_not_recording' ? { joinedAt: new Date(report.at) } : {};
      const waiting = report.pageRecognised === false ? { delayReason: 'page_not_recognised' as const } : {};
      const input = { kind: 'status', code: report.code, ...startTime, ...waiting } as const;
      return moveBot(applying, bot, input, { ...facts, ...joinedAt });
    }
    case 'participants':
      return saveParticipants(applying, bot, report);
    case 'attendance-ended':
      return endAttendance(applying, bot, report.end);
    case 'recording-stored':
      await saveIntegrity(applying.transaction, bot.id, report.quality);
      return moveBot(
        applying,
        bot,
        { kind: 'recording-stored' },
        {
          ...facts,
          ...(applying.defaultProvider === undefined ? {} : { defaultProvider: applying.defaultProvider }),
          artifacts: report.artifacts,
          durationMs: report.durationMs,
          ...participantsUnlessEmpty(report),
        },
      );
    case 'recording-lost':
      return moveBot(
        applying,
        bot,
        { kind: 'recording-lost', message: sentence(report.message) },
        { ...facts, ...(report.artifacts === undefined ? {} : { artifacts: report.artifacts }) },
      );
    case 'upload-failed':
      await applying.transaction.query('update bots set upload_failure = $2 where id = $1', [
        bot.id,
        sentence(report.message),
      ]);
      return unmoved(bot);
    case 'chat-message':
      return reportChatMessage(applying, bot, report);
    case 'chat-status':
      return reportChatStatus(applying, bot, report);
    case 'captions-status':
      return reportCaptionsStatus(applying, bot, report);
    case 'screenshot':
      await addScreenshot(applying.transaction, bot.id, { key: report.key, takenAt: new Date(report.takenAt) });
      return unmoved(bot);
  }
}

function unmoved(bot: BotRow): Move {
  return { moved: true, bot, final: null };
}

/** Written before the move, whose event contains it. */
async function saveIntegrity(
  transaction: Executor,
  botId: string,
  quality: Extract<RunnerReport, { kind: 'recording-stored' }>['quality'],
): Promise<void> {
  if (quality === undefined) return;
  const { gapMs, gapReason = null, videoMissingMs = null, videoMissingReason = null } = quality;
  const summary = JSON.stringify({ gapMs, gapReason, videoMissingMs, videoMissingReason });
  await transaction.query('update bots set integrity = $2 where id = $1', [botId, summary]);
}

async function saveOrder({ transaction, at }: Applying, bot: BotRow, event: string): Promise<EventOrder | null> {
  const [order = null] = nextEventOrders(bot, [event], at);
  await transaction.query('update bots set event_order = $2::jsonb where id = $1', [bot.id, JSON.stringify(order)]);
  return order;
}

type ChatReport = Extract<RunnerReport, { kind: 'chat-message' }>;

async function reportChatMessage(applying: Applying, bot: BotRow, report: ChatReport): Promise<Move> {
  if (!(await isFirstReportOf(applying.transaction, report))) return unmoved(bot);
  const message = { ...report.message, senderId: senderIdOf(report, bot) };
  const { id: botId, team_id: teamId, extra } = bot;
  const calendarEventId = calendarOriginOf(bot.request)?.event_id ?? null;
  const order = await saveOrder(applying, bot, 'bot.chat_message');
  const { transaction, events } = applying;
  await events.add(transaction, botChatMessage, { botId, teamId, calendarEventId, message, extra, order });
  return unmoved(bot);
}

/** Each run numbers participants by itself: a number that the bot's list gives to another one is not the sender's. */
function senderIdOf(
  { message: { senderId, senderName } }: ChatReport,
  { attempt, participants }: BotRow,
): number | null {
  const listed = attempt > 1 ? participants.find(({ id }) => id === senderId) : undefined;
  return listed === undefined || listed.name === senderName ? senderId : null;
}

/**
 * False if another run of the bot reported this message: the nth one of these words by this sender, while that run was
 * in the meeting. Pages have ids of their own, and some show times in minutes.
 */
async function isFirstReportOf(
  transaction: Executor,
  { botId, attempt, sequence, message: { senderName, text, sentAt } }: ChatReport,
): Promise<boolean> {
  const words = JSON.stringify([senderName, text.replaceAll(/\s+/g, ' ').trim()]);
  const [count] = await transaction.query<{ own: number; other: number }>(
    `with added as (
       insert into reported_chat (bot_id, attempt, sequence, content, sent_at)
         values ($1, $2, $3, hashtextextended($4, 0), $5)),
     same as (
       select attempt, count(*)::int as times from reported_chat join leases using (bot_id, attempt)
       where bot_id = $1 and content = hashtextextended($4, 0)
         and sent_at between $5::timestamptz - interval '90 s' and $5::timestamptz + interval '90 s'
         and (attempt = $2 or ended_at is null or ended_at >= $5)
         and (attempt = $2 or replaced_at is null or replaced_at >= $5::timestamptz - interval '10 s')
       group by attempt)
     select coalesce(max(times) filter (where attempt = $2), 0) as own,
       coalesce(max(times) filter (where attempt <> $2), 0) as other from same`,
    [botId, attempt, sequence, words, sentAt],
  );
  return count === undefined || count.own >= count.other;
}

/** Reported once per bot: a second run in the same meeting does not report it again. */
async function reportChatStatus(
  applying: Applying,
  bot: BotRow,
  { available, reason }: Extract<RunnerReport, { kind: 'chat-status' }>,
): Promise<Move> {
  if (bot.chat_available !== null) return unmoved(bot);
  const { transaction, events } = applying;
  await transaction.query('update bots set chat_available = $2 where id = $1', [bot.id, available]);
  const { id: botId, team_id: teamId, extra } = bot;
  const calendarEventId = calendarOriginOf(bot.request)?.event_id ?? null;
  const order = await saveOrder(applying, bot, 'bot.chat_status');
  const said = { available, reason };
  await events.add(transaction, botChatStatus, { botId, teamId, calendarEventId, ...said, extra, order });
  return unmoved({ ...bot, chat_available: available });
}

async function reportCaptionsStatus(
  applying: Applying,
  bot: BotRow,
  { available, reason }: Extract<RunnerReport, { kind: 'captions-status' }>,
): Promise<Move> {
  const captions = { available, reason };
  if (bot.captions?.available === available && bot.captions.reason === reason) return unmoved(bot);
  const { transaction, events } = applying;
  await transaction.query('update bots set captions = $2::jsonb where id = $1', [bot.id, JSON.stringify(captions)]);
  const { id: botId, team_id: teamId, extra } = bot;
  const calendarEventId = calendarOriginOf(bot.request)?.event_id ?? null;
  const order = await saveOrder(applying, bot, 'bot.captions_status');
  await events.add(transaction, botCaptionsStatus, { botId, teamId, calendarEventId, ...captions, extra, order });
  return unmoved({ ...bot, captions });
}

/** A finalize run has only the uploaded participants; an empty list must not overwrite those reported live. */
function participantsUnlessEmpty({
  participants,
  speakers,
}: Pick<Extract<RunnerReport, { kind: 'participants' }>, 'participants' | 'speakers'>) {
  return {
    ...(participants.length === 0 ? {} : { participants }),
    ...(speakers.length === 0 ? {} : { speakers }),
  };
}

async function saveParticipants(
  { transaction, at }: Applying,
  bot: BotRow,
  { participants, speakers }: Extract<RunnerReport, { kind: 'participants' }>,
): Promise<Move> {
  await transaction.query(
    'update bots set participants = $2::jsonb, speakers = $3::jsonb, updated_at = $4 where id = $1',
    [bot.id, JSON.stringify(participants), JSON.stringify(speakers), at],
  );
  return unmoved(bot);
}

async function endAttendance(applying: Applying, bot: BotRow, end: AttendanceEnd): Promise<Move> {
  const exitedAt = end.joinedAt === null && bot.joined_at !== null ? (bot.failure?.at ?? null) : end.exitedAt;
  const move = await moveBot(
    applying,
    bot,
    { kind: 'ended', end: reportedEnd(bot, end) },
    {
      at: applying.at,
      joinedAt: instantOrNull(end.joinedAt),
      exitedAt: instantOrNull(exitedAt),
    },
  );
  if (move.moved) await saveFailureEvidence(applying, bot, end);
  return move;
}

async function saveFailureEvidence({ transaction }: Applying, bot: BotRow, end: AttendanceEnd): Promise<void> {
  const evidence = failureEvidenceOf(end.evidence);
  if (evidence === null && bot.failure_evidence === null) return;
  await transaction.query('update bots set failure_evidence = $2::jsonb where id = $1', [
    bot.id,
    evidence === null ? null : JSON.stringify(evidence),
  ]);
}

function reportedEnd(bot: BotRow, { recorded, joinedAt, ...end }: AttendanceEnd): BotEnd {
  const code = endCodeOf(end.code);
  const message = sentence(end.message) || endReasons[code].message;
  if (bot.failure === null || !hasRecorded(bot.phase)) return { code, message, recorded };
  const reported = { code, message, joined: joinedAt !== null };
  return endOfRejoinedBot(reported, bot.failure.code, bot.leave_requested_at !== null);
}

function instantOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

const longestMessage = 1_000;

function sentence(text: string): string {
  return storableText(text.trim().slice(0, longestMessage));
}
