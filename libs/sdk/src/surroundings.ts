/** The external dependencies of the client, replaceable in tests. */
export interface Surroundings {
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
  /** Rejects when the signal fires. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
}

export const runtimeSurroundings: Surroundings = { now: () => performance.now(), pause, random: Math.random };

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
