import { context, propagation } from '@opentelemetry/api';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, headers as newHeaders } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { BusLogger, EventMessage } from './ports.ts';
import { ensureStream, streams } from './streams.ts';
import { startConsumer } from './consumer.ts';
import type { ConsumeOptions, Stoppable } from './consumer.ts';

export interface BusOptions {
  readonly url: string;
  /** Text of a NATS credentials file; absent where the server asks for none. */
  readonly credentials?: string;
  /** Where replies to this connection arrive; a runner's credential allows only its own. */
  readonly inboxPrefix?: string;
  /** Shown by the server and in logs. */
  readonly name: string;
  readonly logger: BusLogger;
}

export interface PublishOptions {
  /** JetStream drops a second message with the same id inside two minutes. */
  readonly messageId?: string;
  /** The service whose outbox the event comes from; consumers tell it when they are done. */
  readonly outbox?: string;
  readonly timeoutMs?: number;
}

/** The message bus. A doorbell: everything on it can be rung again from a table. */
export interface Bus {
  /** Creates the streams that are missing. */
  ensureStreams(): Promise<void>;
  /** Resolves when JetStream has the message; rejects within `timeoutMs` (default 3 000). */
  publish(subject: string, message: EventMessage, options?: PublishOptions): Promise<void>;
  /** Handles messages of a durable consumer until stopped, whatever happens to the server or its store. */
  consume(options: ConsumeOptions): Promise<Stoppable>;
  /** Core NATS: one JSON question, one JSON answer. Rejects within `timeoutMs`. */
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
  /** Answers questions; instances that reply to the same subject share them. A thrown error gives no answer. */
  reply(subject: string, handle: (body: unknown, subject: string) => Promise<unknown>): Stoppable;
  /** Core NATS, may get lost: says that something happened. */
  ring(subject: string, body?: unknown): void;
  onRing(subject: string, listener: (body: unknown) => void, options?: { readonly shareAs?: string }): Stoppable;
  healthy(): boolean;
  close(): Promise<void>;
}

const encode = (body: unknown): string => JSON.stringify(body ?? null);

/** Connects, and from then on reconnects for ever. Rejects when the first connection fails within 10 s. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const connection = await connect({
    servers: options.url,
    name: options.name,
    timeout: 10_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    maxPingOut: 2,
    ...(options.credentials === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(options.credentials)) }),
    ...(options.inboxPrefix === undefined ? {} : { inboxPrefix: options.inboxPrefix }),
  });
  return new NatsBus(connection, options);
}

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #logger: BusLogger;
  #connected = true;
  #closing: Promise<void> | undefined;

  constructor(connection: NatsConnection, { logger, name }: BusOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: 3_000 });
    this.#logger = logger;
    void this.#watch(name);
  }

  async #watch(name: string): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') {
        this.#connected = false;
        this.#logger.warn({ bus: name }, 'The connection to the message bus was lost; trying again.');
      }
      if (status.type === 'reconnect') {
        this.#connected = true;
        this.#logger.info({ bus: name }, 'The message bus is back.');
      }
    }
  }

  #manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.#connection, { timeout: 3_000, checkAPI: false });
  }

  async ensureStreams(): Promise<void> {
    const manager = await this.#manager();
    for (const stream of streams) await ensureStream(manager, stream);
  }

  async publish(subject: string, message: EventMessage, options: PublishOptions = {}): Promise<void> {
    const headers = newHeaders();
    if (options.outbox !== undefined) headers.set('Rapporteur-Outbox', options.outbox);
    propagation.inject(context.active(), headers, { set: (carrier, name, value) => carrier.set(name, value) });
    await this.#client.publish(subject, encode(message), {
      headers,
      timeout: options.timeoutMs ?? 3_000,
      ...(options.messageId === undefined ? {} : { msgID: options.messageId }),
    });
  }

  consume(options: ConsumeOptions): Promise<Stoppable> {
    return startConsumer({ connection: this.#connection, client: this.#client, manager: () => this.#manager(), logger: this.#logger }, options);
  }

  async request(subject: string, body: unknown, { timeoutMs }: { readonly timeoutMs: number }): Promise<unknown> {
    const answer = await this.#connection.request(subject, encode(body), { timeout: timeoutMs });
    return answer.json();
  }

  reply(subject: string, handle: (body: unknown, subject: string) => Promise<unknown>): Stoppable {
    const subscription = this.#connection.subscribe(subject, {
      queue: 'reply',
      callback: (_error, message) => {
        const answer = async (): Promise<void> => {
          message.respond(encode(await handle(message.json(), message.subject)));
        };
        answer().catch((error: unknown) => this.#logger.error({ err: error, subject: message.subject }, 'A question on the bus could not be answered.'));
      },
    });
    return { stop: () => subscription.drain() };
  }

  ring(subject: string, body?: unknown): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subject, encode(body));
  }

  onRing(subject: string, listener: (body: unknown) => void, options: { readonly shareAs?: string } = {}): Stoppable {
    const subscription = this.#connection.subscribe(subject, {
      ...(options.shareAs === undefined ? {} : { queue: options.shareAs }),
      callback: (error, message) => {
        if (error === null) listener(message.json());
      },
    });
    return { stop: async () => subscription.unsubscribe() };
  }

  healthy(): boolean {
    return this.#connected && !this.#connection.isClosed();
  }

  close(): Promise<void> {
    // Draining waits for the server; while it is away there is nothing to wait for.
    this.#closing ??= this.#connected ? this.#connection.drain().catch(() => this.#connection.close()) : this.#connection.close();
    return this.#closing;
  }
}
