import { backoffMs } from '@rapporteur/async';
import type { LiveEngine } from '@rapporteur/contracts';
import { SpeechToTextFailure, textOfWords } from '@rapporteur/speech-to-text';
import type { LiveEvent, LiveSession, LiveTranslation, LiveUtterance } from '@rapporteur/speech-to-text';
import type { RunContext } from '../../run-context.ts';

const mostKept = 200;
const blockMs = 100;
/** Audio that waits for a provider; older audio is dropped. */
const mostUnsentMs = 60_000;
/** Audio that was sent and is kept for the next session, in case no final result arrives for it. */
const mostSentMs = 30_000;

interface AudioBlock {
  readonly positionMs: number;
  readonly pcm: Buffer;
}

/** Audio for which a provider has not returned final results yet. */
class AudioBacklog {
  #blocks: AudioBlock[] = [];
  /** Index of the first block that was not sent to the present session. */
  #next = 0;
  /** Audio that was dropped without being sent. */
  droppedMs = 0;

  add(positionMs: number, pcm: Buffer): void {
    this.#blocks.push({ positionMs, pcm });
    while (this.unsentMs > mostUnsentMs) {
      if (this.#next === 0) this.#blocks.shift();
      else this.#blocks.splice(this.#next, 1);
      this.droppedMs += blockMs;
    }
    while (this.#next * blockMs > mostSentMs) this.#shift();
  }

  get unsentMs(): number {
    return (this.#blocks.length - this.#next) * blockMs;
  }

  /** Final results cover everything before. */
  settle(untilMs: number): void {
    while (this.#next > 0 && (this.#blocks[0]?.positionMs ?? Infinity) + blockMs <= untilMs) this.#shift();
  }

  /** A new session receives all kept blocks. */
  rewind(): void {
    this.#next = 0;
  }

  get nextBlock(): AudioBlock | null {
    return this.#blocks[this.#next] ?? null;
  }

  sent(): void {
    this.#next += 1;
  }

  #shift(): void {
    this.#blocks.shift();
    this.#next -= 1;
  }
}

/**
 * Segment ids of a provider's utterances. An utterance that a lost session left open is continued by the next session.
 */
class SegmentIds {
  readonly #prefix: string;
  #count = 0;
  #ids = new Map<string, { readonly id: string; isOpen: boolean }>();
  #inherited: string[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(key: string, isFinal: boolean): string {
    const known = this.#ids.get(key) ?? { id: this.#inherited.shift() ?? this.#newId(), isOpen: true };
    known.isOpen &&= !isFinal;
    this.#ids.set(key, known);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > mostKept && oldest !== undefined) this.#ids.delete(oldest);
    return known.id;
  }

  /** Null for an unknown utterance. */
  known(key: string): string | null {
    return this.#ids.get(key)?.id ?? null;
  }

  newSession(): void {
    this.#inherited.push(...[...this.#ids.values()].filter(({ isOpen }) => isOpen).map(({ id }) => id));
    this.#ids = new Map();
  }

  #newId(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }
}

/** Maps a session's time to the streamed audio, of which it may have received only parts. */
class SessionPositions {
  readonly #anchors: { readonly sessionMs: number; readonly positionMs: number }[] = [];
  #sentMs = 0;

  sent(positionMs: number, lengthMs: number): void {
    if (this.#anchors.length === 0 || this.of(this.#sentMs) !== positionMs) {
      this.#anchors.push({ sessionMs: this.#sentMs, positionMs });
    }
    this.#sentMs += lengthMs;
  }

  of(sessionMs: number): number {
    const anchor = this.#anchors.findLast((one) => one.sessionMs <= sessionMs) ?? this.#anchors[0];
    return anchor === undefined ? sessionMs : anchor.positionMs + sessionMs - anchor.sessionMs;
  }
}

export type OpenLiveSession = (
  engine: LiveEngine,
  onEvent: (event: LiveEvent) => void,
  signal: AbortSignal,
) => Promise<LiveSession>;

/** Times are positions in the streamed audio. */
export interface TranscribedUtterance extends LiveUtterance {
  readonly segmentId: string;
  readonly engine: LiveEngine;
}

export interface TranscriptionProblem {
  readonly code: 'PROVIDER_LOST' | 'PROVIDER_REFUSED' | 'AUDIO_LOST';
  readonly message: string;
  /** Whether transcription continues by itself. */
  readonly retryable: boolean;
}

export interface LiveTranscriberListener {
  /** With every session. */
  sessionStarted(engine: LiveEngine): void;
  utterance(utterance: TranscribedUtterance): void;
  translation(translation: LiveTranslation & { readonly segmentId: string }): void;
  problem(problem: TranscriptionProblem): void;
}

export interface LiveTranscriberDependencies extends Pick<RunContext, 'clock' | 'logger'> {
  readonly openSession: OpenLiveSession;
  readonly engines: readonly LiveEngine[];
  /** Begins every segment id. */
  readonly idPrefix: string;
  readonly listener: LiveTranscriberListener;
}

const pauses = { firstMs: 1_000, longestMs: 30_000 } as const;
/** After a session that lasted this long the failure count starts again. */
const goodAfterMs = 5_000;
/** Failures in a row after which the next engine is used, where there is one. */
const mostFailures = 5;
/** Faster than real time, so that a new session catches up, and slow enough that providers do not refuse it. */
const mostBlocksAtOnce = 4;

/** Sends audio to one provider at a time and forwards its results; reopens lost sessions. */
export class LiveTranscriber {
  readonly #dependencies: LiveTranscriberDependencies;
  readonly #backlog = new AudioBacklog();
  readonly #ids: SegmentIds;
  readonly #stopping = new AbortController();
  /** Aborts sessions that are opening or open. */
  readonly #closing = new AbortController();
  #session: LiveSession | null = null;
  #positions = new SessionPositions();
  #settledMs = 0;
  #engine = 0;
  #failures = 0;
  #isGivenUp = false;
  #reportedLossMs = 0;
  #isOutageReported = false;
  #running: Promise<void> | null = null;

  constructor(dependencies: LiveTranscriberDependencies) {
    this.#dependencies = dependencies;
    this.#ids = new SegmentIds(dependencies.idPrefix);
  }

  /** 100 ms of audio. */
  take(positionMs: number, pcm: Buffer): void {
    if (this.#isGivenUp || this.#stopping.signal.aborted) return;
    this.#backlog.add(positionMs, pcm);
    this.#pump(mostBlocksAtOnce);
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** No audio follows; remaining results of the provider are forwarded, for at most `timeoutMs`. */
  async finish(timeoutMs: number): Promise<void> {
    this.#pump(Infinity);
    this.#stopping.abort();
    await this.#session?.finish(timeoutMs);
    this.#closing.abort();
    await this.#running;
  }

  /** Runs until audio stops while there is no session, or transcription is given up. */
  async #run(): Promise<void> {
    const { clock } = this.#dependencies;
    const { signal } = this.#stopping;
    let waits = 0;
    while (!signal.aborted && !this.#isGivenUp) {
      const startedMs = clock.monotonic();
      const failure = await this.#runSession();
      if (signal.aborted || failure === null) return;
      if (clock.monotonic() - startedMs >= goodAfterMs) [this.#failures, waits] = [0, 0];
      const isReplaced = this.#lost(failure);
      if (this.#isGivenUp) return;
      waits = isReplaced ? 1 : waits + 1;
      const waitMs = failure.retryAfterMs ?? backoffMs(waits, pauses);
      if (!isReplaced) await clock.sleep(waitMs, signal).catch(() => undefined);
      // Nothing is transcribed in a pause: the next audio begins the next session.
      if (this.#backlog.unsentMs === 0 && !isReplaced) return;
    }
  }

  /** Null when it ended normally. */
  async #runSession(): Promise<SpeechToTextFailure | null> {
    const { openSession, listener, engines } = this.#dependencies;
    const engine = engines[this.#engine];
    if (engine === undefined) return null;
    const isCurrent = { value: true };
    this.#ids.newSession();
    this.#backlog.rewind();
    const positions = new SessionPositions();
    const settledMs = this.#settledMs;
    this.#positions = positions;
    try {
      const onEvent = (event: LiveEvent): void => {
        if (isCurrent.value) this.#receive(event, engine, { positions, settledMs });
      };
      const session = await openSession(engine, onEvent, this.#closing.signal);
      this.#session = session;
      this.#isOutageReported = false;
      listener.sessionStarted(engine);
      this.#pump(mostBlocksAtOnce);
      return await session.ended;
    } catch (error) {
      if (error instanceof SpeechToTextFailure) return error;
      return new SpeechToTextFailure('temporary', 'The provider could not be reached.', { cause: error });
    } finally {
      isCurrent.value = false;
      this.#session = null;
    }
  }

  #pump(most: number): void {
    for (let count = 0; count < most; count += 1) {
      const block = this.#backlog.nextBlock;
      if (block === null || this.#session?.send(block.pcm) !== true) break;
      this.#backlog.sent();
      this.#positions.sent(block.positionMs, blockMs);
    }
    const lostMs = this.#backlog.droppedMs - this.#reportedLossMs;
    if (lostMs === 0 || this.#session === null) return;
    this.#reportedLossMs = this.#backlog.droppedMs;
    const message = `${Math.round(lostMs / 1_000)} s of audio were not transcribed, because the provider did not take them in time.`;
    this.#dependencies.listener.problem({ code: 'AUDIO_LOST', message, retryable: true });
  }

  #receive(
    event: LiveEvent,
    engine: LiveEngine,
    { positions, settledMs }: { readonly positions: SessionPositions; readonly settledMs: number },
  ): void {
    const { listener } = this.#dependencies;
    if (event.kind === 'translation') {
      const segmentId = this.#ids.known(event.translation.key);
      if (segmentId !== null) listener.translation({ ...event.translation, segmentId });
      return;
    }
    const { utterance } = event;
    const words = utterance.words.map((word) => ({
      ...word,
      startMs: positions.of(word.startMs),
      endMs: positions.of(word.endMs),
    }));
    // The first block of a session may contain the end of a word that is already final.
    const own = words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 >= settledMs);
    if (words.length > 0 && own.length === 0) return;
    const endMs = positions.of(utterance.endMs);
    const segmentId = this.#ids.of(utterance.key, utterance.isFinal);
    if (utterance.isFinal) {
      this.#settledMs = Math.max(this.#settledMs, endMs);
      this.#backlog.settle(this.#settledMs);
    }
    listener.utterance({
      ...utterance,
      text: own.length === words.length ? utterance.text : textOfWords(own),
      startMs: own[0]?.startMs ?? positions.of(utterance.startMs),
      endMs,
      words: own,
      segmentId,
      engine,
    });
  }

  /** @returns whether the next engine is used from now on */
  #lost(failure: SpeechToTextFailure): boolean {
    const { engines, listener, logger } = this.#dependencies;
    const provider = engines[this.#engine]?.provider;
    const next = engines[this.#engine + 1];
    this.#failures += 1;
    const isRefused = failure.kind === 'credentials' || failure.kind === 'rejected';
    logger.warn({ provider, kind: failure.kind, failures: this.#failures }, `Live transcription: ${failure.message}`);
    if (next !== undefined && (isRefused || this.#failures >= mostFailures)) {
      this.#engine += 1;
      this.#failures = 0;
      const message = `${failure.message} ${next.provider} transcribes from now on.`;
      listener.problem({ code: isRefused ? 'PROVIDER_REFUSED' : 'PROVIDER_LOST', message, retryable: true });
      return true;
    }
    if (isRefused) {
      this.#isGivenUp = true;
      const message = `${failure.message} Nothing more is transcribed live; the recording continues.`;
      listener.problem({ code: 'PROVIDER_REFUSED', message, retryable: false });
    } else if (!this.#isOutageReported) {
      this.#isOutageReported = true;
      listener.problem({
        code: 'PROVIDER_LOST',
        message: `${failure.message} The connection is opened again.`,
        retryable: true,
      });
    }
    return false;
  }
}
