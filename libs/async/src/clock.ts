import { setTimeout as sleepFor } from 'node:timers/promises';
import pTimeout from 'p-timeout';

/** Time, injected so that tests can advance it. Milliseconds everywhere. */
export interface Clock {
  /** Epoch milliseconds. Jumps when the machine's time is corrected: durations are differences of `monotonic`. */
  now(): number;
  /** Milliseconds from an arbitrary begin, never set back or forward. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
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
 * The clock of one meeting: epoch milliseconds that corrections of the machine's time do not change. Instants of it are
 * comparable with each other; `correctionMs` converts to and from instants of other machines.
 */
export class SteadyClock implements Clock {
  readonly #clock: Clock;
  #originMs = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.begin();
  }

  /** Sets it to the time of day. Instants from before are no longer comparable: call it before anything is timed. */
  begin(): void {
    this.#originMs = this.#clock.now() - this.#clock.monotonic();
  }

  /** How far the machine's time was corrected forward since `begin`, in milliseconds. */
  get correctionMs(): number {
    return this.#clock.now() - this.now();
  }

  now(): number {
    return Math.floor(this.#originMs + this.#clock.monotonic());
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal);
  }
}

/**
 * Rejects when `work` takes longer than `deadlineMs`, with a message that names `what` or with the error that `what`
 * makes. The work itself continues and its result is ignored: give it a signal of its own where it has one.
 */
export function withDeadline<T>(work: Promise<T>, deadlineMs: number, what: string | (() => Error)): Promise<T> {
  const milliseconds = Math.max(1, deadlineMs);
  if (typeof what === 'string')
    return pTimeout(work, { milliseconds, message: `${what} took longer than ${deadlineMs} ms.` });
  const fallback = (): never => {
    throw what();
  };
  return pTimeout(work, { milliseconds, fallback });
}

/** The result of `work`; rejects with the signal's reason when that aborts first. The work then continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return pTimeout(work, { milliseconds: Infinity, signal });
}

/** True once `work` is done, false after `limitMs` of this clock. Rejects as the work does within that time. */
export async function doneWithin(
  work: Promise<unknown>,
  limitMs: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<boolean> {
  const done = new AbortController();
  const late = clock.sleep(limitMs, done.signal).then(() => false);
  late.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    done.abort();
  }
}
