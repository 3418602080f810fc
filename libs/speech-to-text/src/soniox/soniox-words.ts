import { z } from 'zod';
import { confidence, languageCode, milliseconds, speakerLabel, text } from '../provider-shapes.ts';
import type { LabelledWord } from '../transcript.ts';

/** A part of a word; a leading space begins a new word. */
export const sonioxToken = z
  .object({
    text,
    start_ms: milliseconds.nullish(),
    end_ms: milliseconds.nullish(),
    confidence,
    speaker: speakerLabel,
    language: languageCode,
    is_audio_event: z.boolean().nullish(),
    translation_status: z.string().nullish(),
  })
  .refine(({ start_ms, end_ms }) => (end_ms ?? 0) >= (start_ms ?? 0));
export type SonioxToken = z.output<typeof sonioxToken>;

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
    const begins = last === undefined || /^\s/.test(token.text) || last.speaker !== token.speaker;
    if (begins) {
      const { confidence: sure, speaker, language } = token;
      words.push({ text: token.text.trim(), startMs, endMs, confidence: sure, speaker, language, channel: 0 });
    } else {
      const sure =
        last.confidence === null || token.confidence === null ? null : Math.min(last.confidence, token.confidence);
      words[words.length - 1] = { ...last, text: last.text + token.text.trimEnd(), endMs, confidence: sure };
    }
  }
  return words.filter((word) => word.text !== '');
}
