import type { TextPattern } from '@rapporteur/contracts';
import kinds from '../../packs/kinds.json' with { type: 'json' };
import { RE2JS, RE2JSException, RE2Set } from 're2js';

/** Memory of one matcher's automaton, bytes. */
const mostMemory = 1_048_576;
/** More exceptions than this in one text are not looked for: each costs a pass over it. */
const mostExceptions = 16;
const mostKnown = 100;
const longestKnown = 1_000;
const mostInstructions = 700;
/** The limit of a pattern with the words of the built-in kinds. */
const mostExpanded = 4_000;
/** Repetitions by number and classes by category multiply a pattern's size; `\Q` has no end of its own. */
const costly = /\\[pPCQ]|\{/;
/** What lets a match go on in more than one way: each may cost a step per character of a text. */
const ambiguous = /\\.|[.[|?*+]/gs;
const mostAmbiguous = 40;

/**
 * Whether a text contains one of the patterns, in any case: one pass over it, whatever their number. Compiled at the
 * first text; in lower case, because automata that fold cases are twice as large.
 */
export class TextMatcher {
  readonly #patterns: readonly TextPattern[];
  /** A page shows the same texts at every read. */
  readonly #known = new Map<string, boolean>();
  #plain: RE2Set | null = null;
  #exceptional: readonly { readonly match: RE2JS; readonly unless: RE2JS }[] = [];

  constructor(patterns: readonly TextPattern[]) {
    this.#patterns = patterns;
  }

  test(text: string): boolean {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const matches = this.#matches(text.toLowerCase());
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (text.length <= longestKnown) this.#known.set(text, matches);
    return matches;
  }

  #matches(text: string): boolean {
    this.#plain ??= this.#compile();
    if (this.#plain.match(text).length > 0) return true;
    return this.#exceptional.some(({ match, unless }) => match.test(text) && match.test(withoutMatches(text, unless)));
  }

  #compile(): RE2Set {
    const plain = new RE2Set(RE2Set.UNANCHORED, 0, mostMemory);
    for (const pattern of this.#patterns) if (typeof pattern === 'string') plain.add(inLowerCase(pattern));
    plain.compile();
    this.#exceptional = this.#patterns
      .filter((pattern) => typeof pattern === 'object')
      .map(({ match, unless }) => ({ match: compile(match), unless: compile(unless) }));
    return plain;
  }
}

const words: Readonly<Record<string, string>> = kinds.words;

/** A pattern with each `<word>` of the built-in kinds replaced by its forms. */
function withWords(pattern: string): string {
  const replaced = pattern.replaceAll(/<(\w+)>/g, (whole, word: string) => words[word] ?? whole);
  return replaced === pattern || replaced.length > mostExpanded ? replaced : withWords(replaced);
}

/** With its words. An escape keeps its case, which is its meaning. */
function inLowerCase(pattern: string): string {
  return withWords(pattern).replaceAll(/\\.|[^\\]/gsu, (sign) => (sign.startsWith('\\') ? sign : sign.toLowerCase()));
}

const compile = (pattern: string): RE2JS => RE2JS.compile(inLowerCase(pattern));

function withoutMatches(text: string, pattern: RE2JS): string {
  const kept: string[] = [];
  const matcher = pattern.matcher(text);
  let from = 0;
  for (let found = 0; found < mostExceptions && matcher.find(); found += 1) {
    kept.push(text.slice(from, matcher.start()));
    from = matcher.end();
  }
  return [...kept, text.slice(from)].join('\n');
}

/** What is wrong with a pattern; null: nothing. */
export function patternProblem(pattern: string): string | null {
  if (costly.test(pattern.replaceAll('\\\\', '')))
    return 'has a part that is not supported here: {n}, \\p, \\P, \\C or \\Q';
  if (ambiguitiesIn(pattern) > mostAmbiguous) return `has more than ${mostAmbiguous} of the signs . [ | ? * +`;
  try {
    const compiled = compile(pattern);
    if (compiled.test('')) return 'matches every text';
    const most = withWords(pattern) === pattern ? mostInstructions : mostExpanded;
    return compiled.programSize() > most ? 'is too complex' : null;
  } catch (error) {
    if (error instanceof RE2JSException) return `is no RE2 pattern (${error.message})`;
    throw error;
  }
}

function ambiguitiesIn(pattern: string): number {
  return pattern.match(ambiguous)?.filter((sign) => !/^\\\W/.test(sign)).length ?? 0;
}
