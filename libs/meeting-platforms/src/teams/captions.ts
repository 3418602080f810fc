import type { CaptionVersion } from '../platform.ts';
import type { RecognitionResult } from './main-channel.page.ts';

interface Utterance {
  readonly number: number;
  readonly audioSentAt: number;
  readonly isFinal: boolean;
  readonly firstWord: string;
  readonly atMs: number;
}

/** A final result may never come: an utterance without a change for this long has ended. */
const silentMs = 5_000;
const mostSpeakers = 500;

export type TeamsCaption = Pick<CaptionVersion, 'key' | 'text' | 'isFinal' | 'language' | 'atMs'>;

/** Separates utterances of one speaker, which Teams does not number: the next one begins after a final result. */
export class TeamsCaptions {
  readonly #last = new Map<string, Utterance>();

  apply({ userId, text, isFinal, audioSentAt, language }: RecognitionResult, atMs: number): TeamsCaption {
    const last = this.#last.get(userId);
    const firstWord = text.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
    const isSame = last !== undefined && continues(last, { isFinal, audioSentAt, firstWord, atMs });
    const number = isSame ? last.number : (last?.number ?? 0) + 1;
    this.#last.delete(userId);
    this.#last.set(userId, { number, audioSentAt, isFinal, firstWord, atMs });
    const [oldest] = this.#last.keys();
    if (this.#last.size > mostSpeakers && oldest !== undefined) this.#last.delete(oldest);
    return { key: `${userId}/${number}`, text, isFinal, language, atMs };
  }
}

function continues(last: Utterance, next: Omit<Utterance, 'number'>): boolean {
  // The same audio once more: a correction.
  if (last.audioSentAt === next.audioSentAt && last.audioSentAt !== 0) return true;
  if (last.isFinal) return false;
  return next.atMs - last.atMs < silentMs || last.firstWord === next.firstWord;
}

export function isRecognitionResult(result: unknown): result is RecognitionResult {
  if (typeof result !== 'object' || result === null) return false;
  const { userId, text, isFinal, audioSentAt, language } = result as Record<string, unknown>;
  const texts = typeof userId === 'string' && typeof text === 'string';
  return (
    texts &&
    typeof isFinal === 'boolean' &&
    typeof audioSentAt === 'number' &&
    (language === null || typeof language === 'string')
  );
}
