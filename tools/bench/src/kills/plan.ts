/** The fault that a recording bot gets. */
export const faults = ['runner', 'chromium', 'memory', 'drain'] as const;
export type Fault = (typeof faults)[number];

export interface Plan {
  readonly fault: Fault;
  /** Determines everything below: the same seed gives the same time. */
  readonly seed: number;
  /** After the recording has begun. */
  readonly afterMs: number;
}

const firstMs = 500;
const lastMs = 22_000;

/** Over ten fragments, from before the first one is stored. */
export function planOf(fault: Fault, seed: number): Plan {
  return { fault, seed, afterMs: Math.round(firstMs + draw(seed) * (lastMs - firstMs)) };
}

/** 0 to 1, the same for the same seed (mulberry32's first draw). */
function draw(seed: number): number {
  let mixed = (seed + 0x6d2b79f5) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
