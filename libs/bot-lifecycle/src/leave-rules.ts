import { platforms } from '@rapporteur/contracts/platforms';
import type { MeetingPlatformName } from '@rapporteur/contracts/platforms';
import type { EndCode } from './end-reasons.ts';
import { participantKind } from './participant-kinds.ts';
import type { NamesOfPrograms } from './participant-kinds.ts';

/** `timeout_config` of specification 2.1 and what belongs to it; all durations in seconds. */
export interface LeaveConfiguration extends NamesOfPrograms {
  readonly waiting_room_timeout: number;
  readonly no_one_joined_timeout: number;
  readonly silence_timeout: number;
  readonly grace_period: number;
  /** null: the service's own ceiling of four hours. */
  readonly max_recording_duration: number | null;
  /** null: a meeting that all have left ends by silence only, where silence counts. */
  readonly everyone_left_timeout: number | null;
  /** Where `no_one_joined_timeout` does not apply; null: no limit. */
  readonly empty_meeting_timeout: number | null;
}

/** A participant other than the bot who was in the call at some time. */
export interface SeenParticipant {
  readonly name: string;
  readonly firstSeenAtMs: number;
  /** Null: present now. */
  readonly leftAtMs: number | null;
  /** Speech of theirs was received at some time. */
  readonly hasSpoken: boolean;
}

/** The runner's state of its own attendance. Times are epoch milliseconds of one clock. */
export interface LeaveObservation {
  readonly platform: MeetingPlatformName;
  readonly stage: 'joining' | 'waiting_room' | 'waiting_for_host' | 'waiting_for_authorized_user' | 'in_call';
  /** Since when the bot waits; null while it does not. */
  readonly waitingSinceMs: number | null;
  /** Since when the bot is in the call; null before. */
  readonly joinedAtMs: number | null;
  /** Since when it is in the call with its present page; null while it is not. */
  readonly inCallSinceMs: number | null;
  readonly recordingSinceMs: number | null;
  /** All participants since the bot is in the call, also those who left, without the bot. */
  readonly participants: readonly SeenParticipant[];
  /** Time of the last audio; null: none so far. */
  readonly lastAudioAtMs: number | null;
  /** Beginning of the last speech that is of no program; null: none so far. A hum is one speech without an end. */
  readonly speechBeganAtMs: number | null;
  /** When the page last reported who is present; null: it never did. */
  readonly rosterReadAtMs: number | null;
}

export type LeaveRuleName =
  | 'max_duration'
  | 'waiting_room'
  | 'waiting_for_host'
  | 'waiting_for_authorized_user'
  | 'no_one_joined'
  | 'empty_meeting'
  | 'everyone_left'
  | 'silence';

export interface LeaveVerdict {
  readonly code: EndCode;
  readonly rule: LeaveRuleName;
  /** Since when the expired condition holds, epoch ms. */
  readonly since: number;
}

interface LeaveRule {
  readonly name: LeaveRuleName;
  readonly code: EndCode;
  /** Since when the condition holds; null when it does not hold. */
  readonly since: (observation: LeaveObservation, config: LeaveConfiguration, nowMs: number) => number | null;
  /** Null: the rule is off. */
  readonly limitSeconds: (config: LeaveConfiguration) => number | null;
  /** Conditions inside a meeting are not applied during the grace period. */
  readonly waitsForGrace: boolean;
}

/** A list of participants that the page has not reported for this long says nothing of who is present. */
const staleRosterMs = 15_000;

/** Upstream's ceiling where the customer sets none. */
export const longestRecordingSeconds = 4 * 3_600;

