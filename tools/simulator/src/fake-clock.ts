import type { Clock } from './clock.ts';

/** A clock for tests: advances only by `advance`, which runs due timers in order. */
export type FakeClock = Clock & { advance(byMs: number): void; pending(): number };

export function createFakeClock(startMs: number): FakeClock {
  let nowMs = startMs;
  const timers = new Set<{ dueMs: number; action: () => void }>();
  return {
    now: () => nowMs,
    pending: () => timers.size,
    after(delayMs, action) {
      const timer = { dueMs: nowMs + delayMs, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const endMs = nowMs + byMs;
      for (;;) {
        const due = [...timers]
          .filter((timer) => timer.dueMs <= endMs)
          .sort((one, other) => one.dueMs - other.dueMs)[0];
        if (due === undefined) break;
        timers.delete(due);
        nowMs = Math.max(nowMs, due.dueMs);
        due.action();
      }
      nowMs = endMs;
    },
  };
}
