import { backoffMs } from './backoff.ts';
import type { BackoffLimits } from './backoff.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';

export interface RetryOptions extends Omit<BackoffLimits, 'requestedMs'> {
  readonly clock: Clock;
  /** Total time: no attempt starts later. */
  readonly withinMs: number;
  /** Ends the wait for the next attempt; none starts after it. */
  readonly signal?: AbortSignal;
  /** Minimum delay in ms that an error requests; null for an error that is final. */
  readonly requestedMsOf?: (error: unknown) => number | null;
  /** Called before each wait. */
  readonly onRetry?: (error: unknown, waitMs: number) => void;
}

/**
 * Runs the work again after each error, with backoff. Rejects with the last error, also when the signal ends a wait.
 * `p-retry` uses timers that a fake clock cannot move.
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, withinMs, signal, requestedMsOf = () => 0, onRetry } = options;
  const untilMs = clock.monotonic() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const requestedMs = requestedMsOf(error);
      const waitMs = backoffMs(failures, { ...options, requestedMs });
      if (requestedMs === null || signal?.aborted || clock.monotonic() + waitMs > untilMs) throw error;
      onRetry?.(error, waitMs);
      await clock.sleep(waitMs, signal).catch(() => Promise.reject(error as Error));
    }
  }
}

/** For servers that are unavailable when a service starts. A process whose start fails is restarted later than that. */
export const startRetry = { clock: systemClock, withinMs: 20_000, firstMs: 250, longestMs: 1_000 } as const;