/** In this order; the first rule that applies decides. */
const rules: readonly LeaveRule[] = [
  {
    name: 'max_duration',
    code: 'RECORDING_TIMEOUT',
    since: (observation) => observation.recordingSinceMs,
    limitSeconds: (config) => config.max_recording_duration ?? longestRecordingSeconds,
    waitsForGrace: false,
  },
  {
    name: 'waiting_room',
    code: 'TIMEOUT_WAITING_TO_START',
    since: (observation) => (observation.stage === 'waiting_room' ? observation.waitingSinceMs : null),
    limitSeconds: (config) => config.waiting_room_timeout,
    waitsForGrace: false,
  },
  {
    name: 'waiting_for_host',
    code: 'WAITING_FOR_HOST_TIMEOUT',
    since: (observation) => (observation.stage === 'waiting_for_host' ? observation.waitingSinceMs : null),
    limitSeconds: (config) => config.waiting_room_timeout,
    waitsForGrace: false,
  },
  {
    name: 'waiting_for_authorized_user',
    code: 'WAITING_FOR_AUTHORIZED_USER_TIMEOUT',
    since: ({ stage, waitingSinceMs }) => (stage === 'waiting_for_authorized_user' ? waitingSinceMs : null),
    limitSeconds: (config) => config.waiting_room_timeout,
    waitsForGrace: false,
  },
  {
    name: 'no_one_joined',
    code: 'NO_ATTENDEES',
    since: (observation, config) =>
      watchesTheRoom(observation) && firstCounted(observation, config) === null ? observation.joinedAtMs : null,
    limitSeconds: (config) => config.no_one_joined_timeout,
    waitsForGrace: true,
  },
  {
    name: 'empty_meeting',
    code: 'NO_ATTENDEES',
    since: (observation, config) =>
      observation.stage === 'in_call' && !watchesTheRoom(observation) && firstCounted(observation, config) === null
        ? observation.joinedAtMs
        : null,
    limitSeconds: (config) => config.empty_meeting_timeout,
    waitsForGrace: true,
  },
  {
    name: 'everyone_left',
    code: 'NO_ATTENDEES',
    since: emptySince,
    limitSeconds: (config) => config.everyone_left_timeout,
    waitsForGrace: true,
  },
  {
    name: 'silence',
    code: 'NO_SPEAKER',
    since: silentSince,
    limitSeconds: (config) => config.silence_timeout,
    waitsForGrace: true,
  },
];

/** The rule by which the bot leaves now, or null while it may stay. Pure; call it about every second. */
export function evaluateLeaveRules(
  observation: LeaveObservation,
  config: LeaveConfiguration,
  nowMs: number,
): LeaveVerdict | null {
  for (const rule of rules) {
    const [since, limitSeconds] = [rule.since(observation, config, nowMs), rule.limitSeconds(config)];
    if (since === null || limitSeconds === null || !(nowMs - since >= limitSeconds * 1_000)) continue;
    if (rule.waitsForGrace && inGrace(observation, config, nowMs)) continue;
    return { code: rule.code, rule: rule.name, since };
  }
  return null;
}

function watchesTheRoom(observation: LeaveObservation): boolean {
  return observation.stage === 'in_call' && platforms[observation.platform].hasRoomTimeouts;
}

function inGrace(observation: LeaveObservation, config: LeaveConfiguration, nowMs: number): boolean {
  return observation.joinedAtMs !== null && nowMs - observation.joinedAtMs < config.grace_period * 1_000;
}

/** First time at which a counted participant was present, epoch ms. A device of a room counts once it has spoken. */
function firstCounted({ participants }: LeaveObservation, config: LeaveConfiguration): number | null {
  const counted = participants.filter(({ name, hasSpoken }) => {
    const kind = participantKind(name, config);
    return kind === 'person' || (kind === 'room' && hasSpoken);
  });
  return counted.length === 0 ? null : Math.min(...counted.map((participant) => participant.firstSeenAtMs));
}

/**
 * Since when all people who were in the call have left it, and no speech has begun. Null while one is present, before
 * the first came, and while the page does not report who is present.
 */
function emptySince(observation: LeaveObservation, config: LeaveConfiguration, nowMs: number): number | null {
  const { stage, participants, inCallSinceMs, rosterReadAtMs, speechBeganAtMs } = observation;
  if (stage !== 'in_call' || inCallSinceMs === null || rosterReadAtMs === null) return null;
  if (rosterReadAtMs < inCallSinceMs || nowMs - rosterReadAtMs > staleRosterMs) return null;
  const counted = participants.filter(({ name }) => participantKind(name, config) === 'person');
  const left = counted.flatMap(({ leftAtMs }) => leftAtMs ?? []);
  if (counted.length === 0 || left.length < counted.length) return null;
  return Math.max(inCallSinceMs, speechBeganAtMs ?? 0, ...left);
}

/** Silence counts from the last audio, and not before a counted participant was present. */
function silentSince(observation: LeaveObservation, config: LeaveConfiguration): number | null {
  if (!watchesTheRoom(observation)) return null;
  const first = firstCounted(observation, config);
  return first === null ? null : Math.max(first, observation.lastAudioAtMs ?? first);
}
