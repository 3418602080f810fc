import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { backoffMs, systemClock, withDeadline } from '@rapporteur/async';
import { Failure } from '@rapporteur/failures';
import { inSpan, traceOf, withTrace } from './message-trace.ts';
import type { BusLogger, BusMeasurements, Stoppable } from './ports.ts';
import { holds, streamOf } from './streams.ts';
import type { StreamDefinition } from './streams.ts';

export interface MessageFacts {
  readonly subject: string;
  /** 1 on the first delivery. */
  readonly delivery: number;
  /** The service whose outbox it comes from, if any. */
  readonly outbox: string | null;
}

export interface ConsumeOptions {
  /** Part of the durable name: instances with the same name share the messages. */
  readonly consumer: string;
  /** One subject or pattern of one stream. */
  readonly subject: string;
  /**
   * Resolves: acknowledged. Throws a Failure that is not retryable: never redelivered. Throws anything else, or takes
   * longer than two minutes: redelivered with backoff up to 30 s.
   */
  readonly handle: (message: unknown, facts: MessageFacts) => Promise<void>;
  /**
   * Messages handled at the same time by this instance; default 8. With 1 they are handled strictly in order, across
   * all instances: a message that fails blocks the following ones until it succeeds.
   */
  readonly concurrency?: number;
}

export interface ConsumerConnections {
  readonly isClosed: () => boolean;
  readonly client: JetStreamClient;
  readonly manager: () => Promise<JetStreamManager>;
  readonly ensureStream: (stream: StreamDefinition) => Promise<void>;
  readonly logger: BusLogger;
  readonly measurements?: BusMeasurements | undefined;
}

const nanosPerMs = 1_000_000;
const pullMs = 5_000;
const heartbeatMs = 1_000;
const ackWaitMs = 60_000;
const stillWorkingEveryMs = 20_000;
const handleDeadlineMs = 120_000;
const stopDeadlineMs = 10_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** After a consumer lasted this long, the count of failures starts again. */
const calmMs = 10_000;
const defaultConcurrency = 8;
const failuresOfAnOutage = 5;
const stuckAfterMs = 10_000;
/** The server's notices for a missing consumer. */
const lossNotices = new Set(['no_responders', 'consumer_deleted', 'consumer_not_found', 'stream_not_found']);

export interface RunningConsumer extends Stoppable {
  readonly stream: StreamDefinition;
  /** Throws when messages cannot be fetched, or are not delivered for 10 s although this instance requests them. */
  check(): Promise<void>;
}

/** Delivers messages until stopped. Recreates stream and consumer when they are missing. */
export async function startConsumer(
  connections: ConsumerConnections,
  options: ConsumeOptions,
): Promise<RunningConsumer> {
  const consumer = new DurableConsumer(connections, options);
  await consumer.start();
  return consumer;
}

class DurableConsumer implements RunningConsumer {
  readonly stream: StreamDefinition;
  readonly #connections: ConsumerConnections;
  readonly #options: ConsumeOptions;
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Consecutive failures, without a message in between. */
  #failures = 0;
  /** Since when the last delivered message is this one, although others are stored and none is being handled. */
  #stuck: { readonly at: number; readonly sinceMs: number } | null = null;
  #ended: Promise<void> | undefined;

  constructor(connections: ConsumerConnections, options: ConsumeOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#limit = options.concurrency ?? defaultConcurrency;
    this.stream = streamOf(options.subject);
  }

  get #durable(): string {
    return durableNameOf(this.#options.consumer, this.#options.subject);
  }

  async start(): Promise<void> {
    await this.#ensure();
    this.#loop = this.#deliverForEver();
  }

