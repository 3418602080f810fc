import type { Clock } from '@rapporteur/async';
import { LeaseLost } from './leased-rows.ts';

export interface RowLease<Row> {
  readonly ms: number;
  readonly extend: (row: Row) => Promise<void>;
  /** Fields of log lines. */
  readonly factsOf: (row: Row) => object;
}

export interface QueueWorkerDependencies<Row> {
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  /** The work in log lines: "transcriptions". */
  readonly what: string;
  /** Rows in progress at most. */
  readonly concurrency: number;
  readonly pollMs: number;
  /** Minimum from one claim to the next, in ms; default 0. */
  readonly restMs?: number;
  /** Leases up to `free` due rows. @param busy rows in progress */
  readonly claim: (free: number, busy: readonly Row[]) => Promise<readonly Row[]>;
  /**
   * Works on one row and ends its lease; must not reject. The signal aborts with LeaseLost when the lease was lost, and
   * when the worker stops.
   */
  readonly work: (row: Row, signal: AbortSignal) => Promise<void>;
  /** Extends a lease three times while it lasts; throws LeaseLost. Absent: the lease outlives the work. */
  readonly lease?: RowLease<Row>;
  /** Time for rows in progress when the worker stops, before their signal aborts; default 0. */
  readonly drainMs?: number;
}

/** A slower claim is followed by a pause of the same length, so that claims use at most half of the time. */
const cheapClaimMs = 20;

/** Claims due rows and works on them concurrently. The lease of a row whose process died ends, and it is claimed again. */
export class QueueWorker<Row> {
  readonly #dependencies: QueueWorkerDependencies<Row>;
  readonly #inProgress = new Map<Promise<void>, Row>();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  #wake = new AbortController();
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(dependencies: QueueWorkerDependencies<Row>) {
    this.#dependencies = dependencies;
  }

  start(): this {
    this.#loop ??= this.#run();
    return this;
  }

  /** Rows may be due: claims now instead of after the pause. */
  notify(): void {
    this.#wake.abort();
  }

  /** Claims due rows and starts work on them. @returns their number */
  async sweep(): Promise<number> {
    const { concurrency, claim } = this.#dependencies;
    const free = concurrency - this.#inProgress.size;
    if (free <= 0) return 0;
    const claimed = await claim(free, [...this.#inProgress.values()]);
    for (const row of claimed) this.#begin(row);
    return claimed.length;
  }

  /** Resolves when no row is in progress. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress.keys());
  }

  /** Claims no more, waits for rows in progress up to `drainMs`, then aborts them. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    this.notify();
    await this.#loop;
    const timer = setTimeout(() => this.#cut.abort(), this.#dependencies.drainMs ?? 0);
    await this.idle();
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { clock, logger, what, pollMs, restMs = 0 } = this.#dependencies;
    const stopping = this.#stopping.signal;
    let failing = false;
    const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms, signal).catch(() => undefined);
    while (!stopping.aborted) {
      this.#wake = new AbortController();
      const beganMs = clock.monotonic();
      const started = await this.sweep().catch((error: unknown) => {
        if (!failing) logger.warn({ err: error }, `Due ${what} could not be read; trying again.`);
        return null;
      });
      failing = started === null;
      const tookMs = clock.monotonic() - beganMs;
      const pauseMs = Math.max(restMs - tookMs, tookMs > cheapClaimMs ? tookMs : 0);
      if (pauseMs > 0) await sleep(pauseMs, stopping);
      if (started === null || started === 0) await sleep(pollMs, AbortSignal.any([this.#wake.signal, stopping]));
    }
  }

  #begin(row: Row): void {
    const working = this.#work(row).finally(() => {
      this.#inProgress.delete(working);
      // Capacity is free.
      this.notify();
    });
    this.#inProgress.set(working, row);
  }

  async #work(row: Row): Promise<void> {
    const { work, lease } = this.#dependencies;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#cut.signal]);
    const extending = lease === undefined ? undefined : this.#extend(row, lease, over, signal);
    try {
      await work(row, signal);
    } finally {
      over.abort();
      await extending;
    }
  }

  async #extend(row: Row, lease: RowLease<Row>, over: AbortController, signal: AbortSignal): Promise<void> {
    const { ms, extend, factsOf } = lease;
    const { clock, logger, what } = this.#dependencies;
    while (!signal.aborted) {
      await clock.sleep(ms / 3, signal).catch(() => undefined);
      if (signal.aborted) return;
      await extend(row).catch((error: unknown) => {
        if (error instanceof LeaseLost) over.abort(error);
        else logger.warn({ err: error, ...factsOf(row) }, `A lease of ${what} could not be extended; trying again.`);
      });
    }
  }
}
