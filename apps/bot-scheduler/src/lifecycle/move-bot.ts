import { createHash } from 'node:crypto';
import { botEnded, botStatusChanged, participantFilesOf } from '@rapporteur/contracts';
import type { Artifact, EventDefinition, EventOrder, Participant } from '@rapporteur/contracts';
import { chargeFor, decide, delayReasons, endReasons, mayLeave } from '@rapporteur/bot-lifecycle';
import type {
  BotState,
  Decision,
  DelayReason,
  FinalOutcome,
  LifecycleInput,
  StatusStep,
  TokenCharge,
} from '@rapporteur/bot-lifecycle';
import { afterCommit, storableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { joinTrace, largestEventBytes } from '@rapporteur/event-bus';
import type { EventSink } from '../schema/context.ts';
import { calendarOriginOf } from '../schema/create-bot-body.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { meetingCaptions } from '../transcription/engines.ts';
import { ownChoiceOf, requestTranscription } from '../transcription/request-transcription.ts';
import { meteredFor } from '../credentials/bot-meters.ts';
import type { TranscriptionKey } from '../credentials/bot-meters.ts';
import { settleTokens } from '../credentials/token-accounts.store.ts';
import { refuseCommands } from './commands.store.ts';
import { endLeases } from './end-grants.ts';
import { findWaitingSince, writeBot } from './bots.store.ts';
import { nextEventOrders } from './event-order.ts';

/** Data of the input, written in the same step; absent fields keep their value. */
export interface MoveFacts {
  readonly at: Date;
  readonly joinedAt?: Date | null;
  readonly exitedAt?: Date | null;
  readonly durationMs?: number;
  readonly artifacts?: readonly Artifact[];
  /** Further columns of the bot. */
  readonly columns?: Partial<BotRow>;
  /** Default provider for a recording whose bot names none. */
  readonly defaultProvider?: string;
}

/** Reserved in a final event for the request that a redelivery adds. */
const redeliveryBytes = 20_000;

type EventData<D> = D extends EventDefinition<infer T> ? T : never;

export type Move =
  | { readonly moved: true; readonly bot: BotRow; readonly final: FinalOutcome | null }
  | { readonly moved: false; readonly why: string };

export function stateOf(bot: BotRow): BotState {
  const { phase, status, end_code, end_message, recorded, leave_requested_at, transcription_wanted, rejoins, moves } =
    bot;
  return {
    phase,
    status,
    end: end_code === null ? null : { code: end_code, message: end_message ?? '', recorded: recorded ?? false },
    leaveRequested: leave_requested_at !== null,
    transcriptionWanted: transcription_wanted,
    rejoins: rejoins + moves > 0,
  };
}

/**
 * Moves one bot by one input: state, history, tokens and outgoing events, all in the given transaction. `bot` must be
 * locked by it (`lockBot`). This is the only way a bot's phase or status changes. A refused input changes nothing.
 */
export function moveBot(
  acting: { readonly transaction: Executor; readonly events: EventSink },
  bot: BotRow,
  input: LifecycleInput,
  facts: MoveFacts,
): Promise<Move> {
  // A sweep moves bots of several traces.
  const stated = input.kind === 'recording-lost' ? withUploadFailure(bot, input) : input;
  return joinTrace(bot.configuration.traceparent ?? null, () => move(acting, bot, stated, facts));
}

/** What a store refused may be why nothing of the recording is left. */
function withUploadFailure(
  { upload_failure: reason }: BotRow,
  input: Extract<LifecycleInput, { kind: 'recording-lost' }>,
): LifecycleInput {
  return reason === null ? input : { ...input, message: `${input.message} The last failed upload: ${reason}` };
}

async function move(
  { transaction, events }: { readonly transaction: Executor; readonly events: EventSink },
  bot: BotRow,
  input: LifecycleInput,
  facts: MoveFacts,
): Promise<Move> {
  const decision = decide(stateOf(bot), input);
  if (!decision.allowed) return { moved: false, why: decision.why };
  const { next, final } = decision;
  // The history is complete; the result of a retranscription is in the redelivered final event.
  const steps = input.kind === 'retranscribed' ? [] : decision.steps;
  const tokens = final === null ? null : await chargeBot(transaction, bot, final, facts);
  const reported: string[] = steps.map(() => 'bot.status_change');
  if (final !== null) reported.push(final.outcome === 'failed' ? 'bot.failed' : 'bot.completed');
  const orders = nextEventOrders(bot, reported, facts.at);
  const moved = await writeBot(transaction, bot.id, {
    ...columnsOfMove(bot, decision, facts),
    history_count: bot.history_count + steps.length,
    ...(tokens === null ? {} : { tokens }),
    ...(orders.length === 0 ? {} : { event_order: orders.at(-1) ?? null }),
  });
  for (const [index, step] of steps.entries()) {
    const order = orders[index] ?? null;
    await writeStep({ transaction, events }, bot, {
      step,
      sequence: bot.history_count + index + 1,
      at: facts.at,
      order,
    });
  }
  if (mayLeave(bot.phase) && !mayLeave(next.phase))
    await refuseCommands(transaction, { botId: bot.id }, 'The bot left the meeting before it could do this.');
  const begins = next.phase === 'transcribing' && bot.phase !== 'transcribing';
  if (final !== null || begins) await endLeases(transaction, { botId: bot.id, teamId: bot.team_id }, facts.at);
  if (begins) {
    const wanted = await ownChoiceOf(transaction, moved, facts.defaultProvider ?? 'gladia');
    await requestTranscription({ transaction, events }, moved, wanted);
  }
  if (final !== null) {
    if (bot.join_at !== null) await transaction.query(endScheduleSql, [bot.id, final.outcome, facts.at]);
    // A bot ends once; the caller of a retranscription has the final event delivered again.
    if (input.kind !== 'retranscribed') {
      await events.add(transaction, botEnded, endedData(moved), finalEventId(bot.id));
    }
  }
  afterCommit(transaction, () => events.onMove?.({ from: bot, to: moved, at: facts.at, final }));
  return { moved: true, bot: moved, final };
}

/** The schedule that the bot is from has its outcome. */
const endScheduleSql = 'update scheduled_bots set state = $2, updated_at = $3 where id = $1';

/** The columns that a decision changes; the first time of joining and of leaving is kept. */
function columnsOfMove(
  bot: BotRow,
  { next, final }: Pick<Extract<Decision, { allowed: true }>, 'next' | 'final'>,
  { at, joinedAt, exitedAt, durationMs, artifacts, columns }: MoveFacts,
): Partial<BotRow> {
  return {
    ...columns,
    ...(next.phase === bot.phase ? {} : { phase: next.phase, phase_since: at }),
    status: next.status,
    updated_at: at,
    end_code: next.end?.code ?? null,
    end_message: next.end?.message ?? null,
    recorded: next.end?.recorded ?? null,
    joined_at: bot.joined_at ?? joinedAt ?? null,
    exited_at: bot.exited_at ?? exitedAt ?? null,
    ...(durationMs === undefined ? {} : { duration_ms: String(durationMs) }),
    ...(artifacts === undefined ? {} : { artifacts: [...artifacts] }),
    ...(final !== null || next.status === 'transcribing' ? { wants_run: null } : {}),
    ...(final === null ? {} : { ended_at: at, reserved_tokens: '0' }),
  };
}

interface WrittenStep {
  readonly step: StatusStep;
  readonly sequence: number;
  readonly at: Date;
  readonly order: EventOrder | null;
}

/** Writes one history row and its event. */
async function writeStep(
  { transaction, events }: { readonly transaction: Executor; readonly events: EventSink },
  bot: Pick<BotRow, 'id' | 'team_id' | 'extra' | 'legacy' | 'request'>,
  { step, sequence, at, order }: WrittenStep,
): Promise<void> {
  await transaction.query(
    `insert into bot_history (bot_id, sequence, code, at, start_time, error_message, delay_reason)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [bot.id, sequence, step.code, at, step.startTime ?? null, step.errorMessage ?? null, step.delayReason ?? null],
  );
  await events.add(transaction, botStatusChanged, {
    ...subjectOf(bot),
    sequence,
    status: {
      code: step.code,
      created_at: at.toISOString(),
      ...(step.startTime === undefined ? {} : { start_time: step.startTime }),
      ...(step.errorMessage === undefined ? {} : { error_message: step.errorMessage }),
      ...(step.expectedPickupAt === undefined ? {} : { expected_pickup_at: step.expectedPickupAt }),
      ...describeDelay(step.delayReason),
    },
    legacy: bot.legacy,
    order,
  });
}

/** The members that all events of a bot have. */
export function subjectOf({ id, team_id, request, extra }: Pick<BotRow, 'id' | 'team_id' | 'request' | 'extra'>) {
  return { botId: id, teamId: team_id, calendarEventId: calendarOriginOf(request)?.event_id ?? null, extra };
}

/** The reason of a delay in the shape of the public API; empty when unknown. */
export function describeDelay(reason: DelayReason | null | undefined) {
  return reason === null || reason === undefined ? {} : { delay_reason: reason, delay_message: delayReasons[reason] };
}

/** Replaces the reservation by the charge of the end reason, and returns the charge. */
async function chargeBot(
  transaction: Executor,
  bot: BotRow,
  final: FinalOutcome,
  facts: MoveFacts,
): Promise<TokenCharge> {
  const recordedMs = await recordingMeterMs(transaction, bot, final, facts);
  const charge = chargeFor(
    final.code,
    meteredFor({ configuration: bot.configuration, transcriptionKey: transcriptionKeyOf(bot) }, recordedMs),
  );
  await settleTokens(transaction, {
    teamId: bot.team_id,
    botId: bot.id,
    reserved: Number(bot.reserved_tokens),
    // The charge of an earlier end is already paid.
    charged: Math.max(0, charge.total - (bot.tokens?.total ?? 0)),
    note: final.code,
    at: facts.at,
    ...(bot.tokens === null ? {} : { requestId: bot.transcription?.requestId }),
  });
  return charge;
}

function transcriptionKeyOf({ transcription_wanted, transcription, request }: BotRow): TranscriptionKey {
  if (!transcription_wanted && transcription === null) return null;
  const wanted = request as { readonly transcription_config?: { readonly provider: string } | null };
  if ((transcription?.provider ?? wanted.transcription_config?.provider) === meetingCaptions) return null;
  return transcription?.ownKey === true ? 'own' : 'deployment';
}

/** The recording's length; for ends that charge the wait instead, the time from the waiting room to the end. */
async function recordingMeterMs(
  transaction: Executor,
  bot: BotRow,
  final: FinalOutcome,
  facts: MoveFacts,
): Promise<number> {
  if (endReasons[final.code].charging !== 'recording_only') return facts.durationMs ?? Number(bot.duration_ms ?? 0);
  const since = await findWaitingSince(transaction, bot.id);
  const until = facts.exitedAt ?? bot.exited_at ?? facts.at;
  return since === null ? 0 : until.getTime() - since.getTime();
}

/** For the owner of the key only: the ids refer to jobs of the owner's account. */
export function transcriptionIdsOf({ transcription }: BotRow): string[] | null {
  return transcription?.ownKey === true && transcription.providerIds.length > 0 ? [...transcription.providerIds] : null;
}

/** The data of a bot's final event in its current state; participants are cut to the message size limit of the bus. */
export function endedData(bot: BotRow): EventData<typeof botEnded> {
  let data = wholeEndedData(bot);
  const longest = Math.max(data.participants.length, data.speakers.length, data.participantAudio.length);
  for (let most = longest; most > 0 && !fitsBus(data); most = Math.floor(most / 2)) {
    data = {
      ...data,
      participants: data.participants.slice(0, most).map(inBrief),
      speakers: data.speakers.slice(0, most).map(inBrief),
      participantAudio: data.participantAudio.slice(0, most),
    };
  }
  return data;
}

/** The details of the bot contain the full names. */
const longestNameInBrief = 256;
const inBrief = ({ id, name }: Participant): Participant => ({
  id,
  name: storableText(name.slice(0, longestNameInBrief)),
});
const fitsBus = (data: EventData<typeof botEnded>): boolean =>
  Buffer.byteLength(JSON.stringify(data)) <= largestEventBytes - redeliveryBytes;

function wholeEndedData(bot: BotRow): EventData<typeof botEnded> {
  const failed = bot.phase === 'failed';
  return {
    ...subjectOf(bot),
    outcome: failed ? ('failed' as const) : ('completed' as const),
    errorCode: failed ? bot.end_code : null,
    errorMessage: failed ? bot.end_message : null,
    joinedAt: bot.joined_at?.toISOString() ?? null,
    exitedAt: bot.exited_at?.toISOString() ?? null,
    durationSeconds: bot.duration_ms === null ? null : Math.round(Number(bot.duration_ms) / 1_000),
    participants: bot.participants,
    speakers: bot.speakers,
    artifacts: Object.fromEntries(
      bot.artifacts.filter(({ kind }) => kind !== 'participant_audio').map(({ kind, key }) => [kind, key]),
    ),
    participantAudio: participantFilesOf(bot.artifacts),
    artifactsDeleted: bot.artifacts_deleted,
    integrity: bot.integrity,
    transcriptionProvider: bot.transcription?.provider ?? null,
    transcriptionIds: transcriptionIdsOf(bot),
    legacy: bot.legacy,
    callback: bot.callback,
    // No event follows a bot's end, so its newest event is the final one.
    order: bot.event_order,
  };
}

/** Derives the id of a bot's only final event from the bot: the outbox rejects a second one. */
export function finalEventId(botId: string): string {
  const hex = createHash('sha256').update(`bots.v1.ended:${botId}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  // Version 8: custom bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
