import { platforms } from '@rapporteur/contracts/platforms';
import type { MeetingPlatformName } from '@rapporteur/contracts/platforms';
import type { EndCode } from './end-reasons.ts';

/** `timeout_config` of specification 2.1 and what belongs to it; all durations in seconds. */
export interface LeaveConfiguration {
  readonly waiting_room_timeout: number;
  readonly no_one_joined_timeout: number;
  readonly silence_timeout: number;
  readonly grace_period: number;
  /** null: the service's own ceiling of four hours. */
  readonly max_recording_duration: number | null;
  readonly ignored_participant_names: readonly string[];
}

/** A participant other than the bot who was in the call at some time. */
export interface SeenParticipant {
  readonly name: string;
  readonly firstSeenAtMs: number;
}

/** The runner's state of its own attendance. Times are epoch milliseconds of one clock. */
export interface LeaveObservation {
  readonly platform: MeetingPlatformName;
  readonly stage: 'joining' | 'waiting_room' | 'waiting_for_host' | 'waiting_for_authorized_user' | 'in_call';
  /** Since when the bot waits; null while it does not. */
  readonly waitingSinceMs: number | null;
  /** Since when the bot is in the call; null before. */
  readonly joinedAtMs: number | null;
  readonly recordingSinceMs: number | null;
  /** All participants since the bot is in the call, also those who left, without the bot. */
  readonly participants: readonly SeenParticipant[];
  /** Time of the last audio; null: none so far. */
  readonly lastAudioAtMs: number | null;
}

export type LeaveRuleName =
  | 'max_duration'
  | 'waiting_room'
  | 'waiting_for_host'
  | 'waiting_for_authorized_user'
  | 'no_one_joined'
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
  readonly since: (observation: LeaveObservation, config: LeaveConfiguration) => number | null;
  readonly limitSeconds: (config: LeaveConfiguration) => number;
  /** Conditions inside a meeting are not applied during the grace period. */
  readonly waitsForGrace: boolean;
}

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
    const since = rule.since(observation, config);
    if (since === null || nowMs - since < rule.limitSeconds(config) * 1_000) continue;
    if (rule.waitsForGrace && inGrace(observation, config, nowMs)) continue;
    return { code: rule.code, rule: rule.name, since };
  }
  return null;
}

function watchesTheRoom(observation: LeaveObservation): boolean {
  return observation.stage === 'in_call' && platforms[observation.platform].watchesRoom;
}

function inGrace(observation: LeaveObservation, config: LeaveConfiguration, nowMs: number): boolean {
  return observation.joinedAtMs !== null && nowMs - observation.joinedAtMs < config.grace_period * 1_000;
}

/** False for a participant on the customer's ignore list. */
export function countsAsParticipant(name: string, config: LeaveConfiguration): boolean {
  const normalized = normalizeName(name);
  return !config.ignored_participant_names.some((ignored) => normalizeName(ignored) === normalized);
}

/** First time at which a counted participant was present, epoch ms. */
function firstCounted(observation: LeaveObservation, config: LeaveConfiguration): number | null {
  const counted = observation.participants.filter((participant) => countsAsParticipant(participant.name, config));
  return counted.length === 0 ? null : Math.min(...counted.map((participant) => participant.firstSeenAtMs));
}

function normalizeName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** Silence counts from the last audio, and not before a counted participant was present. */
function silentSince(observation: LeaveObservation, config: LeaveConfiguration): number | null {
  if (!watchesTheRoom(observation)) return null;
  const first = firstCounted(observation, config);
  return first === null ? null : Math.max(first, observation.lastAudioAtMs ?? first);
}
