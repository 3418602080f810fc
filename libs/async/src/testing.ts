import type { Clock } from './clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that advances only when a test moves it. */
export class FakeClock implements Clock {
  #passedMs = 0;
  #offsetMs: number;
  #sleepers: Sleeper[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#offsetMs = startMs;
  }

  now(): number {
    return this.#offsetMs + this.#passedMs;
  }

  monotonic(): number {
    return this.#passedMs;
  }

  /** The machine's time is corrected by `ms`; no time passes. */
  correct(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Number of waiting sleeps; lets a test advance the time only when the code under test is waiting for it. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = { dueMs: this.#passedMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason as Error);
      });
    });
  }

  /** Advances the time and resolves, in order, every sleep that ends within it. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#passedMs + ms;
    for (;;) {
      const next = this.#sleepers.filter((sleeper) => sleeper.dueMs <= targetMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined) break;
      this.#passedMs = next.dueMs;
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
      await settle();
    }
    this.#passedMs = targetMs;
    await settle();
  }
}

/** Runs every promise chain that is ready. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
