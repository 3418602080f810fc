import type { Database } from '@rapporteur/database';
import type { Clock, Logger, Metrics } from '@rapporteur/service-runtime';
import { testEvent } from '../messages/event-types.ts';
import { claimDue, recordAttempt, releaseLease } from './deliveries.store.ts';
import type { ClaimedDelivery, RecordedAttempt } from './deliveries.store.ts';
import { nextStep } from './schedule.ts';
import type { AttemptResult, NextStep } from './schedule.ts';
import { AttemptCancelled } from './send-attempt.ts';

export interface WorkerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Makes one attempt; see `sendAttempt`. */
  readonly send: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptResult>;
  readonly concurrency: number;
  readonly endpointConcurrency: number;
  readonly attemptTimeoutMs: number;
  readonly pollMs: number;
  /** From 0 to 1; default Math.random. */
  readonly random?: () => number;
}

/** A lease outlives the longest attempt by as much again: time to write down the result. */
const leaseAttempts = 2;
/** When this service itself cannot send, it tries again after this. */
const ownTroublePauseMs = 60_000;
/** What is still under way when the service stops gets this long. */
const drainMs = 5_000;

/**
 * Sends what is due. Keeps a limit over all and per endpoint, so that an endpoint that hangs holds up only itself. An
 * attempt whose process dies is made again when its lease ends, with the same id and the same bytes.
 */
export class DeliveryWorker {
  readonly #parts: WorkerParts;
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  readonly #attempts;
  readonly #durations;
  #wake = new AbortController();
  #loop: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#attempts = parts.metrics.counter(
      'rapporteur_webhook_attempts_total',
      'Attempts to deliver a webhook, by event and outcome (succeeded, failed, cancelled, not_sent).',
      ['event', 'outcome'],
    );
    this.#durations = parts.metrics.histogram(
      'rapporteur_webhook_attempt_duration_seconds',
      'Time from opening a connection to an endpoint to the end of its answer.',
      ['outcome'],
    );
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Something may be due: look now instead of at the next poll. */
  ring(): void {
    this.#wake.abort();
  }

  /** Claims what is due and starts its attempts; gives how many. */
  async sweep(): Promise<number> {
    const { database, clock, concurrency, endpointConcurrency, attemptTimeoutMs } = this.#parts;
    const free = concurrency - this.#underWay.size;
    if (free <= 0) return 0;
    const claimed = await claimDue(database, {
      nowMs: clock.now(),
      leaseMs: leaseAttempts * attemptTimeoutMs,
      total: free,
      perEndpoint: endpointConcurrency,
      busy: this.#busy(),
    });
    for (const delivery of claimed) this.#begin(delivery);
    return claimed.length;
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Claims nothing more, gives attempts under way a moment, then cuts them; they are made again later. Safe twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    this.ring();
    await this.#loop;
    const timer = setTimeout(() => this.#cut.abort(), drainMs);
    await this.idle();
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { clock, logger, pollMs } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      const started = await this.sweep().catch((error: unknown) => {
        logger.warn({ err: error }, 'Due webhooks could not be read; trying again.');
        return 0;
      });
      if (started === 0) await clock.sleep(pollMs, this.#wake.signal).catch(() => undefined);
    }
  }

  #busy(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const endpointId of this.#underWay.values()) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    return counts;
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery).finally(() => {
      this.#underWay.delete(attempt);
      // Its place is free: more of a full endpoint may be due.
      this.ring();
    });
    this.#underWay.set(attempt, delivery.endpointId);
  }

  /** Never rejects: whatever goes wrong, the lease ends and the attempt is made again. */
  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { database, clock, send, random = Math.random } = this.#parts;
    const startedMs = clock.now();
    try {
      const result = await send(delivery, this.#cut.signal);
      const step = stepAfter(delivery, result, random());
      const recorded = await recordAttempt(database, delivery, result, { step, startedMs, nowMs: clock.now() });
      this.#report(delivery, result, recorded);
    } catch (error) {
      await this.#giveBack(delivery, error);
    }
  }

  async #giveBack(delivery: ClaimedDelivery, error: unknown): Promise<void> {
    const { database, clock, logger } = this.#parts;
    const cancelled = error instanceof AttemptCancelled;
    this.#attempts.inc({ event: delivery.event, outcome: cancelled ? 'cancelled' : 'not_sent' });
    if (!cancelled)
      logger.error(
        { err: error, ...factsOf(delivery) },
        'A webhook could not be sent, or its result not written down, because of trouble on our side. It is tried again.',
      );
    const dueMs = clock.now() + (cancelled ? 0 : ownTroublePauseMs);
    // If this fails too, the lease ends by itself.
    await releaseLease(database, delivery, dueMs).catch(() => undefined);
  }

  #report(delivery: ClaimedDelivery, result: AttemptResult, recorded: RecordedAttempt | null): void {
    const { logger } = this.#parts;
    const outcome = result.succeeded ? 'succeeded' : 'failed';
    this.#attempts.inc({ event: delivery.event, outcome });
    this.#durations.observe({ outcome }, result.durationMs / 1_000);
    const facts = {
      ...factsOf(delivery),
      outcome,
      attempt: recorded?.number ?? null,
      state: recorded?.state ?? 'endpoint deleted',
      status: result.statusCode,
      durationMs: result.durationMs,
    };
    logger.info(facts, `Webhook ${delivery.event} ${outcome}.`);
    if (recorded !== null && recorded.disabled !== null)
      logger.warn({ ...facts, disabledReason: recorded.disabled }, disabledSentences[recorded.disabled]);
  }
}

const disabledSentences = {
  gone: 'A webhook endpoint answered 410 and was disabled. Its messages are held until it is enabled.',
  failing: 'A webhook endpoint failed for 5 days and was disabled. Its messages are held until it is enabled.',
  by_request: 'A webhook endpoint was disabled on request.',
} as const;

function stepAfter(delivery: ClaimedDelivery, result: AttemptResult, spread: number): NextStep {
  if (delivery.event === testEvent) return { state: result.succeeded ? 'succeeded' : 'failed' };
  return nextStep(result, delivery.tries + 1, spread);
}

function factsOf({ teamId, botId, endpointId, messageId, event }: ClaimedDelivery): object {
  return { teamId, botId, endpointId, messageId, event };
}
