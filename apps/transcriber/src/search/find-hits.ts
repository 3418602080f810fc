import type { TranscriptHit } from '@rapporteur/contracts';
import type { SearchQuery, Term } from './search-query.ts';
import { fold, tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** An utterance as it is stored for the search; times in ms of the recording. */
export type SearchedUtterance = readonly [
  startMs: number,
  endMs: number,
  speaker: string,
  speakerId: number | null,
  text: string,
];

export interface FoundHits {
  /** In the order of the recording. */
  readonly hits: readonly TranscriptHit[];
  /** The transcript has further ones. */
  readonly more: boolean;
}

interface Matches {
  readonly utterance: SearchedUtterance;
  /** Offsets in the text. */
  readonly places: readonly Pick<Token, 'from' | 'to'>[];
}

const mostHits = 5;

/**
 * Where a transcript has what is searched: utterances that have all of it, else the first one for each term. Null: it
 * lacks a phrase, or has an excluded one.
 */
export function findHits(utterances: readonly SearchedUtterance[], query: SearchQuery): FoundHits | null {
  const phrases = query.excluded.filter(({ words }) => words.length > 1);
  if (phrases.some((phrase) => first(utterances, [phrase]).length > 0)) return null;
  const whole = first(utterances, query.wanted, mostHits + 1);
  if (whole.length > 0) return { hits: whole.slice(0, mostHits).map(hitOf), more: whole.length > mostHits };
  if (query.wanted.length === 1) return null;
  const apart = query.wanted.map((term) => first(utterances, [term])[0]);
  if (apart.includes(undefined)) return null;
  const byStart = new Map(apart.flatMap((one) => (one === undefined ? [] : [[one.utterance, one] as const])));
  const sorted = [...byStart.values()].toSorted((one, other) => one.utterance[0] - other.utterance[0]);
  return { hits: sorted.slice(0, mostHits).map(hitOf), more: true };
}

/** The first utterances that have all terms. */
function first(utterances: readonly SearchedUtterance[], terms: readonly Term[], limit = 1): Matches[] {
  const found: Matches[] = [];
  for (const utterance of utterances) {
    const folded = fold(utterance[4]);
    // Cutting into words costs more than this: it is done where the words may be.
    if (!terms.every(({ words }) => mayHave(folded, words))) continue;
    const tokens = tokensOf(utterance[4]);
    const places = terms.map((term) => placesOf(tokens, term));
    if (places.some((one) => one.length === 0)) continue;
    found.push({ utterance, places: places.flat() });
    if (found.length === limit) break;
  }
  return found;
}

/** Characters between two words that follow each other, at most; the pairs of scripts without spaces overlap. */
const longestGap = 8;
const longestOverlap = 2;

/** False: the folded text does not have these words one after the other. */
function mayHave(folded: string, [first = '', ...rest]: readonly string[]): boolean {
  for (let at = folded.indexOf(first); at !== -1; at = folded.indexOf(first, at + 1)) {
    let end = at + first.length;
    const follows = rest.every((word) => {
      const from = end - longestOverlap;
      const next = folded.slice(from, end + longestGap + word.length).indexOf(word);
      end = from + next + word.length;
      return next !== -1;
    });
    if (follows) return true;
  }
  return false;
}

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

function hitOf({ utterance: [startMs, endMs, speaker, speakerId, text], places }: Matches): TranscriptHit {
  const sorted = places.toSorted((one, other) => one.from - other.from);
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
  return { startMs, endMs, speaker, speakerId, snippet: parts };
}

/** The beginning of a word, so that a short lead and the first match are shown. */
function windowStart(text: string, firstMatch: number): number {
  if (text.length <= snippetLength || firstMatch <= leadLength) return 0;
  const start = firstMatch - leadLength;
  const space = text.indexOf(' ', start);
  return space === -1 || space >= firstMatch ? start : space + 1;
}
