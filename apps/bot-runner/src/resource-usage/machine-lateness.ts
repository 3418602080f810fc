import { readCounter } from './cgroup-counters.ts';

/** In cgroups version 2 and 1. */
const counters = ['/sys/fs/cgroup/cpu.stat', '/sys/fs/cgroup/cpu/cpu.stat'];

/** Periods in which the CPU limit of this container stopped it. */
export function readThrottledPeriods(files: readonly string[] = counters): number {
  return readCounter('nr_throttled', files);
}

export interface LatenessSources {
  readonly isLate: () => boolean;
  /** Null where other runs share the container: its limit is then that of the machine. */
  readonly throttledPeriods: (() => number) | null;
}

/**
 * Returns whether the machine makes a run late. Lateness during which the container's own CPU limit stopped the run is
 * due to that limit until it ends: what is given up meanwhile prevents further stops.
 */
export function trackMachineLateness({ isLate, throttledPeriods }: LatenessSources): () => boolean {
  let periods = throttledPeriods?.() ?? 0;
  let byOwnLimit = false;
  return () => {
    const before = periods;
    periods = throttledPeriods?.() ?? 0;
    const late = isLate();
    byOwnLimit = late && (byOwnLimit || periods > before);
    return late && !byOwnLimit;
  };
}
