import type { DelayReason } from './delay-reasons.ts';
import { endCodeWithoutRecording, endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';
import { isFinal } from './statuses.ts';
import type { LifecycleStatusCode, Phase, StatusCode } from './statuses.ts';
import { findTransition } from './transitions.ts';
import type { Announcement, Trigger } from './transitions.ts';

/** Why the attendance ended. Written once: the first reason is final. */
export interface BotEnd {
  readonly code: EndCode;
  /** Safe to show; usually the catalogue's sentence. */
  readonly message: string;
  readonly recorded: boolean;
}

export interface BotState {
  readonly phase: Phase;
  /** The current public status; never a reason code. */
  readonly status: LifecycleStatusCode;
  readonly end: BotEnd | null;
  readonly leaveRequested: boolean;
  readonly transcriptionWanted: boolean;
  /** Another run was launched to rejoin: an earlier one failed during the attendance, or is being moved. */
  readonly rejoins: boolean;
}

/** Status codes a runner may report of itself. */
export type ReportedStatusCode =
  | 'joining_call'
  | 'in_waiting_room'
  | 'in_waiting_for_host'
  | 'in_call_not_recording'
  | 'in_call_recording'
  | 'recording_paused'
  | 'recording_resumed';

export type LifecycleInput =
  /** `expectedPickupAt`: ISO 8601; absent: no estimate is possible. `delayReason` is absent when none is known. */
  | { readonly kind: 'pickup-late'; readonly expectedPickupAt?: string; readonly delayReason?: DelayReason }
  | {
      readonly kind: 'status';
      readonly code: ReportedStatusCode;
      readonly startTime?: number;
      /** With a waiting status. */
      readonly delayReason?: DelayReason;
    }
  /** The attendance has ended, as reported by the runner, or by the scheduler for a failed run. */
  | { readonly kind: 'ended'; readonly end: BotEnd }
  | { readonly kind: 'upload-unconfirmed' }
  | { readonly kind: 'recording-stored' }
  | { readonly kind: 'recording-lost'; readonly message: string }
  | { readonly kind: 'transcribed' }
  | { readonly kind: 'transcription-failed'; readonly message?: string }
  /** A bot whose transcription had failed was transcribed after all; `end` is the end of its attendance. */
  | { readonly kind: 'retranscribed'; readonly end: BotEnd };

/** One public step of a bot's lifecycle, in order of reporting. */
export interface StatusStep {
  readonly code: StatusCode;
  /** Unix seconds, with in_call_recording. */
  readonly startTime?: number;
  readonly errorMessage?: string;
  /** ISO 8601, with pickup_delayed. */
  readonly expectedPickupAt?: string;
  /** With pickup_delayed, or a waiting status. */
  readonly delayReason?: DelayReason;
}

export interface FinalOutcome {
  readonly outcome: 'completed' | 'failed';
  /** The end reason, also of a completed bot; shown to the customer only when it failed. */
  readonly code: EndCode;
  readonly message: string;
}

export type Decision =
  | {
      readonly allowed: true;
      readonly next: BotState;
      readonly steps: readonly StatusStep[];
      readonly final: FinalOutcome | null;
    }
  | { readonly allowed: false; readonly why: string };

export function newBotState(options: { readonly transcriptionWanted: boolean }): BotState {
  return { phase: 'queued', status: 'queued', end: null, leaveRequested: false, rejoins: false, ...options };
}

const triggerOfStatus = {
  joining_call: 'joining',
  in_waiting_room: 'in_waiting_room',
  in_waiting_for_host: 'in_waiting_for_host',
  in_call_not_recording: 'admitted',
  in_call_recording: 'recording_started',
  recording_paused: 'paused',
  recording_resumed: 'resumed',
} as const satisfies Record<ReportedStatusCode, Trigger>;

/**
 * The transition for one input: the next state, the status codes to store and announce, and, exactly once per bot, its
 * end. Pure. An input that is not in the table for this phase is refused; final states refuse everything.
 */
export function decide(current: BotState, input: LifecycleInput): Decision {
  if (isFinal(current.phase) && !mayRecover(current, input))
    return refuse(`The bot is ${current.phase}; nothing changes that.`);
  const { trigger, end } = readInput(current, input);
  if (input.kind === 'status' && input.code === current.status) return quiet(current);
  if (trigger === 'pickup_late' && current.status === 'pickup_delayed') return quiet(current);
  const transition = findTransition(current.phase, trigger);
  if (transition === undefined && repeatsEarlierPhase(current, trigger)) return quiet(current);
  if (transition === undefined) return refuse(`${trigger} does not follow ${current.phase}.`);
  const reason = endReasonStep(current, end);
  const codes = transition.announces.flatMap((announcement) => codesOf(announcement, reason, end));
  const status = transition.announces.at(-1) as LifecycleStatusCode;
  return {
    allowed: true,
    next: { ...current, phase: transition.to, status, end },
    steps: codes.map((code) => describeStep(code, input, end)),
    final:
      isFinal(transition.to) && end !== null ? { outcome: transition.to, code: end.code, message: end.message } : null,
  };
}

/**
 * The only exit from a final state (specification 7.2: TRANSCRIPTION_FAILED is resolved by the re-transcribe endpoint).
 */
function mayRecover(current: BotState, input: LifecycleInput): boolean {
  return input.kind === 'retranscribed' && current.end?.code === 'TRANSCRIPTION_FAILED';
}

/** The announcements of a run that rejoins: the status of the bot stays that of the continued recording. */
function repeatsEarlierPhase({ rejoins, phase }: BotState, trigger: Trigger): boolean {
  return rejoins && (phase === 'in_call' || phase === 'recording') && joiningTriggers.has(trigger);
}

const joiningTriggers: ReadonlySet<Trigger> = new Set([
  'joining',
  'in_waiting_room',
  'in_waiting_for_host',
  'admitted',
  'recording_started',
]);

function refuse(why: string): Decision {
  return { allowed: false, why };
}

function quiet(current: BotState): Decision {
  return { allowed: true, next: current, steps: [], final: null };
}

interface ReadInput {
  readonly trigger: Trigger;
  readonly end: BotEnd | null;
}

function readInput(current: BotState, input: LifecycleInput): ReadInput {
  switch (input.kind) {
    case 'pickup-late':
      return { trigger: 'pickup_late', end: current.end };
    case 'status':
      return { trigger: triggerOfStatus[input.code], end: current.end };
    case 'ended':
      return readEnd(current.end ?? input.end);
    case 'upload-unconfirmed':
      return { trigger: 'upload_unconfirmed', end: current.end };
    case 'recording-stored':
      return { trigger: triggerOfStored(current), end: current.end };
    case 'recording-lost':
      return { trigger: 'recording_lost', end: endOfLostRecording(current.end, input.message) };
    case 'transcribed':
      return { trigger: 'transcribed', end: current.end };
    case 'transcription-failed':
      return { trigger: 'transcription_failed', end: endWith('TRANSCRIPTION_FAILED', true, input.message) };
    case 'retranscribed':
      return { trigger: 'retranscribed', end: input.end };
  }
}

function endWith(code: EndCode, recorded: boolean, message: string = endReasons[code].message): BotEnd {
  return { code, message, recorded };
}

function readEnd(end: BotEnd): ReadInput {
  if (end.recorded) return { trigger: 'ended_with_recording', end };
  const code = endCodeWithoutRecording(end.code);
  return {
    trigger: 'ended_without_recording',
    end: code === end.code ? end : endWith(code, false),
  };
}

function triggerOfStored(current: BotState): Trigger {
  const fails = current.end === null || endReasons[current.end.code].outcome === 'failed';
  if (fails) return 'stored_to_fail';
  return current.transcriptionWanted ? 'stored_to_transcribe' : 'stored_to_complete';
}

/** A normal end without its recording is our failure; a bot that failed anyway keeps its reason and adds the loss. */
function endOfLostRecording(end: BotEnd | null, message: string): BotEnd {
  if (end === null || endReasons[end.code].outcome === 'completed') return endWith('INTERNAL_ERROR', false, message);
  return { ...end, recorded: false, message: `${end.message} ${message}` };
}

/** The reason code to announce; for a normal end that failed later it is still the reason the call ended. */
function endReasonStep(current: BotState, end: BotEnd | null): StatusCode | null {
  const code = current.end?.code ?? end?.code;
  if (code === undefined) return null;
  if (code === 'EXITING_MEETING_BEFORE_RECORD') return current.leaveRequested ? 'api_request_stop' : 'meeting_error';
  return endReasons[code].reasonStatus;
}

function codesOf(announcement: Announcement, reason: StatusCode | null, end: BotEnd | null): StatusCode[] {
  if (announcement === '<reason>') return reason === null ? [] : [reason];
  // A failure before the launch of a runner (cap, tokens, duplicate) has no recording.
  if (announcement === 'recording_failed' && end !== null && endReasons[end.code].kind === 'system') return [];
  return [announcement];
}

const stepsWithMessage: ReadonlySet<StatusCode> = new Set(['recording_failed', 'transcription_failed', 'failed']);

function describeStep(code: StatusCode, input: LifecycleInput, end: BotEnd | null): StatusStep {
  const startTime = input.kind === 'status' && code === 'in_call_recording' ? input.startTime : undefined;
  const { expectedPickupAt } = input.kind === 'pickup-late' ? input : {};
  const { delayReason } = input.kind === 'pickup-late' || input.kind === 'status' ? input : {};
  return {
    code,
    ...(startTime === undefined ? {} : { startTime }),
    ...(expectedPickupAt === undefined ? {} : { expectedPickupAt }),
    ...(delayReason === undefined ? {} : { delayReason }),
    ...(end !== null && stepsWithMessage.has(code) ? { errorMessage: end.message } : {}),
  };
}
