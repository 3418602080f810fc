import { z } from 'zod';
import { confidence, languageCode, seconds, speakerLabel, text } from '../provider-shapes.ts';
import type { LabelledWord } from '../transcript.ts';

/** One entry of `results`, in batch and in real time. */
export const speechmaticsResult = z
  .object({
    type: z.string(),
    start_time: seconds,
    end_time: seconds,
    attaches_to: z.enum(['previous', 'next', 'both', 'none']).nullish(),
    alternatives: z
      .array(z.object({ content: text, confidence, speaker: speakerLabel, language: languageCode }))
      .nullish(),
  })
  .refine(({ start_time, end_time }) => end_time >= start_time);

/** Words with their punctuation; the label `UU` means an unknown speaker. */
export function speechmaticsWords(results: readonly z.output<typeof speechmaticsResult>[]): LabelledWord[] {
  const words: LabelledWord[] = [];
  for (const { type, start_time, end_time, alternatives } of results) {
    const best = alternatives?.[0];
    if (best === undefined) continue;
    const last = words.at(-1);
    if (type === 'punctuation') {
      if (last !== undefined) words[words.length - 1] = { ...last, text: last.text + best.content };
      continue;
    }
    words.push({
      text: best.content,
      startMs: start_time,
      endMs: end_time,
      confidence: best.confidence,
      speaker: best.speaker === 'UU' ? null : best.speaker,
      language: best.language,
      channel: 0,
    });
  }
  return words;
}
