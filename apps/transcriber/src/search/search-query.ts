import type { TranscriptHit } from '@rapporteur/contracts';
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/** Words that follow each other. */
export interface Term {
  readonly words: readonly string[];
  /** The last word is the beginning of a word. */
  readonly isPrefix: boolean;
}

export interface SearchQuery {
  /** All must be in the transcript; at least one. */
  readonly wanted: readonly Term[];
  /** None may be in it. */
  readonly excluded: readonly Term[];
}

export const mostWords = 32;
const termPattern = /(?<minus>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;

/**
 * Reads what a user searches: words that must all be there, `"words in this order"`, `-excluded` and `begin*`. A text
 * that is no search is returned as a sentence.
 */
export function readSearchQuery(text: string): SearchQuery | string {
  const terms = { wanted: [] as Term[], excluded: [] as Term[] };
  for (const { groups } of text.matchAll(termPattern)) {
    const written = groups?.['phrase'] ?? groups?.['word'] ?? '';
    const words = tokensOf(written).map(({ word }) => word);
    if (words.length === 0) continue;
    const term = { words, isPrefix: written.endsWith('*') };
    (groups?.['minus'] === '-' ? terms.excluded : terms.wanted).push(term);
  }
  const count = [...terms.wanted, ...terms.excluded].reduce((sum, { words }) => sum + words.length, 0);
  if (count > mostWords) return `Search for at most ${mostWords} words.`;
  if (terms.wanted.length === 0) return 'Name at least one word to search for; -word alone only excludes.';
  return terms;
}

/** Texts of tsqueries for one search. */
export interface SearchTexts {
  /** The query of transcripts, whose index holds no positions: no phrase. */
  readonly transcript: string;
  /** The query of an utterance that has all that is wanted. */
  readonly whole: string;
  /** The queries of an utterance that has one term; empty where there is only one. */
  readonly apart: readonly string[];
  /** The query of an utterance that excludes its transcript; null: none does. */
  readonly excluded: string | null;
}

export function searchTextsOf({ wanted, excluded }: SearchQuery, teamId: string): SearchTexts {
  const singles = excluded.filter(({ words }) => words.length === 1);
  const phrases = excluded.filter(({ words }) => words.length > 1);
  const terms = wanted.map(phraseOf);
  return {
    transcript: [
      quoted(teamLexeme(teamId)),
      ...wanted.flatMap(lexemesOf),
      ...singles.flatMap(lexemesOf).map((one) => `!${one}`),
    ].join(' & '),
    whole: terms.join(' & '),
    apart: terms.length === 1 ? [] : terms,
    excluded: phrases.length === 0 ? null : phrases.map(phraseOf).join(' | '),
  };
}

const lexemesOf = ({ words, isPrefix }: Term): string[] =>
  words.map((word, index) => `${quoted(word)}${isPrefix && index === words.length - 1 ? ':*' : ''}`);

const phraseOf = (term: Term): string => `(${lexemesOf(term).join(' <-> ')})`;

/** Marks the transcripts of a team in the index. No word has a colon. */
export const teamLexeme = (teamId: string): string => `team:${teamId}`;

/** A lexeme in the text of a tsquery or a tsvector. */
export const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

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
