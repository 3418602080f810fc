import { tokensOf } from './tokens.ts';

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

const mostWords = 32;
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

/** The query of the index: no phrase, because the index holds no positions. */
export function indexQueryOf({ wanted, excluded }: SearchQuery, teamId: string): string {
  const lexeme = ({ words, isPrefix }: Term): string[] =>
    words.map((word, index) => `${quoted(word)}${isPrefix && index === words.length - 1 ? ':*' : ''}`);
  // A phrase is excluded by reading: the index only contains that its words are somewhere in the transcript.
  const singles = excluded.filter(({ words }) => words.length === 1);
  return [
    quoted(teamLexeme(teamId)),
    ...wanted.flatMap(lexeme),
    ...singles.flatMap(lexeme).map((one) => `!${one}`),
  ].join(' & ');
}

/** Marks the transcripts of a team in the index. No word has a colon. */
export const teamLexeme = (teamId: string): string => `team:${teamId}`;

const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
