import type { LiveUtterance } from '../live-provider.ts';
import { meanConfidence, textOfWords } from '../transcript.ts';
import type { LabelledWord } from '../transcript.ts';

/** An utterance that consists of these words; null when there are none. */
export function utteranceOfWords(
  key: string,
  isFinal: boolean,
  words: readonly LabelledWord[],
  text: string = textOfWords(words),
): LiveUtterance | null {
  const [first] = words;
  if (first === undefined) return null;
  return {
    key,
    isFinal,
    text: text.trim(),
    startMs: first.startMs,
    endMs: Math.max(...words.map(({ endMs }) => endMs)),
    confidence: meanConfidence(words),
    language: first.language,
    words,
  };
}
