import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, headers as newHeaders } from '@nats-io/transport-node';
import type { ConnectionOptions, Msg, NatsConnection } from '@nats-io/transport-node';
import { withDeadline } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { readBusAddress } from './bus-address.ts';
import type { BusTlsFiles } from './bus-address.ts';
import { startConsumer } from './consumer.ts';
import type { ConsumeOptions, RunningConsumer } from './consumer.ts';
import { injectTrace } from './message-trace.ts';
import { busMetrics } from './metrics.ts';
import type { BusLogger, BusMeasurements, BusMetrics, EventMessage, Stoppable } from './ports.ts';
import { ensureStream, isBroken, probeStream, streamOf, streams } from './streams.ts';
import type { StreamDefinition, StreamLimits } from './streams.ts';

export interface BusOptions {
  /** In the form of `readBusAddress`. */
  readonly url: string;
  readonly tls?: BusTlsFiles | undefined;
  /** Text of a NATS credentials file; absent where the server requests none. */
  readonly credentials?: string;
  /** Prefix of reply subjects for this connection; a runner's credential permits only its own. */
  readonly inboxPrefix?: string;
  readonly streamLimits?: StreamLimits;
  /** Shown by the server and in logs. */
  readonly name: string;
  readonly logger: BusLogger;
  readonly metrics?: BusMetrics;
}

export interface PublishOptions {
  /** JetStream drops a second message with the same id inside two minutes. */
  readonly messageId?: string;
  /** The service whose outbox the event comes from; consumers confirm it there. */
  readonly outbox?: string;
  readonly timeoutMs?: number;
}

export interface ReplyOptions {
  /** Requests handled at the same time at most; default 256. */
  readonly limit?: number;
  /** Every instance gets every request, instead of one of them. */
  readonly everyInstance?: boolean;
}

/** The message bus. It carries notifications: every message can be published again from a table. */
export interface Bus {
  /** Creates the streams that are missing. */
  ensureStreams(): Promise<void>;
  /** Resolves when JetStream has stored the message; rejects within `timeoutMs` (default 3 000). */
  publish(subject: string, message: EventMessage, options?: PublishOptions): Promise<void>;
  /** Handles messages of a durable consumer until stopped, across failures of the server or its store. */
  consume(options: ConsumeOptions): Promise<Stoppable>;
  /** Core NATS: one JSON request, one JSON response. Rejects with UNAVAILABLE when none comes within `timeoutMs`. */
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
  /**
   * Responds to requests; instances that reply to the same subject share them. A thrown error sends no response, and
   * neither does `undefined` or a request beyond `limit`: the client's deadline ends both.
   */
  reply(
    subject: string,
    handle: (body: unknown, subject: string) => Promise<unknown>,
    options?: ReplyOptions,
  ): Stoppable;
  /** Core NATS notification; may be lost. */
  notify(subject: string, body?: unknown): void;
  /** Like `notify`, for items that can be batched for some milliseconds: listeners get an array. */
  notifyBatched(subject: string, item: object): void;
  onNotification(
    subject: string,
    listener: (body: unknown) => void,
    options?: { readonly shareAs?: string },
  ): Stoppable;
  /** Called after each reconnect: messages may have been lost in the meantime. */
  onReconnect(listener: () => void): Stoppable;
  healthy(): boolean;
  /**
   * Resolves when the streams that this connection consumes store messages and return them, and its consumers receive
   * what is stored. Also done every 10 s, where a failure is logged. A stream whose store is broken is created again
   * without its messages, which their owners publish again.
   */
  check(): Promise<void>;
  /** Flushes pending messages, within 5 s. Idempotent. */
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
const jetStreamTimeoutMs = 3_000;
const closeTimeoutMs = 5_000;
const defaultReplyLimit = 256;
const checkEveryMs = 10_000;
const notifyBatchMs = 20;
const itemsPerNotification = 200;

/** `_R_.` is the server's own reply path into another account; clients cannot use it. */
const isInbox = (reply: string | undefined): boolean => /^(_INBOX|_R_\.)/.test(reply ?? '');
const encode = (body: unknown): string => JSON.stringify(body ?? null);

/** Connects, and from then on reconnects indefinitely. Rejects when the first connection fails within 10 s. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const address = readBusAddress(options.url, options.tls);
  try {
    return new NatsBus(await connect(connectionOptions(options, address)), options);
  } catch (error) {
    throw new Error(
      `The message bus at ${address.servers.join(', ')} did not accept the connection: ${(error as Error).message}. Check that NATS runs there and that the credentials are its own.`,
      { cause: error },
    );
  }
}

function connectionOptions(
  { name, credentials, inboxPrefix }: BusOptions,
  address: ReturnType<typeof readBusAddress>,
): ConnectionOptions {
  return {
    ...address,
    name,
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    // A server that is being set up again may refuse the connection for a while.
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    maxPingOut: 2,
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
  };
}

class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #client: JetStreamClient;
  readonly #logger: BusLogger;
  readonly #name: string;
  readonly #streamLimits: StreamLimits;
  readonly #measurements: BusMeasurements | undefined;
  readonly #reconnectListeners = new Set<() => void>();
  readonly #waiting = new Map<string, object[]>();
  readonly #consumers = new Set<RunningConsumer>();
  readonly #repairs = new Map<string, Promise<void>>();
  #checkTimer: NodeJS.Timeout | undefined;
  /** Runners may not change streams: only a connection that creates them repairs them. */
  #ownsStreams = false;
  #notifyTimer: NodeJS.Timeout | undefined;
  #connected = true;
  #closing: Promise<void> | undefined;

