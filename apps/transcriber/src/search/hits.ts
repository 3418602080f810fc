import type { TranscriptHit } from '@rapporteur/contracts';
import type { Term } from './search-query.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** An utterance as it is stored for the search; times in ms of the recording. */
export type SearchedUtterance = readonly [
  startMs: number,
  endMs: number,
  speaker: string,
  speakerId: number | null,
  text: string,
];

function placesOf(tokens: readonly Token[], { words, isPrefix }: Term): Pick<Token, 'from' | 'to'>[] {
  const last = words.length - 1;
  const fits = (token: Token | undefined, index: number): boolean => {
    const wanted = words[index] ?? '';
    if (token === undefined) return false;
    return isPrefix && index === last ? token.word.startsWith(wanted) : token.word === wanted;
  };
  return tokens.flatMap((token, at) =>
    words.every((_, index) => fits(tokens[at + index], index))
      ? [{ from: token.from, to: tokens[at + last]?.to ?? token.to }]
      : [],
  );
}

/** Characters of a snippet, and of its text before the first match. */
const snippetLength = 240;
const leadLength = 60;

/** The hit of an utterance that was found, with the words marked that were searched. */
export function hitOf([startMs, endMs, speaker, speakerId, text]: SearchedUtterance, terms: readonly Term[]) {
  const tokens = tokensOf(text);
  const sorted = terms.flatMap((term) => placesOf(tokens, term)).toSorted((one, other) => one.from - other.from);
  const from = windowStart(text, sorted[0]?.from ?? 0);
  const to = Math.min(text.length, from + snippetLength);
  const parts: { text: string; match: boolean }[] = [];
  const add = (start: number, end: number, match: boolean): void => {
    if (end > start) parts.push({ text: text.slice(start, end).toWellFormed(), match });
  };
  let at = from;
  for (const place of sorted) {
    const start = Math.max(at, place.from);
    if (start >= to) break;
    add(at, start, false);
    add(start, Math.min(to, place.to), true);
    at = Math.max(at, Math.min(to, place.to));
  }
  add(at, to, false);
  if (from > 0) parts.unshift({ text: '… ', match: false });
  if (to < text.length) parts.push({ text: ' …', match: false });
  return { startMs, endMs, speaker, speakerId, snippet: parts } satisfies TranscriptHit;
}

/** The beginning of a word, so that a short lead and the first match are shown. */
function windowStart(text: string, firstMatch: number): number {
  if (text.length <= snippetLength || firstMatch <= leadLength) return 0;
  const start = firstMatch - leadLength;
  const space = text.indexOf(' ', start);
  return space === -1 || space >= firstMatch ? start : space + 1;
}
