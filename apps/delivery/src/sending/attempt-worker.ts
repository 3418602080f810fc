import { continueTrace } from '@rapporteur/event-bus';
import { Failure } from '@rapporteur/failures';
import type { Clock, Logger, Metrics } from '@rapporteur/service-runtime';
import { deliveryMetrics } from '../metrics.ts';
import type { AttemptResult, NextStep } from './schedule.ts';
import { AttemptCancelled } from './send-attempt.ts';

export interface ClaimLimits {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly total: number;
  /** Attempts in progress to one receiver, over all processes. */
  readonly perPartition: number;
  /** Attempts in progress for one team in this process. */
  readonly perTeam: number;
  /** Attempts in progress in this process, by partition. */
  readonly busy: ReadonlyMap<string, number>;
}

export interface AttemptOutcome {
  readonly step: NextStep;
  readonly startedMs: number;
  readonly nowMs: number;
}

export interface RecordedAttempt {
  /** Counted over the whole life of this delivery. */
  readonly number: number;
  readonly state: string;
}

/** Where work comes from and where its results go: rows that are leased, attempted, and settled or due again. */
export interface AttemptQueue<T> {
  /** Leases what is due; no two processes get the same. */
  claim(limits: ClaimLimits): Promise<T[]>;
  /** What follows from an attempt; `spread` is a random number from 0 to 1. */
  stepAfter(work: T, result: AttemptResult, spread: number): NextStep;
  /** Null when the work was removed meanwhile. */
  record(work: T, result: AttemptResult, outcome: AttemptOutcome): Promise<RecordedAttempt | null>;
  /** Gives work back untouched, for another attempt at `dueMs`. */
  release(work: T, dueMs: number): Promise<void>;
  /** Attempts of one partition have a limit of their own. */
  partitionOf(work: T): string;
  /** Trace that the work belongs to; null: none. */
  traceOf(work: T): string | null;
  /** For the log line and the metrics: who, what, which event; never a secret. */
  factsOf(work: T): { readonly event: string; readonly to: string } & Readonly<Record<string, unknown>>;
}

export interface AttemptWorkerDependencies<T> {
  readonly queue: AttemptQueue<T>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Makes one attempt. What the receiver did wrong is a result; rejects with AttemptCancelled or trouble on our side. */
  readonly send: (work: T, signal: AbortSignal) => Promise<AttemptResult>;
  readonly concurrency: number;
  readonly partitionConcurrency: number;
  readonly attemptTimeoutMs: number;
  readonly pollMs: number;
  /** From 0 to 1; default Math.random. */
  readonly random?: () => number;
}

/** A lease outlives the longest attempt by as much again: time to write down the result. */
const leaseAttempts = 2;
/** When this service itself cannot send, it tries again after this; sooner when it only waits for another service. */
const ownTroublePauseMs = 60_000;
const unavailablePauseMs = 10_000;
/**
 * A poll costs with the number of receivers that have something waiting, and each attempt that ends requests one. One that
 * took longer is followed by a rest of the same length: the database is busy with it for half of the time at most.
 */
const cheapPollMs = 20;
/** What is still in progress when the service stops gets this long. */
const drainMs = 5_000;

/**
 * Sends what is due. Keeps a limit over all and per partition, so that a receiver that hangs holds up only itself. An attempt
 * whose process dies is made again when its lease ends, with the same id and the same bytes.
 */
