import { endCodeOf, endOfRejoinedBot, endReasons, hasRecorded } from '@rapporteur/bot-lifecycle';
import type { BotEnd, FinalOutcome, LifecycleInput } from '@rapporteur/bot-lifecycle';
import {
  botCaptionsStatus,
  botChatMessage,
  botChatStatus,
  runnerReport,
  runnerReportHeader,
} from '@rapporteur/contracts';
import type {
  AttendanceEnd,
  EventDefinition,
  EventOrder,
  RunnerReport,
  RunnerReportHeader,
} from '@rapporteur/contracts';
import { afterCommit, isDataException, storableText, withStorableText } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import type { BotRow } from '../schema/bot-entity.ts';
import type { LeaseRow } from '../schema/run-entities.ts';
import type { Context, EventSink } from '../schema/context.ts';
import { recordPagePackOutcome } from '../page-packs/page-pack-outcomes.ts';
import { callOffReplacement, endMovedRun, endsForItsMachine, findPart, takeOver } from './displace-run.ts';
import { addScreenshot } from './screenshots.store.ts';
import { findLease, markApplied } from './leases.store.ts';
import { lockBot, writeBot, saveResourceUsage } from './bots.store.ts';
import { moveBot, subjectOf } from './move-bot.ts';
import type { Move, MoveFacts } from './move-bot.ts';
import { nextEventOrders } from './event-order.ts';
import { failureEvidenceOf } from './failure-evidence.ts';

