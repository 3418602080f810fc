import type { Clock } from './clock.ts';

export interface Repetition {
  /** Resolves when a round that was begun is over. Safe twice. */
  stop(): Promise<void>;
}

/** Does the work at once and then again, each time `everyMs` after it was done, until stopped. @param work must not reject */
export function repeatUntilStopped(clock: Clock, everyMs: number, work: () => Promise<void>): Repetition {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work();
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
