import { z } from 'zod';
import { confidence, languageCode, orNull, readableOf, seconds, speakerLabel, text } from '../provider-shapes.ts';
import type { LabelledWord } from '../transcript.ts';

/** One entry of `results`, in batch and in real time. */
export const speechmaticsResult = z.object({
  type: z.string(),
  start_time: orNull(seconds),
  end_time: orNull(seconds),
  alternatives: readableOf(z.object({ content: text, confidence, speaker: speakerLabel, language: languageCode })),
});

/** Words with their punctuation; the label `UU` means an unknown speaker. */
export function speechmaticsWords(results: readonly z.output<typeof speechmaticsResult>[]): LabelledWord[] {
  const words: LabelledWord[] = [];
  for (const { type, start_time, end_time, alternatives } of results) {
    const [best] = alternatives;
    if (best === undefined) continue;
    const last = words.at(-1);
    if (type === 'punctuation') {
      if (last !== undefined) words[words.length - 1] = { ...last, text: last.text + best.content };
      continue;
    }
    const startMs = start_time ?? last?.endMs ?? 0;
    const isMeasured = start_time !== null && end_time !== null && end_time >= start_time;
    words.push({
      text: best.content,
      startMs,
      endMs: Math.max(startMs, end_time ?? startMs),
      ...(isMeasured ? {} : { interpolated: true }),
      confidence: best.confidence,
      speaker: best.speaker === 'UU' ? null : best.speaker,
      language: best.language,
      channel: 0,
    });
  }
  return words;
}