  async check(): Promise<void> {
    const failed = new Error(`Messages of the consumer ${this.#durable} are not delivered.`);
    if (this.#failures >= failuresOfAnOutage) throw failed;
    const manager = await this.#connections.manager();
    const { delivered, num_pending, num_ack_pending } = await manager.consumers.info(this.stream.name, this.#durable);
    const waits = num_pending > 0 && num_ack_pending === 0 && this.#running.size === 0;
    const at = delivered.stream_seq;
    if (!waits) this.#stuck = null;
    else if (this.#stuck?.at !== at) this.#stuck = { at, sinceMs: performance.now() };
    else if (performance.now() - this.#stuck.sinceMs >= stuckAfterMs) throw failed;
  }

  stop(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  /** Messages still being handled at the deadline are redelivered, possibly to another instance. */
  async #end(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    const handled = Promise.allSettled(this.#running);
    await withDeadline(handled, stopDeadlineMs, 'Handling').catch(() => undefined);
  }

  async #ensure(): Promise<void> {
    const { stream } = this;
    const manager = await this.#connections.manager();
    await this.#connections.ensureStream(stream);
    const wanted = {
      filter_subject: this.#options.subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWaitMs * nanosPerMs,
      max_deliver: -1,
      // One unacknowledged message at a time makes the order strict, including the backoff of failed messages.
      max_ack_pending: this.#limit === 1 ? 1 : 1_000,
    };
    const config = { durable_name: this.#durable, deliver_policy: DeliverPolicy.All, ...wanted };
    const made = await manager.consumers.add(stream.name, config).catch(async () => {
      // Created by an older build with other settings.
      return await manager.consumers.update(stream.name, this.#durable, wanted);
    });
    if (!holds(made.config, wanted)) {
      throw new Error(`The NATS server did not keep the settings of consumer ${this.#durable}.`);
    }
  }

  async #deliverForEver(): Promise<void> {
    const { isClosed, logger } = this.#connections;
    const { consumer, subject } = this.#options;
    while (!this.#stopping.signal.aborted && !isClosed()) {
      const startedAt = performance.now();
      try {
        if (this.#failures > 0) await this.#ensure();
        await this.#deliver();
      } catch (error) {
        this.#failures = performance.now() - startedAt > calmMs ? 1 : this.#failures + 1;
        // The first failures may be a restart of the server.
        if (this.#failures === failuresOfAnOutage) {
          logger.warn({ err: error, consumer, subject }, 'Messages cannot be fetched right now; trying again.');
        }
        const waitMs = backoffMs(this.#failures, { firstMs: 50, longestMs: 2_000 });
        await systemClock.sleep(waitMs, this.#stopping.signal).catch(() => undefined);
      }
    }
  }

  /** Resolves when stopped; rejects when the consumer is lost. */
  async #deliver(): Promise<void> {
    const { client } = this.#connections;
    const consumer = await client.consumers.get(this.stream.name, this.#durable);
    const messages = await consumer.consume({
      max_messages: this.#limit,
      expires: pullMs,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
    });
    const onStop = (): void => messages.stop();
    this.#stopping.signal.addEventListener('abort', onStop);
    if (this.#stopping.signal.aborted) onStop();
    void stopWhenLost(messages);
    try {
      for await (const message of messages) {
        this.#failures = 0;
        if (this.#stopping.signal.aborted) message.nak();
        else await this.#take(message);
      }
    } finally {
      this.#stopping.signal.removeEventListener('abort', onStop);
      messages.stop();
    }
    if (!this.#stopping.signal.aborted) throw new Error(`The consumer ${this.#durable} is gone.`);
  }

  /** Starts the work on a message and resolves when there is capacity for another. */
  async #take(message: JsMsg): Promise<void> {
    const work = this.#handle(message).finally(() => this.#running.delete(work));
    this.#running.add(work);
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
  }

  async #handle(message: JsMsg): Promise<void> {
    const facts: MessageFacts = {
      subject: message.subject,
      delivery: message.info.deliveryCount,
      outbox: message.headers?.get('Rapporteur-Outbox') || null,
    };
    const stillWorking = setInterval(() => message.working(), stillWorkingEveryMs);
    const startedAt = performance.now();
    const parent = traceOf(message.headers);
    const measure = (outcome: string): void => {
      const labels = { event: this.#options.subject, outcome };
      const seconds = (performance.now() - startedAt) / 1_000;
      withTrace(parent, () => this.#connections.measurements?.handled.observe(labels, seconds));
    };
    try {
      await inSpan(parent, this.#options.subject, 'consume', async () =>
        withDeadline(this.#options.handle(parse(message), facts), handleDeadlineMs, 'Handling'),
      );
      message.ack();
      measure('handled');
    } catch (error) {
      measure(this.#respondWithFailure(message, facts, error));
    } finally {
      clearInterval(stillWorking);
    }
  }

  #respondWithFailure(message: JsMsg, facts: MessageFacts, error: unknown): 'retried' | 'dropped' {
    const { logger } = this.#connections;
    const fields = { err: error, ...facts, consumer: this.#options.consumer };
    if (error instanceof UnreadableMessage || (error instanceof Failure && !error.retryable)) {
      // The reason is only logged: servers before 2.10 ignore a `term` with a reason.
      logger.error(fields, 'A message can never be handled and is put aside.');
      message.term();
      return 'dropped';
    }
    logger.warn(fields, 'A message could not be handled; it is redelivered.');
    message.nak(pauseBeforeRetryMs(error, facts.delivery));
    return 'retried';
  }
}

class UnreadableMessage extends Error {}

function parse(message: JsMsg): unknown {
  try {
    return message.json();
  } catch (error) {
    throw new UnreadableMessage('The message is not JSON.', { cause: error });
  }
}

function pauseBeforeRetryMs(error: unknown, delivery: number): number {
  const requestedMs = error instanceof Failure ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(
    longestPauseMs,
    backoffMs(delivery, { firstMs: firstPauseMs, longestMs: longestPauseMs, requestedMs }),
  );
}

/** JetStream names must not contain dots or wildcards. */
export function durableNameOf(consumer: string, subject: string): string {
  return `${consumer}--${subject.replaceAll('.', '_').replaceAll('*', 'each').replaceAll('>', 'all')}`;
}

async function stopWhenLost(messages: ConsumerMessages): Promise<void> {
  for await (const notice of messages.status()) {
    if (lossNotices.has(notice.type)) messages.stop();
  }
}
