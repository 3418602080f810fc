import type { MeetingPlatformName } from '@rapporteur/contracts';
import { seeded } from '@rapporteur/simulator/seeded';

/** One generated meeting: the room's events, its faults, and the fault of the bot. The same for the same seed. */
export interface FuzzedRoom {
  readonly seed: number;
  readonly platform: FuzzedPlatform;
  /** For `POST /rooms`. */
  readonly room: Readonly<Record<string, unknown>>;
  readonly faults: readonly PlannedFault[];
  readonly lobby: 'admits' | 'refuses' | 'never responds';
  /** Seconds, as in the bot's configuration. */
  readonly timeouts: FuzzedTimeouts;
  /** The fault of the bot itself, in ms after its process started. */
  readonly blow: { readonly what: Blow; readonly afterMs: number } | null;
}

export type FuzzedPlatform = MeetingPlatformName;
export type Blow = 'renderer' | 'browser' | 'leave' | 'SIGTERM';

export interface FuzzedTimeouts {
  readonly waiting_room_timeout: number;
  readonly no_one_joined_timeout: number;
  readonly silence_timeout: number;
  readonly grace_period: number;
  readonly max_recording_duration: number;
}

export interface PlannedFault {
  readonly kind: string;
  readonly on: 'opened' | 'requested' | 'admitted';
  readonly afterSeconds: number;
  readonly [option: string]: unknown;
}

export const fuzzedPlatforms: readonly FuzzedPlatform[] = ['meet', 'teams', 'zoom'];

/** Longest meeting after its recording begins; participants speak in a loop of this length. */
const loopSeconds = 15;
const mostFaults = 3;

export function sampleRoom(seed: number, platforms: readonly FuzzedPlatform[] = fuzzedPlatforms): FuzzedRoom {
  const chance = new Chance(seed);
  const platform = platforms[seed % platforms.length] ?? 'meet';
  const lobby = chance.weighted([
    ['admits', 8],
    ['refuses', 1],
    ['never responds', 1],
  ] as const);
  const faults = Array.from({ length: chance.below(mostFaults + 1) }, () => sampleFault(chance));
  const removed = chance.one(8) ? [{ do: 'remove-guests', on: 'admitted', afterSeconds: chance.between(1, 25) }] : [];
  const blow = chance.one(2)
    ? {
        what: chance.weighted([
          ['renderer', 3],
          ['browser', 3],
          ['leave', 2],
          ['SIGTERM', 1],
        ] as const),
        afterMs: Math.round(chance.between(1, 30) * 1_000),
      }
    : null;
  return {
    seed,
    platform,
    lobby,
    faults,
    blow,
    room: {
      platform,
      seed,
      speakers: 3,
      framesPerSecond: 10,
      loopSeconds,
      lobby: lobby === 'admits' ? 'admit' : lobby === 'refuses' ? 'refuse' : 'wait',
      admitAfterMs: Math.round(chance.between(0.2, 3) * 1_000),
      faults,
      events: removed,
    },
    timeouts: {
      waiting_room_timeout: 12,
      no_one_joined_timeout: 15,
      silence_timeout: 20,
      grace_period: 0,
      max_recording_duration: Math.round(chance.between(15, 35)),
    },
  };
}

function sampleFault(chance: Chance): PlannedFault {
  const on = chance.weighted([
    ['opened', 2],
    ['requested', 1],
    ['admitted', 7],
  ] as const);
  const when = { on, afterSeconds: chance.between(0, on === 'admitted' ? 20 : 4) };
  const kind = chance.weighted([
    ['network-loss', 3],
    ['page-frozen', 3],
    ['reload', 4],
    ['popup', 2],
    ['server-error', 2],
    ['slow', 1],
    ['everyone-leaves', 1],
    ['host-ends', 1],
  ] as const);
  switch (kind) {
    case 'network-loss':
      return { ...when, kind, seconds: chance.between(1, 12), renewsMedia: chance.one(3), forGood: chance.one(4) };
    case 'page-frozen':
      return { ...when, kind, seconds: chance.between(1, 30) };
    case 'popup':
      return { ...when, kind, seconds: chance.between(5, 60) };
    case 'server-error':
      return { ...when, kind, seconds: chance.between(2, 40) };
    case 'slow':
      return { ...when, kind, factor: chance.between(2, 4) };
    default:
      return { ...when, kind };
  }
}

/** Choices that only the seed decides. */
class Chance {
  /** From 0, below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(Math.imul(seed + 1, 0x9e37_79b9));
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** To a tenth. */
  between(least: number, most: number): number {
    return Math.round((least + this.next() * (most - least)) * 10) / 10;
  }

  /** True once in `times` on average. */
  one(times: number): boolean {
    return this.next() * times < 1;
  }

  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices[0]![0];
  }
}
