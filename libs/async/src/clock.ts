import { setTimeout as sleepFor } from 'node:timers/promises';
import pTimeout from 'p-timeout';

/** Time, injected so that tests can advance it. Milliseconds everywhere. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await sleepFor(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/**
 * Rejects with a message that names `what` when `work` takes longer than `deadlineMs`. The work itself continues: give
 * it a signal of its own where it has one.
 */
export function withDeadline<T>(work: Promise<T>, deadlineMs: number, what: string): Promise<T> {
  return pTimeout(work, { milliseconds: deadlineMs, message: `${what} took longer than ${deadlineMs} ms.` });
}
