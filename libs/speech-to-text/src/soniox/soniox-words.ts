import { z } from 'zod';
import { confidence, languageCode, milliseconds, orNull, speakerLabel, text } from '../provider-shapes.ts';
import { isUnspaced, longestPauseMs } from '../transcript.ts';
import type { LabelledWord } from '../transcript.ts';

/** A part of a word; a leading space begins a new word, in scripts that have them. */
export const sonioxToken = z.object({
  text,
  start_ms: orNull(milliseconds),
  end_ms: orNull(milliseconds),
  confidence,
  speaker: speakerLabel,
  language: languageCode,
  is_audio_event: orNull(z.boolean()),
  translation_status: orNull(z.string()),
});
export type SonioxToken = z.output<typeof sonioxToken>;

const isLetter = /^\p{L}/u;
const marker = /^<(end|fin)>$/;

/** Joins tokens into words. Translations, noises that are no speech and markers are left out. */
export function sonioxWords(tokens: readonly SonioxToken[]): LabelledWord[] {
  const words: LabelledWord[] = [];
  for (const token of tokens) {
    if (token.is_audio_event === true || token.translation_status === 'translation' || marker.test(token.text))
      continue;
    const last = words.at(-1);
    const startMs = token.start_ms ?? last?.endMs ?? 0;
    const endMs = Math.max(startMs, token.end_ms ?? startMs);
    const begins =
      last === undefined ||
      /^\s/.test(token.text) ||
      last.speaker !== token.speaker ||
      startMs - last.endMs > longestPauseMs ||
      (isUnspaced(token.text) && isLetter.test(token.text));
    if (begins) {
      const { confidence: sure, speaker, language } = token;
      const isMeasured = token.start_ms !== null && token.end_ms !== null && token.end_ms >= token.start_ms;
      const labels = {
        confidence: sure,
        speaker,
        language,
        channel: 0,
        ...(isMeasured ? {} : { interpolated: true as const }),
      };
      words.push({ text: token.text.trim(), startMs, endMs, ...labels });
    } else {
      const sure =
        last.confidence === null || token.confidence === null ? null : Math.min(last.confidence, token.confidence);
      words[words.length - 1] = { ...last, text: last.text + token.text.trimEnd(), endMs, confidence: sure };
    }
  }
  return words.filter((word) => word.text !== '');
}
