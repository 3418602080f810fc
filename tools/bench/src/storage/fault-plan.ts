import type { Random } from '@rapporteur/api-fuzz';
import type { Fate } from '@rapporteur/object-store/testing';

/** Faults of a team's bucket. */
export const faults = [503, 403, 'slow', 'cut-request', 'cut-response', 'gone'] as const;
export type Fault = (typeof faults)[number];

/** Times are ms after the first upload. */
export interface FaultWindow {
  readonly fault: Fault;
  readonly startMs: number;
  readonly endMs: number;
  /** Of the requests in it. */
  readonly share: number;
}

export interface FaultPlan {
  readonly allowTransientSpill: boolean;
  readonly windows: readonly FaultWindow[];
}

export const fragmentMs = 4_000;
export const fragments = 8;
const goneMs = 600_000;
const longestMs = 60_000;
const latestStartMs = fragments * fragmentMs;

/** For run `index`: each fault is first in rotation, with and without spill; every third run has a second one. */
export function faultPlanOf(index: number, random: Random): FaultPlan {
  const first = faults[Math.floor(index / 2) % faults.length] ?? 'gone';
  const chosen = index % 3 === 0 ? [first, random.pick(faults)] : [first];
  const windows = chosen.map((fault): FaultWindow => {
    const startMs = random.below(latestStartMs);
    const lengthMs = fault === 'gone' ? goneMs : fragmentMs + random.below(longestMs);
    return { fault, startMs, endMs: startMs + lengthMs, share: fault === 'gone' ? 1 : 0.3 + 0.7 * random.fraction() };
  });
  return { allowTransientSpill: index % 2 === 0, windows };
}

export function fateAt({ windows }: FaultPlan, atMs: number, random: Random): Fate {
  const open = windows.find(({ startMs, endMs, share }) => atMs >= startMs && atMs < endMs && random.chance(share));
  return open?.fault ?? 'pass';
}
