import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundMessage, OutboundSocket, SocketEnd } from '@rapporteur/outbound-http';
import { SpeechToTextFailure } from '../failure.ts';
import { parseBoundedJson } from '../json-text.ts';
import type { LiveAccess, LiveSession } from '../live-provider.ts';
import { refusal } from '../provider-http.ts';
import { kindOfCode } from '../provider-reason.ts';
import type { LiveAddress, LiveProtocol, LiveReading } from './live-protocol.ts';

const connectMs = 10_000;
const readyMs = 10_000;
const keepAliveMs = 4_000;
const largestMessageBytes = 1_048_576;
/** Five seconds of audio, as base64. */
const mostWaitingBytes = 262_144;

/** Connects and waits until the provider takes audio. Rejects with SpeechToTextFailure. */
export async function openVendorSession(protocol: LiveProtocol, access: LiveAccess): Promise<LiveSession> {
  const socket = await connect(protocol.name, access, await protocol.locate());
  const session = new VendorSession(protocol, socket, access.onEvent);
  await session.whenReady();
  return session;
}

async function connect(
  name: string,
  { connections, signal }: LiveAccess,
  { url, headers }: LiveAddress,
): Promise<OutboundSocket> {
  try {
    return await connections.connectSocket({
      url,
      headers,
      timeoutMs: connectMs,
      maxMessageBytes: largestMessageBytes,
      maxWaitingBytes: mostWaitingBytes,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    const status = error instanceof OutboundFailure ? /^status (\d+)$/.exec(error.reason)?.[1] : undefined;
    if (status !== undefined) throw refusal(name, { status: Number(status), headers: {} });
    const isRefused = !(error instanceof OutboundFailure) || error.kind === 'address-refused';
    throw new SpeechToTextFailure(isRefused ? 'rejected' : 'temporary', `${name} could not be reached.`, {
      cause: error,
    });
  }
}

class VendorSession implements LiveSession {
  readonly #protocol: LiveProtocol;
  readonly #socket: OutboundSocket;
  readonly #onEvent: LiveAccess['onEvent'];
  readonly #ready = Promise.withResolvers<void>();
  readonly #finished = Promise.withResolvers<void>();
  readonly ended: Promise<SpeechToTextFailure | null>;
  #failure: SpeechToTextFailure | null = null;
  #isEnding = false;
  #isIdle = true;

  constructor(protocol: LiveProtocol, socket: OutboundSocket, onEvent: LiveAccess['onEvent']) {
    this.#protocol = protocol;
    this.#socket = socket;
    this.#onEvent = onEvent;
    const timer = setInterval(() => this.#keepAlive(), keepAliveMs);
    timer.unref();
    this.ended = socket.ended.then((end) => {
      clearInterval(timer);
      const failure = this.#failure ?? (this.#isEnding ? null : this.#lossOf(end));
      this.#ready.reject(failure ?? this.#lossOf(end));
      this.#finished.resolve();
      return failure;
    });
    this.#ready.promise.catch(() => undefined);
    if (protocol.opening !== null) socket.send(protocol.opening);
    if (protocol.isReadyAtOnce) this.#ready.resolve();
    socket.onMessage((message) => this.#receive(message));
  }

  async whenReady(): Promise<void> {
    const timer = setTimeout(() => {
      this.#fail(new SpeechToTextFailure('temporary', `${this.#protocol.name} did not begin the session in time.`));
    }, readyMs);
    try {
      await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  send(pcm: Buffer): boolean {
    if (this.#isEnding) return false;
    this.#isIdle = false;
    return this.#socket.send(this.#protocol.audio(pcm));
  }

  async finish(timeoutMs: number): Promise<void> {
    if (this.#isEnding) return void (await this.ended);
    this.#isEnding = true;
    const timer = setTimeout(() => this.#finished.resolve(), timeoutMs);
    this.#socket.send(this.#protocol.finish());
    await this.#finished.promise;
    clearTimeout(timer);
    await this.#socket.close();
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#socket.close();
  }

  #keepAlive(): void {
    const { keepAlive } = this.#protocol;
    if (this.#isIdle && !this.#isEnding && keepAlive !== null) this.#socket.send(keepAlive);
    this.#isIdle = true;
  }

  #receive(message: OutboundMessage): void {
    if (this.#failure !== null) return;
    try {
      for (const reading of this.#read(message)) this.#handle(reading);
    } catch (error) {
      const { name } = this.#protocol;
      this.#fail(
        error instanceof SpeechToTextFailure
          ? error
          : new SpeechToTextFailure('unreadable', `${name} sent a message that is not valid JSON.`, { cause: error }),
      );
    }
  }

  #read(message: OutboundMessage): readonly LiveReading[] {
    return this.#protocol.read(parseBoundedJson(Buffer.from(message)));
  }

  #handle(reading: LiveReading): void {
    if (reading.kind === 'ready') this.#ready.resolve();
    else if (reading.kind === 'finished') this.#finished.resolve();
    else if (reading.kind === 'failure') this.#fail(reading.failure);
    else this.#onEvent(reading);
  }

  #fail(failure: SpeechToTextFailure): void {
    this.#failure ??= failure;
    void this.#socket.close();
  }

  #lossOf({ code, why }: SocketEnd): SpeechToTextFailure {
    const { name } = this.#protocol;
    const kind = kindOfCode(name, code);
    if (kind !== null) return new SpeechToTextFailure(kind, `${name} ended the session (close code ${code}).`);
    if (why === 'too-large') return new SpeechToTextFailure('unreadable', `${name} sent a message that is too large.`);
    return new SpeechToTextFailure('temporary', `The connection to ${name} was lost (close code ${code}).`);
  }
}
