import { textOfWords } from '@rapporteur/speech-to-text';
import type { AttributedUtterance } from '../attribution/attribute.ts';

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string;
  readonly text: string;
}

const longestCueMs = 6_000;
const longestCueLetters = 84;

/** WebVTT: one cue per few seconds of speech, with a voice span. */
export function webVtt(utterances: readonly AttributedUtterance[]): string {
  const cues = cuesOf(utterances).map(
    ({ startMs, endMs, speaker, text }) =>
      `${timeOf(startMs, '.')} --> ${timeOf(endMs, '.')}\n<v ${escapeText(speaker)}>${escapeText(text)}</v>\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** SubRip. */
export function subRip(utterances: readonly AttributedUtterance[]): string {
  return cuesOf(utterances)
    .map(
      ({ startMs, endMs, speaker, text }, index) =>
        `${index + 1}\n${timeOf(startMs, ',')} --> ${timeOf(endMs, ',')}\n${oneLine(speaker)}: ${oneLine(text)}\n`,
    )
    .join('\n');
}

function cuesOf(utterances: readonly AttributedUtterance[]): Cue[] {
  return utterances.flatMap(({ words, text, startMs, endMs, speaker }) => {
    if (words.length === 0) return text.trim() === '' ? [] : [cueOf(speaker, [{ text, startMs, endMs }])];
    const groups: (typeof words)[number][][] = [];
    for (const word of words) {
      const group = groups.at(-1);
      if (group !== undefined && fits(group, word)) group.push(word);
      else groups.push([word]);
    }
    return groups.map((group) => cueOf(speaker, group));
  });
}

interface Timed {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

function fits(group: readonly Timed[], word: Timed): boolean {
  const letters = group.reduce((sum, { text }) => sum + text.length + 1, word.text.length);
  return letters <= longestCueLetters && word.endMs - (group[0]?.startMs ?? 0) <= longestCueMs;
}

function cueOf(speaker: string, group: readonly Timed[]): Cue {
  const startMs = group[0]?.startMs ?? 0;
  // A cue without a duration is not shown.
  const endMs = Math.max(startMs + 1, group.at(-1)?.endMs ?? 0);
  return { startMs, endMs, speaker, text: textOfWords(group) };
}

function timeOf(ms: number, separator: '.' | ','): string {
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, '0');
  const rest = `${part((ms / 60_000) % 60, 2)}:${part((ms / 1_000) % 60, 2)}${separator}${part(ms % 1_000, 3)}`;
  return `${part(ms / 3_600_000, 2)}:${rest}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('-->', '->').trim();
}

function escapeText(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
