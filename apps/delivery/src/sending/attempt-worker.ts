import { continueTrace } from '@rapporteur/event-bus';
import { Failure } from '@rapporteur/failures';
import type { Clock, Logger, Metrics } from '@rapporteur/service-runtime';
import { QueueWorker } from '@rapporteur/work-queue';
import { deliveryMetrics } from '../metrics.ts';
import type { AttemptResult, NextStep } from './schedule.ts';
import { AttemptCancelled } from './send-attempt.ts';

export interface ClaimLimits {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly total: number;
  /** Maximum number of attempts to one receiver, over all processes. */
  readonly perPartition: number;
  /** Maximum number of attempts for one team in this process. */
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
  /** Counted over the lifetime of this delivery. */
  readonly number: number;
  readonly state: string;
}

/** Source of due work and destination of results: rows are leased, attempted, and settled or rescheduled. */
export interface AttemptQueue<T> {
  /** Leases due work; no two processes get the same. */
  claim(limits: ClaimLimits): Promise<T[]>;
  /** The next step after an attempt; `spread` is a random number from 0 to 1. */
  stepAfter(work: T, result: AttemptResult, spread: number): NextStep;
  /** Null when the work was deleted meanwhile. */
  record(work: T, result: AttemptResult, outcome: AttemptOutcome): Promise<RecordedAttempt | null>;
  /** Returns work without an attempt, due again at `dueMs`. */
  release(work: T, dueMs: number): Promise<void>;
  /** Unit of the concurrency limit. */
  partitionOf(work: T): string;
  /** Trace of the work; null: none. */
  traceOf(work: T): string | null;
  /** Fields for the log line and the metrics: team, receiver, event; never a secret. */
  factsOf(work: T): { readonly event: string; readonly to: string } & Readonly<Record<string, unknown>>;
}

export interface AttemptWorkerDependencies<T> {
  readonly queue: AttemptQueue<T>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * Makes one attempt. An error of the receiver is a result; rejects with AttemptCancelled or an error of this service.
   */
  readonly send: (work: T, signal: AbortSignal) => Promise<AttemptResult>;
  readonly concurrency: number;
  readonly partitionConcurrency: number;
  readonly attemptTimeoutMs: number;
  readonly pollMs: number;
  /** From 0 to 1; default Math.random. */
  readonly random?: () => number;
}

/** In attempt timeouts: the second one is for storing the result. */
const leaseAttempts = 2;
/** Pause after an error of this service; shorter while another service is unavailable. */
const ownTroublePauseMs = 60_000;
const unavailablePauseMs = 10_000;
/** Minimum from one claim to the next: attempts that end in between are replaced together. */
const claimRestMs = 20;
/** Time for attempts in progress when the service stops. */
const drainMs = 5_000;

/**
 * Sends due work, with a limit in total and per partition, so that an unresponsive receiver delays only itself. An
 * attempt whose process died is repeated with the same id and bytes when its lease ends. The cost of a claim grows with
 * the number of receivers with due work, and each finished attempt triggers one.
 */
export function attemptWorker<T>(dependencies: AttemptWorkerDependencies<T>): QueueWorker<T> {
  const { queue, clock, logger, concurrency, partitionConcurrency, attemptTimeoutMs, pollMs } = dependencies;
  const attempts = new Attempts(dependencies);
  return new QueueWorker<T>({
    clock,
    logger,
    what: 'messages',
    concurrency,
    pollMs,
    restMs: claimRestMs,
    drainMs,
    claim: (total, inProgress) =>
      queue.claim({
        nowMs: clock.now(),
        leaseMs: leaseAttempts * attemptTimeoutMs,
        total,
        perPartition: partitionConcurrency,
        // Unresponsive receivers of one team leave the other half to the rest.
        perTeam: Math.ceil(concurrency / 2),
        busy: countBy(inProgress, queue.partitionOf),
      }),
    work: (work, signal) =>
      continueTrace(queue.traceOf(work), `deliver ${queue.factsOf(work).event}`, () => attempts.make(work, signal)),
  });
}

function countBy<T>(work: readonly T[], partitionOf: (work: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of work) counts.set(partitionOf(one), (counts.get(partitionOf(one)) ?? 0) + 1);
  return counts;
}

class Attempts<T> {
  readonly #dependencies: AttemptWorkerDependencies<T>;
  readonly #attempts;
  readonly #durations;

  constructor(dependencies: AttemptWorkerDependencies<T>) {
    this.#dependencies = dependencies;
    const { attempts, durations } = dependencies.metrics.declare(deliveryMetrics);
    this.#attempts = attempts;
    this.#durations = durations;
  }

  /** Never rejects: after any error the lease ends and the attempt is repeated. */
  async make(work: T, signal: AbortSignal): Promise<void> {
    const { queue, clock, send, random = Math.random } = this.#dependencies;
    const startedMs = clock.now();
    try {
      const result = await send(work, signal);
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
    // If this fails too, the lease expires.
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
