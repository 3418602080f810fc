/** Which selectors a place takes: `css` is evaluated in the page, `element` by Playwright, which matches texts too. */
export type SelectorKind = 'css' | 'element' | 'built-in-element';

const deepest = 4;
const lists: ReadonlySet<string> = new Set(['is', 'where', 'not', 'has']);
const counted: ReadonlySet<string> = new Set(['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type']);
const plain: ReadonlySet<string> = new Set(
  'checked|disabled|empty|enabled|first-child|first-of-type|focus|indeterminate|last-child|last-of-type|only-child|only-of-type|optional|placeholder-shown|read-only|read-write|required|root'.split(
    '|',
  ),
);
const texts: Readonly<Record<SelectorKind, ReadonlySet<string>>> = {
  css: new Set(),
  element: new Set(['has-text', 'text-is']),
  'built-in-element': new Set(['has-text', 'text-is', 'text-matches']),
};
const identifier = /(?:[\w\u00A0-\u{10FFFF}-]|\\[^\s\p{Cc}])+/uy;
const space = /[ \t]*/y;
const combinator = /[ \t]*[>+~][ \t]*|[ \t]+/y;
const relative = /[>+~]?[ \t]*/y;
const operator = /[~|^$*]?=/y;
const caseFlag = /[ \t]*(?:[is](?=[ \t]*\]))?[ \t]*/iy;
const count = /(?:odd|even|[+-]?\d*n?(?:[ \t]*[+-][ \t]*\d+)?)/y;

/** What is wrong with a selector; null: nothing. Selector engines of Playwright other than CSS are not selectors here. */
export function selectorProblem(text: string, kind: SelectorKind): string | null {
  try {
    new SelectorReader(text, kind).read();
    return null;
  } catch (error) {
    if (error instanceof SelectorProblem) return error.message;
    throw error;
  }
}

class SelectorProblem extends Error {}

/** Reads a list of CSS selectors, each character once. */
class SelectorReader {
  readonly #text: string;
  readonly #kind: SelectorKind;
  #at = 0;

  constructor(text: string, kind: SelectorKind) {
    this.#text = text;
    this.#kind = kind;
  }

  read(): void {
    this.#list(0, false);
    if (this.#at < this.#text.length) throw this.#problem('is no CSS selector');
  }

  #list(depth: number, isRelative: boolean): void {
    if (depth > deepest) throw this.#problem(`is nested more than ${deepest} levels deep`);
    do {
      this.#take(space);
      if (isRelative) this.#take(relative);
      this.#complex(depth);
      this.#take(space);
    } while (this.#skip(','));
  }

  #complex(depth: number): void {
    do this.#compound(depth);
    while (!this.#ends() && this.#take(combinator) !== '' && !this.#ends());
  }

  #ends(): boolean {
    return this.#at >= this.#text.length || /[,)]/.test(this.#text[this.#at] ?? '');
  }

  #compound(depth: number): void {
    const start = this.#at;
    if (!this.#skip('*')) this.#take(identifier);
    for (;;) {
      if (this.#skip('#') || this.#skip('.')) this.#name();
      else if (this.#skip('[')) this.#attribute();
      else if (this.#skip(':')) this.#pseudo(depth);
      else break;
    }
    if (this.#at === start) throw this.#problem('is no CSS selector');
  }

  #attribute(): void {
    this.#take(space);
    this.#name();
    this.#take(space);
    if (this.#take(operator) !== '') {
      this.#take(space);
      if (!this.#quoted()) this.#name();
      this.#take(caseFlag);
    }
    if (!this.#skip(']')) throw this.#problem('has an attribute without an end');
  }

  #pseudo(depth: number): void {
    const name = this.#name();
    if (plain.has(name)) return;
    if (!this.#skip('(')) throw this.#problem(`has :${name}, which is not supported here`);
    if (lists.has(name)) this.#list(depth + 1, name === 'has');
    else if (counted.has(name)) this.#take(count);
    else if (texts[this.#kind].has(name)) this.#strings(name === 'text-matches' ? 2 : 1);
    else throw this.#problem(`has :${name}(), which is not supported here`);
    this.#take(space);
    if (!this.#skip(')')) throw this.#problem(`has :${name}() without an end`);
  }

  #name(): string {
    const name = this.#take(identifier);
    if (name === '') throw this.#problem('lacks a name');
    return name.toLowerCase();
  }

  /** At most so many, separated by commas. */
  #strings(most: number): void {
    this.#take(space);
    if (!this.#quoted()) throw this.#problem('lacks a text in quotation marks');
    if (most > 1 && this.#skip(',')) this.#strings(most - 1);
  }

  #quoted(): boolean {
    const mark = this.#text[this.#at];
    if (mark !== '"' && mark !== "'") return false;
    let at = this.#at + 1;
    while (at < this.#text.length && this.#text[at] !== mark) at += this.#text[at] === '\\' ? 2 : 1;
    if (at >= this.#text.length) throw this.#problem('has a text without an end');
    this.#at = at + 1;
    return true;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }

  #problem(why: string): SelectorProblem {
    return new SelectorProblem(`${why} (at character ${this.#at + 1})`);
  }
}
