import type { ScheduledSentence } from '../participants/schedule.ts';
import type { CaptionOptions } from './caption-options.ts';

/** A platform's recognition result for one sentence, so far. Times are milliseconds since the room's clock zero. */
export type CaptionVersion = {
  /** Counts the sentences of the room from 1, also over the loop's end. */
  captionId: number;
  participantIndex: number;
  /** From 1. */
  version: number;
  final: boolean;
  text: string;
  language: string;
  /** Beginning of the sentence. */
  startMs: number;
  /** End of the last word in the text. */
  endMs: number;
};

type PlannedVersion = Omit<CaptionVersion, 'captionId'> & { dueMs: number };

const FINAL_AFTER_MS = { 'on-time': 300, late: 3_000, missing: Infinity } as const;
const CORRECTED_AFTER_MS = 800;
/** Every so many words one is wrong until the next one, and every so many sentences one is final with a wrong word. */
const WRONG_WORD_EVERY = 4;
const WRONG_SENTENCE_EVERY = 3;

/** The versions of one sentence of the loop: one with each word, a final one, and at times a corrected one after it. */
export function planCaption(sentence: ScheduledSentence, index: number, options: CaptionOptions): PlannedVersion[] {
  const { participantIndex, startMs, words } = sentence;
  const { corrections, delayMs, finals, languages } = options;
  const language = languages[participantIndex % languages.length] ?? 'en-US';
  const spoken = words.map(({ word }) => word);
  const versions = words.map(({ endMs }, word): Omit<PlannedVersion, 'version'> => {
    const recognized = spoken.slice(0, word + 1);
    if (corrections && word % WRONG_WORD_EVERY === 1) recognized[word] = wrong(spoken[word] ?? '');
    return {
      participantIndex,
      final: false,
      text: recognized.join(' '),
      language,
      startMs,
      endMs,
      dueMs: endMs + delayMs,
    };
  });
  const endMs = words.at(-1)?.endMs ?? startMs;
  const finalMs = endMs + delayMs + FINAL_AFTER_MS[finals];
  const right = finalText(sentence);
  const add = (text: string, dueMs: number): void => {
    if (dueMs < Infinity) versions.push({ participantIndex, final: true, text, language, startMs, endMs, dueMs });
  };
  const isWrong = corrections && index % WRONG_SENTENCE_EVERY === 0 && words.length > 2;
  add(isWrong ? right.replace(/ \S+ /, ' what ') : right, finalMs);
  if (isWrong) add(right, finalMs + CORRECTED_AFTER_MS);
  return versions.map((version, number) => ({ ...version, version: number + 1 }));
}

/** With punctuation and capitals, as in final results of speech recognition; numbers stay as spoken. */
function finalText({ sentence, words }: ScheduledSentence): string {
  if (sentence.trim().split(/\s+/).length === words.length) return sentence;
  const text = words.map(({ word }) => word).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function wrong(word: string): string {
  return word.length > 3 ? word.slice(0, -2) : `${word}m`;
}

/** The captions of a room over time, for one browser that has turned them on. */
export class RoomCaptions {
  readonly #plan: readonly (PlannedVersion & { readonly index: number })[];
  readonly #sentences: number;
  readonly #loopMs: number;
  #untilMs: number;

  /** @param nowMs since the room's clock began; what was due before is not sent */
  constructor(schedule: readonly ScheduledSentence[], loopMs: number, options: CaptionOptions, nowMs: number) {
    this.#plan = schedule.flatMap((sentence, index) =>
      planCaption(sentence, index, options).map((version) => ({ ...version, index })),
    );
    this.#sentences = schedule.length;
    this.#loopMs = loopMs;
    this.#untilMs = nowMs;
  }

  /** The versions that became due since the last call, in order. */
  next(nowMs: number): CaptionVersion[] {
    const due: (CaptionVersion & { dueMs: number })[] = [];
    const first = Math.max(0, Math.floor(this.#untilMs / this.#loopMs) - 1);
    for (let loop = first; loop * this.#loopMs <= nowMs; loop += 1) {
      const atMs = loop * this.#loopMs;
      for (const { index, ...version } of this.#plan) {
        const dueMs = atMs + version.dueMs;
        if (dueMs <= this.#untilMs || dueMs > nowMs) continue;
        const captionId = loop * this.#sentences + index + 1;
        due.push({ ...version, captionId, startMs: atMs + version.startMs, endMs: atMs + version.endMs, dueMs });
      }
    }
    this.#untilMs = nowMs;
    return due.sort((one, other) => one.dueMs - other.dueMs).map(({ dueMs: _due, ...version }) => version);
  }
}
