import type { SpeechTruth, TruthWord } from '../speech-truth.ts';
import { blockMs, bytesPerLiveMs, readPosition } from './scripted-audio.ts';

/**
 * The recognizer of a session: returns the words that ended in the audio so far, each once, timed from the session's
 * first sample.
 */
export interface LiveRecognizer {
  take(pcm: Buffer): readonly TruthWord[];
  /** Whether a word is incomplete at the end of the audio taken. */
  readonly isInWord: boolean;
}

export type FindScript = (script: number) => SpeechTruth | null;

/** Recognizes scripted audio: a word counts when it was received completely. */
export class ScriptRecognizer implements LiveRecognizer {
  readonly #find: FindScript;
  #held: Buffer = Buffer.alloc(0);
  #receivedMs = 0;
  /** Position in the script at which gapless audio began. */
  #runFromMs = 0;
  #expectedMs = -1;
  isInWord = false;

  constructor(find: FindScript) {
    this.#find = find;
  }

  take(pcm: Buffer): readonly TruthWord[] {
    const blockBytes = blockMs * bytesPerLiveMs;
    let rest = this.#held.byteLength === 0 ? pcm : Buffer.concat([this.#held, pcm]);
    const words: TruthWord[] = [];
    while (rest.byteLength >= blockBytes) {
      words.push(...this.#takeBlock(rest.subarray(0, blockBytes)));
      rest = rest.subarray(blockBytes);
    }
    this.#held = Buffer.from(rest);
    return words;
  }

  #takeBlock(block: Buffer): TruthWord[] {
    const position = readPosition(block);
    const sessionMs = this.#receivedMs;
    this.#receivedMs += blockMs;
    if (position === null) return [];
    const { script, atMs } = position;
    if (atMs !== this.#expectedMs) this.#runFromMs = atMs;
    this.#expectedMs = atMs + blockMs;
    const words = this.#find(script)?.words ?? [];
    this.isInWord = words.some(({ startMs, endMs }) => startMs < atMs + blockMs && endMs > atMs + blockMs);
    const ended = words.filter(
      ({ startMs, endMs }) => endMs > atMs && endMs <= atMs + blockMs && startMs >= this.#runFromMs,
    );
    const shift = sessionMs - atMs;
    return ended.map((word) => ({ ...word, startMs: word.startMs + shift, endMs: word.endMs + shift }));
  }
}
