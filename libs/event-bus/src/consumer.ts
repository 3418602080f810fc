import { context, propagation } from '@opentelemetry/api';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { Failure } from '@rapporteur/failures';
import type { BusLogger } from './ports.ts';
import { ensureStream, streamOf } from './streams.ts';

export interface Stoppable {
  stop(): Promise<void>;
}

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
   * Resolves: acknowledged. Throws a Failure that is not retryable: never delivered again. Throws anything else:
   * delivered again with growing pauses up to 30 s.
   */
  readonly handle: (message: unknown, facts: MessageFacts) => Promise<void>;
  /** Messages handled at the same time; default 8. With 1 they are handled in order. */
  readonly concurrency?: number;
}

interface Connections {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: () => Promise<JetStreamManager>;
  readonly logger: BusLogger;
}

const pullMs = 5_000;
const ackWaitNanos = 60_000_000_000;

/** Pulls until stopped. Makes stream and consumer anew when they are gone. */
export async function startConsumer(connections: Connections, options: ConsumeOptions): Promise<Stoppable> {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  await ensureConsumer(connections, options);
  const loop = pullForEver({ connections, options, stopping: stopping.signal, running });
  return {
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.allSettled(running);
    },
  };
}

function durableName({ consumer, subject }: ConsumeOptions): string {
  return `${consumer}--${subject.replaceAll(/[.*>]+/g, '_')}`;
}

async function ensureConsumer({ manager }: Connections, options: ConsumeOptions): Promise<void> {
  const stream = streamOf(options.subject);
  const jetStream = await manager();
  await ensureStream(jetStream, stream);
  await jetStream.consumers.add(stream.name, {
    durable_name: durableName(options),
    filter_subject: options.subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ackWaitNanos,
    max_deliver: -1,
    max_ack_pending: 1_000,
  });
}

interface Loop {
  readonly connections: Connections;
  readonly options: ConsumeOptions;
  readonly stopping: AbortSignal;
  readonly running: Set<Promise<void>>;
}

async function pullForEver(loop: Loop): Promise<void> {
  const { connections, options, stopping } = loop;
  let failures = 0;
  while (!stopping.aborted && !connections.connection.isClosed()) {
    try {
      await pullOnce(loop);
      failures = 0;
    } catch (error) {
      failures += 1;
      // The first failures are what a restart of the server looks like.
      if (failures === 5) connections.logger.warn({ err: error, consumer: options.consumer, subject: options.subject }, 'Messages cannot be fetched right now; trying again.');
      await pause(Math.min(2_000, 100 * failures), stopping);
      await ensureConsumer(connections, options).catch(() => undefined);
    }
  }
}

async function pullOnce({ connections, options, stopping, running }: Loop): Promise<void> {
  const limit = options.concurrency ?? 8;
  const consumer = await connections.client.consumers.get(streamOf(options.subject).name, durableName(options));
  const messages = await consumer.fetch({ max_messages: limit, expires: pullMs, idle_heartbeat: 1_000 });
  const onStop = () => messages.stop();
  stopping.addEventListener('abort', onStop);
  try {
    for await (const message of messages) {
      const work = handleOne(connections, options, message).finally(() => running.delete(work));
      running.add(work);
      if (running.size >= limit) await Promise.race(running);
    }
  } finally {
    stopping.removeEventListener('abort', onStop);
  }
}

async function handleOne({ logger }: Connections, options: ConsumeOptions, message: JsMsg): Promise<void> {
  const parent = propagation.extract(context.active(), message.headers, {
    keys: (carrier: MsgHdrs | undefined) => carrier?.keys() ?? [],
    get: (carrier: MsgHdrs | undefined, name) => carrier?.get(name) || undefined,
  });
  const facts: MessageFacts = {
    subject: message.subject,
    delivery: message.info.deliveryCount,
    outbox: message.headers?.get('Rapporteur-Outbox') || null,
  };
  try {
    await context.with(parent, () => options.handle(message.json(), facts));
    message.ack();
  } catch (error) {
    const final = error instanceof SyntaxError || (error instanceof Failure && !error.retryable);
    logger.error({ err: error, ...facts, consumer: options.consumer, final }, final ? 'A message can never be handled and is put aside.' : 'A message could not be handled; it comes again.');
    if (final) message.term();
    else message.nak(Math.min(30_000, 500 * 2 ** Math.min(10, facts.delivery - 1)));
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