export interface ReportDependencies extends Pick<Context, 'database' | 'events' | 'now'> {
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

type Report<K extends RunnerReport['kind']> = Extract<RunnerReport, { kind: K }>;

/** What a report writes to its bot, and either the move that it makes or the event that announces it. */
interface Effects {
  readonly columns?: Partial<BotRow>;
  readonly move?: { readonly input: LifecycleInput; readonly facts?: Partial<MoveFacts> };
  readonly announces?: Announcement;
}

type EffectsOf<R> = (bot: BotRow, report: R, applying: Applying) => Effects | Promise<Effects>;

const effectsByKind: { readonly [K in RunnerReport['kind']]: EffectsOf<Report<K>> } = {
  status: (_bot, { code, startTime, pageRecognised, at }) => ({
    // A new run, which gives up nothing yet.
    columns: code === 'joining_call' ? { degraded: null } : {},
    move: {
      input: {
        kind: 'status',
        code,
        ...(startTime === undefined ? {} : { startTime }),
        ...(pageRecognised === false ? { delayReason: 'page_not_recognised' } : {}),
      },
      facts: code === 'in_call_not_recording' ? { joinedAt: new Date(at) } : {},
    },
  }),
  participants: (_bot, { participants, speakers }, { at }) => ({ columns: { participants, speakers, updated_at: at } }),
  'attendance-ended': (bot, { end }) => endOfAttendance(bot, end),
  'recording-stored': (_bot, { quality, artifacts, durationMs, ...lists }, { defaultProvider }) => ({
    columns: { ...integrityOf(quality), ...participantsUnlessEmpty(lists) },
    move: {
      input: { kind: 'recording-stored' },
      facts: { artifacts, durationMs, ...(defaultProvider === undefined ? {} : { defaultProvider }) },
    },
  }),
  'recording-lost': (_bot, { message, artifacts }) => ({
    move: {
      input: { kind: 'recording-lost', message: sentence(message) },
      facts: artifacts === undefined ? {} : { artifacts },
    },
  }),
  'upload-failed': (_bot, { message }) => ({ columns: { upload_failure: sentence(message) } }),
  degraded: (_bot, { step }) => ({ columns: { degraded: step } }),
  'chat-message': async (bot, report, { transaction }) => {
    if (!(await isFirstReportOf(transaction, report))) return {};
    const message = { ...report.message, senderId: senderIdOf(report, bot) };
    return { announces: announcement('bot.chat_message', botChatMessage, { message }) };
  },
  /** Once per bot: a second run in the same meeting does not report it again. */
  'chat-status': ({ chat_available }, { available, reason }) =>
    chat_available !== null
      ? {}
      : {
          columns: { chat_available: available },
          announces: announcement('bot.chat_status', botChatStatus, { available, reason }),
        },
  'captions-status': (bot, { available, reason }) =>
    bot.captions?.available === available && bot.captions.reason === reason
      ? {}
      : {
          columns: { captions: { available, reason } },
          announces: announcement('bot.captions_status', botCaptionsStatus, { available, reason }),
        },
  screenshot: async (bot, { key, takenAt }, { transaction }) => {
    await addScreenshot(transaction, bot.id, { key, takenAt: new Date(takenAt) });
    return {};
  },
};

async function applyKind(applying: Applying, bot: BotRow, report: RunnerReport): Promise<Move> {
  const effectsOf = effectsByKind[report.kind] as EffectsOf<RunnerReport>;
  const { columns = {}, move, announces } = await effectsOf(bot, report, applying);
  const { transaction, events, at } = applying;
  if (move !== undefined) return moveBot(applying, bot, move.input, { ...move.facts, at, columns });
  const [order = null] = announces === undefined ? [] : nextEventOrders(bot, [announces.event], at);
  const written = { ...columns, ...(order === null ? {} : { event_order: order }) };
  if (Object.keys(written).length === 0) return unmoved(bot);
  const changed = await writeBot(transaction, bot.id, written);
  await announces?.add(transaction, events, { ...subjectOf(bot), order });
  return unmoved(changed);
}

type EventHead = ReturnType<typeof subjectOf> & { readonly order: EventOrder | null };

interface Announcement {
  /** Public name. */
  readonly event: string;
  readonly add: (transaction: Executor, events: EventSink, head: EventHead) => Promise<unknown>;
}

function announcement<D extends object>(
  event: string,
  definition: EventDefinition<EventHead & D>,
  data: D,
): Announcement {
  return { event, add: (transaction, events, head) => events.add(transaction, definition, { ...head, ...data }) };
}

function unmoved(bot: BotRow): Move {
  return { moved: true, bot, final: null };
}

function integrityOf(quality: Report<'recording-stored'>['quality']): Partial<BotRow> {
  if (quality === undefined) return {};
  const { gapMs, gapReason = null, videoMissingMs = null, videoMissingReason = null } = quality;
  const { audioImpairedMs = null, degradedMs = null } = quality;
  return { integrity: { gapMs, gapReason, videoMissingMs, videoMissingReason, audioImpairedMs, degradedMs } };
}

/** Each run numbers participants by itself: a number that the bot's list gives to another one is not the sender's. */
function senderIdOf(
  { message: { senderId, senderName } }: Report<'chat-message'>,
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
  { botId, attempt, sequence, message: { senderName, text, sentAt } }: Report<'chat-message'>,
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

/** A finalize run has only the uploaded participants; an empty list must not overwrite those reported live. */
function participantsUnlessEmpty({
  participants,
  speakers,
}: Pick<Report<'participants'>, 'participants' | 'speakers'>): Partial<BotRow> {
  return {
    ...(participants.length === 0 ? {} : { participants }),
    ...(speakers.length === 0 ? {} : { speakers }),
  };
}

function endOfAttendance(bot: BotRow, end: AttendanceEnd): Effects {
  const exitedAt = end.joinedAt === null && bot.joined_at !== null ? (bot.failure?.at ?? null) : end.exitedAt;
  return {
    columns: { failure_evidence: failureEvidenceOf(end.evidence) },
    move: {
      input: { kind: 'ended', end: reportedEnd(bot, end) },
      facts: { joinedAt: instantOrNull(end.joinedAt), exitedAt: instantOrNull(exitedAt) },
    },
  };
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

/**
 * Stores which page pack a run uses, which of its candidates matched, what it could read, and whether it brought the bot
 * in.
 */
async function savePagePackReport(transaction: Executor, bot: BotRow, report: RunnerReport, at: Date): Promise<void> {
  if (report.kind !== 'status' && report.kind !== 'attendance-ended') return;
  const version = report.pagePackVersion ?? bot.page_pack_version;
  const { matchedCandidates, observed } = report.kind === 'attendance-ended' ? report : {};
  if (version !== bot.page_pack_version || matchedCandidates !== undefined || observed !== undefined) {
    await transaction.query(
      `update bots set page_pack_version = $2, matched_candidates = coalesce($3::jsonb, matched_candidates),
         observed = coalesce($4::jsonb, observed)
       where id = $1`,
      [bot.id, version, jsonOrNull(matchedCandidates), jsonOrNull(observed)],
    );
  }
  await recordPagePackOutcome(transaction, { ...bot, page_pack_version: version }, report, at);
}

const jsonOrNull = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));
