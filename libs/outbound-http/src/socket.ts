import type { Agent, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { WebSocket } from 'ws';
import type { ClientOptions, RawData } from 'ws';
import { cancelled, errorCode, failureFrom, noSocket, timedOut } from './outbound-failure.ts';
import type { OutboundFailure } from './outbound-failure.ts';
import type { CheckedUrl } from './url-check.ts';

export interface OutboundSocketRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the name, the connection and the handshake together. */
  readonly timeoutMs: number;
  /** A larger message ends the connection. */
  readonly maxMessageBytes: number;
  /** Limit of bytes that wait to be sent; 1 MiB when left out. */
  readonly maxWaitingBytes?: number;
  /** A ping is sent this often; a client without a response until the next one is disconnected. 20 s when left out. */
  readonly pingEveryMs?: number;
  /** Only until the connection is open. */
  readonly signal?: AbortSignal;
}

/** Text, or bytes. */
export type OutboundMessage = string | Buffer;

/** How a connection ended. */
export interface SocketEnd {
  readonly why: 'closed-by-us' | 'closed-by-them' | 'no-response' | 'too-large' | 'broken';
  /** The close code of RFC 6455; 1006 when none arrived. */
  readonly code: number;
}

/** A WebSocket, open or closed. */
export interface OutboundSocket {
  /** False: not sent, because too many bytes wait already, or the connection is closed. */
  send(message: OutboundMessage): boolean;
  /** Bytes given to `send` that have not left this machine. */
  readonly waitingBytes: number;
  /** One listener; messages that arrive before it is set are kept for it, up to the size of one message. */
  onMessage(listener: (message: OutboundMessage) => void): void;
  /** Resolves once, never rejects. */
  readonly ended: Promise<SocketEnd>;
  /** Sends a close frame and waits for the other side's, at most a second. Idempotent. */
  close(): Promise<void>;
}

export interface TrustOptions {
  readonly rejectUnauthorized: boolean;
  readonly minVersion: 'TLSv1.2';
  readonly ca?: string[];
}

export interface SocketPlan extends OutboundSocketRequest {
  readonly target: CheckedUrl;
  /** Resolves and checks the host; its failure becomes the connection's failure. */
  readonly lookup: LookupFunction;
  /** For this connection alone. */
  readonly agent: Agent;
}

const defaultWaitingBytes = 1_048_576;
const defaultPingMs = 20_000;
const goodbyeMs = 1_000;
const normalClosure = 1_000;
const noCode = 1_006;

/** Connects, or rejects with OutboundFailure. */
export async function dialSocket(plan: SocketPlan): Promise<OutboundSocket> {
  const { timeoutMs, signal } = plan;
  if (signal?.aborted === true) throw cancelled();
  const socket = open(plan);
  const dialled = new DialledSocket(socket, plan);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let connected = false;
  const giveUp = (failure: OutboundFailure): void => {
    reject(failure);
    socket.terminate();
  };
  const cancel = (): void => giveUp(cancelled());
  const timer = setTimeout(() => giveUp(timedOut(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  socket.once('open', resolve);
  // A response that is not a handshake counts as received, too.
  socket.once('upgrade', () => (connected = true));
  socket.once('unexpected-response', (request, response) => {
    giveUp(noSocket(response.statusCode ?? null));
    request.destroy();
  });
  socket.once('error', (error) => {
    const failure = failureFrom(error, connected);
    giveUp(connected && failure.kind === 'closed' ? noSocket(null) : failure);
  });
  try {
    await promise;
    return dialled;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

function open({ target, headers, lookup, agent, maxMessageBytes }: SocketPlan): WebSocket {
  const { url, host } = target;
  // Passed to the request and the connection unchanged, though not all of them are in the types.
  const options: ClientOptions & Pick<RequestOptions, 'lookup' | 'maxHeaderSize'> & { servername: string } = {
    agent,
    lookup,
    servername: isIP(host) === 0 ? host : '',
    headers: { ...headers },
    followRedirects: false,
    perMessageDeflate: false,
    // Pongs are sent by this code, so that pings cannot fill the send buffer.
    autoPong: false,
    maxPayload: maxMessageBytes,
    maxHeaderSize: 16_384,
  };
  return new WebSocket(url, options);
}

class DialledSocket implements OutboundSocket {
  readonly #socket: WebSocket;
  readonly #maxWaitingBytes: number;
  readonly #maxHeldBytes: number;
  readonly #held: OutboundMessage[] = [];
  #heldBytes = 0;
  #listener: ((message: OutboundMessage) => void) | null = null;
  #responded = true;
  #why: SocketEnd['why'] | null = null;
  readonly ended: Promise<SocketEnd>;

  constructor(socket: WebSocket, plan: SocketPlan) {
    this.#socket = socket;
    this.#maxWaitingBytes = plan.maxWaitingBytes ?? defaultWaitingBytes;
    this.#maxHeldBytes = plan.maxMessageBytes;
    socket.on('message', (data, isBinary) => this.#take(isBinary ? bufferOf(data) : bufferOf(data).toString('utf8')));
    socket.on('ping', (data) => this.#pong(data));
    socket.on('pong', () => (this.#responded = true));
    socket.on('error', (error) => {
      this.#why ??= errorCode(error) === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'too-large' : 'broken';
    });
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) =>
        resolve({ why: this.#why ?? (code === noCode ? 'broken' : 'closed-by-them'), code }),
      );
    });
    const timer = setInterval(() => this.#sendRequest(), plan.pingEveryMs ?? defaultPingMs);
    timer.unref();
    socket.once('close', () => clearInterval(timer));
  }

  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: OutboundMessage): boolean {
    const bytes = typeof message === 'string' ? Buffer.byteLength(message) : message.byteLength;
    if (this.#socket.readyState !== WebSocket.OPEN || this.waitingBytes + bytes > this.#maxWaitingBytes) return false;
    this.#socket.send(message, { binary: typeof message !== 'string' }, ignore);
    return true;
  }

  onMessage(listener: (message: OutboundMessage) => void): void {
    this.#listener = listener;
    for (const message of this.#held.splice(0)) listener(message);
  }

  async close(): Promise<void> {
    this.#why ??= 'closed-by-us';
    this.#socket.close(normalClosure);
    const timer = setTimeout(() => this.#socket.terminate(), goodbyeMs);
    await this.ended;
    clearTimeout(timer);
  }

  #take(message: OutboundMessage): void {
    this.#responded = true;
    if (this.#listener !== null) return this.#listener(message);
    this.#heldBytes += message.length;
    if (this.#heldBytes <= this.#maxHeldBytes) this.#held.push(message);
  }

  #pong(data: Buffer): void {
    this.#responded = true;
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.waitingBytes > this.#maxWaitingBytes) this.#lose('no-response');
    else this.#socket.pong(data, undefined, ignore);
  }

  #sendRequest(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (!this.#responded) return this.#lose('no-response');
    this.#responded = false;
    this.#socket.ping(undefined, undefined, ignore);
  }

  #lose(why: SocketEnd['why']): void {
    this.#why ??= why;
    this.#socket.terminate();
  }
}

/** A failed send is reported by the end of the connection. */
function ignore(): void {}

function bufferOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
