import type { TranscriptUtterance, TranscriptWord } from './transcript.ts';

/** Distributes the words of a text over its time, in proportion to their characters. Marks them as not measured. */
export function interpolateWords(
  text: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): TranscriptWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const total = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  const timeOf = (characters: number): number => Math.round(startMs + ((endMs - startMs) * characters) / (total || 1));
  return words.map((word) => {
    const from = timeOf(before);
    before += word.length;
    return { text: word, startMs: from, endMs: timeOf(before), confidence: null, interpolated: true };
  });
}

/** The utterance of a provider that gives nothing but a text; none without words. */
export function utterancesOfText(
  text: string,
  durationMs: number | null,
  language: string | null = null,
): TranscriptUtterance[] {
  const span = { startMs: 0, endMs: durationMs ?? 0 };
  const words = interpolateWords(text, span);
  const labels = { confidence: null, language, channel: 0, speaker: null };
  return words.length === 0 ? [] : [{ text: text.trim(), ...span, ...labels, words }];
}
