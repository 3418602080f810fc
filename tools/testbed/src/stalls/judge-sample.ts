import type { StallReading } from './stall-reading.ts';

/** Epoch ms. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Beyond these limits a real-time test measures the machine, not the product. */
export interface StallBounds {
  /** Maximum lateness of a timer of the probe. */
  readonly lateMs: number;
  /** CPU pressure, as the mean of any `pressureMs` in a row. */
  readonly cpuPressure: number;
  readonly pressureMs: number;
}

/**
 * Measured on two busy cores: recordings are right while timers are up to 197 ms late, and 0.5 % of the seconds are beyond
 * 250 ms. Pressure above 97 % means more work than cores.
 */
export const stallBounds: StallBounds = { lateMs: 250, cpuPressure: 0.97, pressureMs: 10_000 };

export interface Stall extends TimeSpan {
  readonly lateMs: number;
  readonly cpuPressure: number | null;
}

export type Verdict = { readonly valid: true } | { readonly valid: false; readonly stall: Stall };

/**
 * Whether measurements in these spans of time are valid. A span without a reading counts as undisturbed: without the
 * probe no failure is excused.
 */
export function judgeSample(
  readings: readonly StallReading[],
  spans: readonly TimeSpan[],
  bounds: StallBounds,
): Verdict {
  for (const span of spans) {
    const within = readings.filter(({ fromMs, untilMs }) => fromMs < span.untilMs && untilMs > span.fromMs);
    const late = within.find(({ lateMs }) => lateMs > bounds.lateMs);
    const stall = late ?? longPressure(within, bounds);
    if (stall !== undefined) return { valid: false, stall };
  }
  return { valid: true };
}

function longPressure(readings: readonly StallReading[], bounds: StallBounds): Stall | undefined {
  for (const [first, { fromMs }] of readings.entries()) {
    const last = readings.findIndex(({ untilMs }) => untilMs - fromMs >= bounds.pressureMs);
    if (last === -1) return undefined;
    const together = readings.slice(first, last + 1);
    const cpuPressure = meanPressure(together);
    if (cpuPressure !== null && cpuPressure > bounds.cpuPressure) {
      const lateMs = Math.max(...together.map((reading) => reading.lateMs));
      return { fromMs, untilMs: readings[last]!.untilMs, lateMs, cpuPressure };
    }
  }
  return undefined;
}

function meanPressure(readings: readonly StallReading[]): number | null {
  let waitedMs = 0;
  let wholeMs = 0;
  for (const { fromMs, untilMs, cpuPressure } of readings) {
    if (cpuPressure === null) return null;
    waitedMs += cpuPressure * (untilMs - fromMs);
    wholeMs += untilMs - fromMs;
  }
  return wholeMs === 0 ? null : waitedMs / wholeMs;
}

/** For example "20:15:03.120 to 20:15:04.122: timers up to 840 ms late (bound 250), CPU pressure 97 % (bound 90 % over 10 s)". */
export function describeStall({ fromMs, untilMs, lateMs, cpuPressure }: Stall, bounds: StallBounds): string {
  const pressure = cpuPressure === null ? 'not reported' : percent(cpuPressure);
  return (
    `${timeOf(fromMs)} to ${timeOf(untilMs)}: timers up to ${lateMs} ms late (bound ${bounds.lateMs}), ` +
    `CPU pressure ${pressure} (bound ${percent(bounds.cpuPressure)} over ${bounds.pressureMs / 1_000} s)`
  );
}

const timeOf = (atMs: number): string => new Date(atMs).toISOString().slice(11, 23);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