export class AttemptWorker<T> {
  readonly #dependencies: AttemptWorkerDependencies<T>;
  readonly #inProgress = new Map<Promise<void>, string>();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  readonly #attempts;
  readonly #durations;
  #wake = new AbortController();
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(dependencies: AttemptWorkerDependencies<T>) {
    this.#dependencies = dependencies;
    const { attempts, durations } = dependencies.metrics.declare(deliveryMetrics);
    this.#attempts = attempts;
    this.#durations = durations;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Something may be due: look now instead of at the next poll. */
  notify(): void {
    this.#wake.abort();
  }

  /** Claims what is due and starts its attempts; gives how many. */
  async sweep(): Promise<number> {
    const { queue, clock, concurrency, partitionConcurrency, attemptTimeoutMs } = this.#dependencies;
    const free = concurrency - this.#inProgress.size;
    if (free <= 0) return 0;
    const claimed = await queue.claim({
      nowMs: clock.now(),
      leaseMs: leaseAttempts * attemptTimeoutMs,
      total: free,
      perPartition: partitionConcurrency,
      // However many receivers of a team hang, the other half stays for the rest.
      perTeam: Math.ceil(concurrency / 2),
      busy: this.#busy(),
    });
    for (const work of claimed) this.#begin(work);
    return claimed.length;
  }

  /** Resolves when no attempt is in progress. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress.keys());
  }

  /** Claims nothing more, gives attempts in progress a moment, then cuts them; they are made again later. Safe twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    this.notify();
    await this.#loop;
    const timer = setTimeout(() => this.#cut.abort(), drainMs);
    await this.idle();
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { clock, logger, pollMs } = this.#dependencies;
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      const beganMs = clock.now();
      const started = await this.sweep().catch((error: unknown) => {
        logger.warn({ err: error }, 'Due messages could not be read; trying again.');
        return 0;
      });
      const tookMs = clock.now() - beganMs;
      if (tookMs > cheapPollMs) await clock.sleep(tookMs, this.#stopping.signal).catch(() => undefined);
      if (started === 0) await clock.sleep(pollMs, this.#wake.signal).catch(() => undefined);
    }
  }

  #busy(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const partition of this.#inProgress.values()) counts.set(partition, (counts.get(partition) ?? 0) + 1);
    return counts;
  }

  #begin(work: T): void {
    const { queue } = this.#dependencies;
    const { event } = queue.factsOf(work);
    const attempt = continueTrace(queue.traceOf(work), `deliver ${event}`, () => this.#attempt(work)).finally(() => {
      this.#inProgress.delete(attempt);
      // Its place is free: more of a full partition may be due.
      this.notify();
    });
    this.#inProgress.set(attempt, queue.partitionOf(work));
  }

  /** Never rejects: whatever goes wrong, the lease ends and the attempt is made again. */
  async #attempt(work: T): Promise<void> {
    const { queue, clock, send, random = Math.random } = this.#dependencies;
    const startedMs = clock.now();
    try {
      const result = await send(work, this.#cut.signal);
      const step = queue.stepAfter(work, result, random());
      const recorded = await queue.record(work, result, { step, startedMs, nowMs: clock.now() });
      this.#report(work, result, recorded);
    } catch (error) {
      await this.#giveBack(work, error);
    }
  }

  async #giveBack(work: T, error: unknown): Promise<void> {
    const { queue, clock, logger } = this.#dependencies;
    const cancelled = error instanceof AttemptCancelled;
    const waiting = error instanceof Failure && error.retryable;
    const facts = queue.factsOf(work);
    this.#attempts.inc({ event: facts.event, to: facts.to, outcome: cancelled ? 'cancelled' : 'not_sent' });
    if (!cancelled)
      logger.error(
        { err: error, ...facts },
        'A message could not be sent, or its result not written down, because of trouble on our side. It is tried again.',
      );
    const dueMs = clock.now() + (cancelled ? 0 : waiting ? unavailablePauseMs : ownTroublePauseMs);
    // If this fails too, the lease ends by itself.
    await queue.release(work, dueMs).catch(() => undefined);
  }

  #report(work: T, result: AttemptResult, recorded: RecordedAttempt | null): void {
    const { queue, logger } = this.#dependencies;
    const outcome = result.succeeded ? 'succeeded' : 'failed';
    const facts = queue.factsOf(work);
    this.#attempts.inc({ event: facts.event, to: facts.to, outcome });
    this.#durations.observe({ outcome }, result.durationMs / 1_000);
    const line = {
      ...facts,
      outcome,
      attempt: recorded?.number ?? null,
      state: recorded?.state ?? 'removed',
      status: result.statusCode,
      durationMs: result.durationMs,
    };
    logger.info(line, `Message ${facts.event} to ${facts.to} ${outcome}.`);
  }
}
