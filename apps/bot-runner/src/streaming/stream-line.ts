import { backoffMs, doneWithin, unlessAborted } from '@rapporteur/async';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundMessage, OutboundSocket, OutboundSocketRequest } from '@rapporteur/outbound-http';
import type { RunContext } from '../run-context.ts';

export interface StreamLinePorts extends Pick<RunContext, 'clock' | 'logger'> {
  readonly connect: (request: OutboundSocketRequest) => Promise<OutboundSocket>;
}

/** Who uses a line. */
export interface StreamLineUser {
  /** The first frame on every new connection. */
  handshake(): string;
  /** After the handshake. */
  connected?(): void;
  /** The connection is over. */
  lost?(): void;
  take?(message: OutboundMessage): void;
}

/** Limit of the first connection, including its retries. */
const firstConnectionMs = 15_000;
const attemptMs = 10_000;
const waits = { firstMs: 1_000, longestMs: 60_000 } as const;
/** After a connection that lasted this long the backoff starts again. */
const goodAfterMs = 5_000;
/** Ten seconds of audio at the highest rate. */
const largestMessageBytes = 1_048_576;
/** Four seconds of audio at the lowest rate, one at the highest. A receiver further behind loses some. */
const mostWaitingBytes = 131_072;

/**
 * A connection to one address of the customer that reconnects whenever it is lost. Messages are not queued while it is
 * down.
 */
export class StreamLine {
  readonly #url: string;
  readonly #ports: StreamLinePorts;
  readonly #user: StreamLineUser;
  readonly #fields: object;
  readonly #stopping = new AbortController();
  readonly #first = Promise.withResolvers<string | null>();
  #socket: OutboundSocket | null = null;
  /** Clock time; null before the first connection. */
  #connectedAtMs: number | null = null;
  #lastFailure: string | null = null;
  #running: Promise<void> | null = null;

  /** @param field the setting that names the address, for the log */
  constructor(url: string, field: string, ports: StreamLinePorts, user: StreamLineUser) {
    this.#url = url;
    this.#ports = ports;
    this.#user = user;
    this.#fields = { field, address: withoutSecrets(url) };
  }

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  /**
   * Connects, and reconnects until the line is closed.
   * @returns null when connected, or a message that states why it is not within `firstConnectionMs`
   */
  async open(signal: AbortSignal): Promise<string | null> {
    const { clock } = this.#ports;
    this.#running ??= this.#run();
    const connected = unlessAborted(this.#first.promise, signal).catch(() => null);
    if (!(await doneWithin(connected, firstConnectionMs, clock)))
      this.#first.resolve(this.#lastFailure ?? 'No connection was there in time.');
    return await connected;
  }

  /** False when the message is lost: no connection, or the receiver is too far behind. */
  send(message: OutboundMessage): boolean {
    return this.#socket?.send(message) ?? false;
  }

  /** Bytes given to `send` that have not left this machine. */
  get waitingBytes(): number {
    return this.#socket?.waitingBytes ?? 0;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#first.resolve(null);
    await this.#socket?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#ports;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const outcome = await this.#connectOnce();
      if (signal.aborted) return;
      if (outcome === 'in-vain') return this.#first.resolve(this.#lastFailure);
      failures = outcome === 'held-well' ? 1 : failures + 1;
      const waitMs = backoffMs(failures, waits);
      logger.warn(
        { ...this.#fields, waitMs, why: this.#lastFailure },
        'A stream is not connected; the bot connects again.',
      );
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  /** Until the connection is over. */
  async #connectOnce(): Promise<'in-vain' | 'held-well' | 'lost-soon'> {
    const { connect, clock, logger } = this.#ports;
    try {
      const { signal } = this.#stopping;
      const limits = { maxMessageBytes: largestMessageBytes, maxWaitingBytes: mostWaitingBytes };
      const socket = await connect({ url: this.#url, timeoutMs: attemptMs, signal, ...limits });
      this.#socket = socket;
      if (signal.aborted) await socket.close();
      else this.#begin(socket);
      const end = await socket.ended;
      this.#user.lost?.();
      this.#lastFailure = endWords[end.why];
      if (!signal.aborted) logger.info({ ...this.#fields, ...end }, "A stream's connection has ended.");
      return clock.monotonic() - (this.#connectedAtMs ?? Infinity) >= goodAfterMs ? 'held-well' : 'lost-soon';
    } catch (error) {
      this.#lastFailure = wordsOf(error);
      return this.#connectedAtMs === null && isFinal(error) ? 'in-vain' : 'lost-soon';
    } finally {
      this.#socket = null;
    }
  }

  #begin(socket: OutboundSocket): void {
    this.#ports.logger.info(this.#fields, 'A stream is connected.');
    this.#connectedAtMs = this.#ports.clock.monotonic();
    socket.send(this.#user.handshake());
    socket.onMessage((message) => this.#take(message));
    this.#user.connected?.();
    this.#first.resolve(null);
  }

  #take(message: OutboundMessage): void {
    try {
      this.#user.take?.(message);
    } catch (error) {
      this.#ports.logger.error({ ...this.#fields, err: error }, 'A message of a stream could not be handled.');
    }
  }
}

const endWords = {
  'closed-by-us': 'The bot closed the connection.',
  'closed-by-them': 'The other side closed the connection.',
  'no-response': 'The receiver no longer responded.',
  'too-large': `A message was larger than ${largestMessageBytes} bytes.`,
  broken: 'The connection broke.',
} as const;

/** Both kinds have messages that a customer may read. */
function wordsOf(error: unknown): string {
  return error instanceof OutboundFailure || error instanceof Failure ? error.message : 'The connection failed.';
}

function isFinal(error: unknown): boolean {
  return error instanceof Failure || (error instanceof OutboundFailure && error.kind === 'address-refused');
}

/** An address for the log: query and user name, which may contain keys, are removed. */
export function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'not an address';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
