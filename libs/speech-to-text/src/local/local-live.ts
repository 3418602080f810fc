import { SpeechToTextFailure } from '../failure.ts';
import type { LiveAccess, LiveSession } from '../live-provider.ts';
import { liveSampleRateHz } from '../live-provider.ts';
import { utteranceOfWords } from '../live/utterance-of-words.ts';
import { findWindows } from './find-windows.ts';
import type { SpeechWindow } from './find-windows.ts';
import { defaultPrograms, recognize } from './recognize.ts';
import type { LocalPrograms } from './recognize.ts';

const language = 'en';
const bytesPerMs = (liveSampleRateHz * 2) / 1_000;
/** Silence that ends an utterance. */
const pauseMs = 700;
/** Longer speech is recognized in parts. */
const longestMs = 20_000;
const checkEveryMs = 300;
/** What may wait for the recognizer; when it is slower than speech for longer, audio is refused. */
const mostWaitingMs = 120_000;

/** The trial engine on this machine. It has no partial results. */
export function openLocalLive(
  { onEvent, signal }: Pick<LiveAccess, 'onEvent' | 'signal'>,
  programs: LocalPrograms = defaultPrograms,
): LiveSession {
  return new LocalSession(programs, onEvent, signal);
}

class LocalSession implements LiveSession {
  readonly #programs: LocalPrograms;
  readonly #onEvent: LiveAccess['onEvent'];
  readonly #stopping = new AbortController();
  readonly #ended = Promise.withResolvers<SpeechToTextFailure | null>();
  readonly ended = this.#ended.promise;
  #audio: Buffer[] = [];
  #heldMs = 0;
  #startMs = 0;
  #checkedMs = 0;
  #waitingMs = 0;
  #utterances = 0;
  #work: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(programs: LocalPrograms, onEvent: LiveAccess['onEvent'], signal?: AbortSignal) {
    this.#programs = programs;
    this.#onEvent = onEvent;
    signal?.addEventListener('abort', () => void this.close(), { once: true });
  }

  send(pcm: Buffer): boolean {
    if (this.#isEnding || this.#waitingMs > mostWaitingMs) return false;
    this.#audio.push(pcm);
    this.#heldMs += pcm.byteLength / bytesPerMs;
    if (this.#heldMs - this.#checkedMs >= checkEveryMs) this.#check(false);
    return true;
  }

  async finish(timeoutMs: number): Promise<void> {
    if (!this.#isEnding) this.#check(true);
    this.#isEnding = true;
    const timer = setTimeout(() => this.#stopping.abort(), timeoutMs);
    await this.#work;
    clearTimeout(timer);
    this.#ended.resolve(null);
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    this.#stopping.abort();
    await this.#work;
    this.#ended.resolve(null);
  }

  /** Recognizes what is complete and keeps the rest. */
  #check(isLast: boolean): void {
    const pcm = Buffer.concat(this.#audio);
    const windows = findWindows(pcm);
    const [first] = windows;
    const last = windows.at(-1);
    const isOpen = last !== undefined && this.#heldMs - last.endMs < pauseMs && this.#heldMs - last.startMs < longestMs;
    const complete = isOpen && !isLast ? windows.slice(0, -1) : windows;
    const until = complete.at(-1)?.endMs ?? (first === undefined ? this.#heldMs - pauseMs : 0);
    for (const window of complete) this.#enqueue(pcm, window);
    this.#dropUntil(pcm, Math.max(0, Math.floor(until)));
  }

  #dropUntil(pcm: Buffer, untilMs: number): void {
    this.#audio = [pcm.subarray(untilMs * bytesPerMs)];
    this.#startMs += untilMs;
    this.#heldMs -= untilMs;
    this.#checkedMs = this.#heldMs;
  }

  #enqueue(pcm: Buffer, { startMs, endMs }: SpeechWindow): void {
    const lengthMs = endMs - startMs;
    const speech = Buffer.from(pcm.subarray(startMs * bytesPerMs, endMs * bytesPerMs));
    const offsetMs = this.#startMs + startMs;
    this.#utterances += 1;
    const key = String(this.#utterances);
    this.#waitingMs += lengthMs;
    this.#work = this.#work
      .then(() => this.#recognize(speech, { key, offsetMs, lengthMs }))
      .finally(() => (this.#waitingMs -= lengthMs));
  }

  async #recognize(
    speech: Buffer,
    { key, offsetMs, lengthMs }: { readonly key: string; readonly offsetMs: number; readonly lengthMs: number },
  ): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      const found = await recognize(speech, [{ startMs: 0, endMs: lengthMs }], this.#programs, signal);
      const words = found.map((word) => ({
        ...word,
        startMs: word.startMs + offsetMs,
        endMs: word.endMs + offsetMs,
        speaker: null,
        language,
        channel: 0,
      }));
      const utterance = utteranceOfWords(key, true, words);
      if (utterance !== null) this.#onEvent({ kind: 'utterance', utterance });
    } catch (error) {
      const failure = error instanceof SpeechToTextFailure ? error : null;
      this.#isEnding = true;
      if (!signal.aborted)
        this.#ended.resolve(failure ?? new SpeechToTextFailure('failed', 'The local engine failed.', { cause: error }));
    }
  }
}
