import { retry } from '@rapporteur/async';
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

const pauses = { firstMs: 500, longestMs: 10_000 } as const;

/** Retries the work with backoff until it succeeds. Null when it is abandoned. */
export async function retryUpload<T>(work: () => Promise<T>, options: RetryUploadOptions): Promise<T | null> {
  const { clock, logger, signal, fields, hopeless } = options;
  const requestedMsOf = (error: unknown): number | null => {
    if (signal.aborted) return null;
    const end = hopeless(error);
    if (end !== null) logger.warn({ err: error, ...fields }, end);
    return end === null ? 0 : null;
  };
  const onRetry = (error: unknown, pauseMs: number): void =>
    logger.warn({ err: error, ...fields, pauseMs }, 'An upload failed; it is tried again.');
  if (signal.aborted) return null;
  return await retry(work, { clock, signal, ...pauses, withinMs: Infinity, requestedMsOf, onRetry }).catch(() => null);
}
