import { retry } from '@rapporteur/async';
import { GrantRefused } from './grant-store.ts';
import type { GrantStore, PutObject, PutReceipt } from './grant-store.ts';
import type { RunContext } from '../run-context.ts';

export interface UploadQueueOptions extends Pick<RunContext, 'clock' | 'logger'> {
  readonly store: GrantStore;
  /** Objects that may wait; beyond that the oldest waiting one is dropped. They stay on the local disk. */
  readonly longest?: number;
}

interface Waiting {
  readonly object: PutObject;
  readonly settle: (receipt: PutReceipt | null) => void;
}

/**
 * Uploads one object after the other, in order, each until it is stored, the queue is closed or the grant is refused.
 */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #longest: number;
  readonly #waiting: Waiting[] = [];
  readonly #closing = new AbortController();
  #working: Promise<void> | null = null;
  #refused = false;

  constructor(options: UploadQueueOptions) {
    this.#options = options;
    this.#longest = options.longest ?? 2_000;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves with the receipt, or with null when the object was not stored. Never rejects. */
  add(object: PutObject): Promise<PutReceipt | null> {
    if (this.#closing.signal.aborted || this.#refused) return Promise.resolve(null);
    const stored = new Promise<PutReceipt | null>((settle) => this.#waiting.push({ object, settle }));
    if (this.#waiting.length > this.#longest) {
      const givenUp = this.#waiting.splice(1, 1)[0];
      givenUp?.settle(null);
      this.#options.logger.warn(
        { key: givenUp?.object.key },
        'Too many uploads wait for the storage service; the oldest one was dropped.',
      );
    }
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
    return stored;
  }

  /** @returns true when no upload waits any more, false when the deadline came first */
  async drain(deadlineMs: number): Promise<boolean> {
    const until = this.#options.clock.monotonic() + deadlineMs;
    while (this.#working !== null && this.#options.clock.monotonic() < until) await this.#options.clock.sleep(25);
    return this.#working === null;
  }

  /** Drops what waits and aborts what is in progress. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The upload queue was closed.'));
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const receipt = await this.#upload(next.object);
      next.settle(receipt);
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
    }
  }

  async #upload(object: PutObject): Promise<PutReceipt | null> {
    const { store, clock, logger } = this.#options;
    if (this.#refused) return null;
    return await retryUpload(() => store.put(object, this.#closing.signal), {
      clock,
      logger,
      signal: this.#closing.signal,
      fields: { key: object.key },
      permanentFailure: (error) => {
        this.#refused = error instanceof GrantRefused;
        return this.#refused ? 'The storage grant is no longer valid; nothing more is uploaded.' : null;
      },
    });
  }
}

interface RetryUploadOptions extends Pick<RunContext, 'clock' | 'logger'> {
  /** Abandons it. */
  readonly signal: AbortSignal;
  /** Logged with each failure. */
  readonly fields: object;
  /** The message when it can never succeed any more; null while it is retried. */
  readonly permanentFailure: (error: unknown) => string | null;
}

const pauses = { firstMs: 500, longestMs: 10_000 } as const;

/** Retries the work with backoff until it succeeds. Null when it is abandoned. */
export async function retryUpload<T>(work: () => Promise<T>, options: RetryUploadOptions): Promise<T | null> {
  const { clock, logger, signal, fields, permanentFailure } = options;
  const requestedMsOf = (error: unknown): number | null => {
    if (signal.aborted) return null;
    const end = permanentFailure(error);
    if (end !== null) logger.warn({ err: error, ...fields }, end);
    return end === null ? 0 : null;
  };
  const onRetry = (error: unknown, pauseMs: number): void =>
    logger.warn({ err: error, ...fields, pauseMs }, 'An upload failed; it is tried again.');
  if (signal.aborted) return null;
  return await retry(work, { clock, signal, ...pauses, withinMs: Infinity, requestedMsOf, onRetry }).catch(() => null);
}
