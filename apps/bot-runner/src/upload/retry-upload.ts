import type { Clock, Logger } from '@rapporteur/service-runtime/process';

export interface RetryUploadOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Abandons it. */
  readonly signal: AbortSignal;
  /** Logged with each failure. */
  readonly fields: object;
  /** The message when it can never succeed any more; null while it is retried. */
  readonly hopeless: (error: unknown) => string | null;
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Retries the work with backoff until it succeeds. Null when it is abandoned. */
export async function retryUpload<T>(work: () => Promise<T>, options: RetryUploadOptions): Promise<T | null> {
  const { clock, logger, signal, fields, hopeless } = options;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) break;
      const end = hopeless(error);
      logger.warn({ err: error, ...fields, pauseMs }, end ?? 'An upload failed; it is tried again.');
      if (end !== null) break;
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }
  return null;
}
