import type { Clock } from './clock.ts';

export interface Repetition {
  /** Runs the work now, or once more when it is running. Never throws. */
  notify(): void;
  /** Resolves when the running round is over. Idempotent. */
  stop(): Promise<void>;
}

export interface RepetitionOptions {
  /** Minimum from the beginning of one round to the next, however often it is notified; default 0. */
  readonly restMs?: number;
}

/**
 * Runs the work at once and then again, `everyMs` after its end or when notified, until stopped. @param work must not
 * reject
 */
export function repeatUntilStopped(
  clock: Clock,
  everyMs: number,
  work: () => Promise<void>,
  { restMs = 0 }: RepetitionOptions = {},
): Repetition {
  const stopping = new AbortController();
  let wake = new AbortController();
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(ms, signal).catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const waking = AbortSignal.any([wake.signal, stopping.signal]);
      const startedMs = clock.monotonic();
      await work();
      await sleep(everyMs, waking);
      const restLeftMs = startedMs + restMs - clock.monotonic();
      if (restLeftMs > 0) await sleep(restLeftMs, stopping.signal);
    }
  };
  const running = run();
  return {
    notify: () => wake.abort(),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
