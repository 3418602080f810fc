import type { WebSocket } from 'ws';
import type { TruthWord } from '../speech-truth.ts';
import type { LiveRecognizer } from './live-recognizer.ts';
import type { LiveAction, LiveVendor, SpokenWords } from './live-vendor.ts';
import type { LiveRefusal } from './refusals.ts';
import { bytesPerLiveMs } from './scripted-audio.ts';

/** Silence that ends an utterance. */
const pauseMs = 500;
const longestWords = 12;
const normalClosure = 1_000;
const idleClosure = 1_011;

export interface LiveSessionDependencies {
  readonly vendor: LiveVendor;
  readonly recognizer: LiveRecognizer;
  /** How long the provider takes for a result. */
  readonly delayMs: number;
  /** The refusal by which the session ends now; null: none. */
  readonly refusal: () => LiveRefusal | null;
  /** The refusal of a session that has reached its longest duration. */
  readonly tooOld: LiveRefusal | undefined;
  readonly longestMs: number;
  /** Called with each chunk of audio; true: a fault has hit this session, which ignores the chunk. */
  readonly onAudio: (pcm: Buffer) => boolean;
}

/** One session of a simulated provider: it recognizes audio and sends results in the format of its vendor. */
export class SimulatedLiveSession {
  readonly #socket: WebSocket;
  readonly #dependencies: LiveSessionDependencies;
  readonly #speakers = new Map<string | null, number>();
  #pending: TruthWord[] = [];
  #utterance = 1;
  #receivedMs = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket, dependencies: LiveSessionDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary));
    socket.on('error', () => undefined);
    const age = setTimeout(() => this.#refuse(dependencies.tooOld), dependencies.longestMs);
    age.unref();
    socket.once('close', () => {
      clearTimeout(age);
      clearTimeout(this.#idle ?? undefined);
    });
    this.#send(dependencies.vendor.begin());
    this.#restartIdleTimer();
    this.#refuse(dependencies.refusal() ?? undefined);
  }

  #refuse(refusal: LiveRefusal | undefined): void {
    if (refusal === undefined || !('frames' in refusal)) return;
    this.#send(refusal.frames);
    this.#socket.close(refusal.code);
  }

  #take(message: Buffer, isBinary: boolean): void {
    this.#restartIdleTimer();
    const action = this.#dependencies.vendor.read(message, isBinary);
    if (action !== null) this.#handle(action);
  }

  #handle(action: LiveAction): void {
    if (action.kind === 'send') return this.#send(action.frames);
    if (action.kind === 'commit') return this.#settle();
    if (action.kind === 'finish') return this.#finish();
    if (action.kind === 'audio') return this.#receiveAudio(action.pcm);
    this.#send(action.frames);
    this.#socket.close(action.code);
  }

  #receiveAudio(pcm: Buffer): void {
    const refusal = this.#dependencies.refusal();
    if (refusal !== null) return this.#refuse(refusal);
    if (this.#dependencies.onAudio(pcm)) return;
    this.#receivedMs += pcm.byteLength / bytesPerLiveMs;
    for (const word of this.#dependencies.recognizer.take(pcm).map((one) => this.#understood(one))) {
      if (this.#pending.length > 0 && word.startMs - (this.#pending.at(-1)?.endMs ?? 0) >= pauseMs) this.#settle();
      this.#pending.push(word);
      this.#send(this.#dependencies.vendor.partial(this.#spoken()));
      if (this.#pending.length >= longestWords) this.#settle();
    }
    const last = this.#pending.at(-1);
    const { isInWord } = this.#dependencies.recognizer;
    if (last !== undefined && !isInWord && this.#receivedMs - last.endMs >= pauseMs) this.#settle();
  }

  /** A word of another language comes out as one that was not said. */
  #understood(word: TruthWord): TruthWord {
    const { language = 'en' } = word;
    if (this.#dependencies.vendor.understands?.(language) !== false) return word;
    return { ...word, text: 'misheard', language: 'en' };
  }

  #settle(): void {
    if (this.#pending.length === 0) return;
    this.#send(this.#dependencies.vendor.final(this.#spoken()));
    this.#pending = [];
    this.#utterance += 1;
  }

  #spoken(): SpokenWords {
    const words = this.#pending.map((word) => ({ ...word, speakerNumber: this.#numberOf(word.speaker) }));
    return { utterance: this.#utterance, words };
  }

  #numberOf(speaker: string | null): number {
    const number = this.#speakers.get(speaker) ?? this.#speakers.size;
    this.#speakers.set(speaker, number);
    return number;
  }

  #finish(): void {
    this.#settle();
    this.#send(this.#dependencies.vendor.end(this.#receivedMs));
    if (!this.#dependencies.vendor.closesAfterEnd) return;
    setTimeout(() => this.#socket.close(normalClosure), this.#dependencies.delayMs);
  }

  #send(frames: readonly string[]): void {
    const { delayMs } = this.#dependencies;
    const send = (): void => frames.forEach((frame) => this.#socket.send(frame, () => undefined));
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  }

  #restartIdleTimer(): void {
    const { idleMs } = this.#dependencies.vendor;
    clearTimeout(this.#idle ?? undefined);
    if (idleMs !== null) this.#idle = setTimeout(() => this.#socket.close(idleClosure), idleMs);
  }
}