  constructor(connection: NatsConnection, { logger, name, streamLimits = {}, metrics }: BusOptions) {
    this.#connection = connection;
    this.#client = jetstream(connection, { timeout: jetStreamTimeoutMs });
    this.#logger = logger;
    this.#name = name;
    this.#streamLimits = streamLimits;
    this.#measurements = metrics?.declare(busMetrics);
    void this.#watch();
  }

  async #watch(): Promise<void> {
    const bus = this.#name;
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') {
        this.#connected = false;
        this.#logger.warn({ bus }, 'The connection to the message bus was lost; trying again.');
      }
      if (status.type === 'reconnect') {
        this.#connected = true;
        this.#logger.info({ bus }, 'The message bus is connected again.');
        for (const listener of this.#reconnectListeners) listener();
      }
      if (status.type === 'error')
        this.#logger.warn({ bus, err: status.error }, 'The message bus refused an operation.');
    }
    this.#connected = false;
  }

  #manager(): Promise<JetStreamManager> {
    return jetstreamManager(this.#connection, { timeout: jetStreamTimeoutMs, checkAPI: false });
  }

  async ensureStreams(): Promise<void> {
    if (this.#connection.info?.jetstream !== true) {
      throw new Error(
        'The NATS server runs without JetStream. Start it with "-js" or a jetstream section in its configuration.',
      );
    }
    for (const stream of streams) await this.#ensureStream(stream);
    this.#ownsStreams = true;
  }

  async #ensureStream(stream: StreamDefinition): Promise<void> {
    await ensureStream(await this.#manager(), stream, this.#streamLimits);
  }

  async publish(subject: string, message: EventMessage, options: PublishOptions = {}): Promise<void> {
    const headers = newHeaders();
    if (options.outbox !== undefined) headers.set('Rapporteur-Outbox', options.outbox);
    injectTrace(headers);
    const published = this.#client.publish(subject, encode(message), {
      headers,
      timeout: options.timeoutMs ?? jetStreamTimeoutMs,
      ...(options.messageId === undefined ? {} : { msgID: options.messageId }),
    });
    await this.#repairing(streamOf(subject), published);
  }

  /** Passes the outcome on; after an error of a broken store the stream is created again. */
  async #repairing<T>(stream: StreamDefinition, used: Promise<T>): Promise<T> {
    try {
      return await used;
    } catch (error) {
      if (!isBroken(error) || !this.#ownsStreams) throw error;
      const repair = this.#repairs.get(stream.name) ?? this.#repair(stream, error);
      this.#repairs.set(stream.name, repair);
      await repair.finally(() => this.#repairs.delete(stream.name));
      throw error;
    }
  }

  async #repair(stream: StreamDefinition, error: unknown): Promise<void> {
    const manager = await this.#manager();
    // Another instance may have done it.
    const again = await probeStream(this.#client, manager, stream).catch((failure: unknown) => failure);
    if (!isBroken(again)) return;
    const fields = { err: error, stream: stream.name, bus: this.#name };
    this.#logger.error(
      fields,
      'A stream cannot store messages; it is created again and its events are published again.',
    );
    await manager.streams.delete(stream.name);
    await this.#ensureStream(stream);
  }

  async check(): Promise<void> {
    if (!this.healthy()) throw new Error('The message bus is not connected.');
    const manager = await this.#manager();
    const used = new Set([...this.#consumers].map(({ stream }) => stream));
    const checks = await Promise.allSettled([
      ...[...used].map((stream) => this.#repairing(stream, probeStream(this.#client, manager, stream))),
      ...[...this.#consumers].map((consumer) => consumer.check()),
    ]);
    for (const check of checks) if (check.status === 'rejected') throw check.reason;
  }

  #checkAndLog(): void {
    if (!this.healthy() || !this.#ownsStreams) return;
    this.check().catch((error: unknown) =>
      this.#logger.warn({ err: error, bus: this.#name }, 'Messages of the bus may not be stored or delivered.'),
    );
  }

  async consume(options: ConsumeOptions): Promise<Stoppable> {
    const consumer = await startConsumer(
      {
        isClosed: () => this.#connection.isClosed(),
        client: this.#client,
        manager: () => this.#manager(),
        ensureStream: (stream) => this.#ensureStream(stream),
        logger: this.#logger,
        measurements: this.#measurements,
      },
      options,
    );
    this.#consumers.add(consumer);
    this.#checkTimer ??= setInterval(() => this.#checkAndLog(), checkEveryMs);
    return {
      stop: () => {
        this.#consumers.delete(consumer);
        return consumer.stop();
      },
    };
  }

  async request(subject: string, body: unknown, { timeoutMs }: { readonly timeoutMs: number }): Promise<unknown> {
    try {
      return (await this.#connection.request(subject, encode(body), { timeout: timeoutMs })).json();
    } catch (error) {
      throw fail('UNAVAILABLE', { cause: error });
    }
  }

  reply(
    subject: string,
    handle: (body: unknown, subject: string) => Promise<unknown>,
    { limit = defaultReplyLimit, everyInstance = false }: ReplyOptions = {},
  ): Stoppable {
    let waiting = 0;
    const subscription = this.#connection.subscribe(subject, {
      ...(everyInstance ? {} : { queue: 'reply' }),
      callback: (error, message) => {
        if (error !== null || waiting >= limit) return;
        waiting += 1;
        void this.#respond(message, handle).finally(() => (waiting -= 1));
      },
    });
    return { stop: async () => void (subscription.isClosed() || (await subscription.drain())) };
  }

  async #respond(message: Msg, handle: (body: unknown, subject: string) => Promise<unknown>): Promise<void> {
    const { subject, reply } = message;
    try {
      // A client may name any subject for the response, and this one may publish anywhere: only inboxes get a response.
      if (!isInbox(reply)) throw new Error('The request names no inbox for its response.');
      const response = await handle(message.json(), subject);
      if (response !== undefined) message.respond(encode(response));
    } catch (error) {
      this.#logger.error({ err: error, subject }, 'A request on the bus could not get a response.');
    }
  }

  notify(subject: string, body?: unknown): void {
    if (!this.#connection.isClosed() && !this.#connection.isDraining()) {
      this.#connection.publish(subject, encode(body));
    }
  }

  notifyBatched(subject: string, item: object): void {
    const items = this.#waiting.get(subject) ?? [];
    items.push(item);
    this.#waiting.set(subject, items);
    if (items.length >= itemsPerNotification) this.#notifyWaiting();
    else this.#notifyTimer ??= setTimeout(() => this.#notifyWaiting(), notifyBatchMs);
  }

  #notifyWaiting(): void {
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    for (const [subject, items] of this.#waiting) this.notify(subject, items);
    this.#waiting.clear();
  }

  onNotification(
    subject: string,
    listener: (body: unknown) => void,
    options: { readonly shareAs?: string } = {},
  ): Stoppable {
    const subscription = this.#connection.subscribe(subject, {
      ...(options.shareAs === undefined ? {} : { queue: options.shareAs }),
      callback: (error, message) => {
        if (error === null) this.#deliver(message, listener);
      },
    });
    return { stop: async () => subscription.unsubscribe() };
  }

  #deliver(message: Msg, listener: (body: unknown) => void): void {
    try {
      listener(message.json());
    } catch (error) {
      this.#logger.error({ err: error, subject: message.subject }, 'A notification on the bus could not be handled.');
    }
  }

  onReconnect(listener: () => void): Stoppable {
    this.#reconnectListeners.add(listener);
    return { stop: async () => void this.#reconnectListeners.delete(listener) };
  }

  healthy(): boolean {
    return this.#connected && !this.#connection.isClosed();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#checkTimer);
    this.#notifyWaiting();
    // Draining waits for the server; while it is unreachable draining cannot end.
    if (this.#connected)
      await withDeadline(this.#connection.drain(), closeTimeoutMs, 'Draining').catch(() => undefined);
    await this.#connection.close();
  }
}
