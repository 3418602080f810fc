/** A word of a text as it is compared, with its place in the text. */
export interface Token {
  readonly word: string;
  /** UTF-16 offsets; the end is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Runs of letters and digits: of the scripts that are written without a space between words, with Hangul, whose particles are joined to words; of the others. */
const runs =
  /(?<unspaced>(?:(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}\p{M}])+)|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}\p{M}])+/gu;
/** The longest word that is compared, in characters; the rest of a longer one is ignored. */
const longestWord = 100;

/**
 * The words of a text, in order. Case, compatibility forms and the accents of Latin and Greek letters are ignored. Text
 * without spaces between words is cut into overlapping pairs of characters. Linear in the length of the text.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(runs)) {
    const [run] = match;
    const from = match.index;
    if (match.groups?.['unspaced'] === undefined) push(tokens, run, { from, to: from + run.length });
    else pushPairs(tokens, run, from);
  }
  return tokens;
}

function pushPairs(tokens: Token[], run: string, from: number): void {
  const characters = Array.from(run);
  if (characters.length === 1) return push(tokens, run, { from, to: from + run.length });
  let at = from;
  for (let index = 0; index + 1 < characters.length; index += 1) {
    const [first = '', second = ''] = [characters[index], characters[index + 1]];
    push(tokens, first + second, { from: at, to: at + first.length + second.length });
    at += first.length;
  }
}

function push(tokens: Token[], text: string, place: Omit<Token, 'word'>): void {
  const word = fold(text)
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .slice(0, longestWord)
    .toWellFormed();
  if (word !== '') tokens.push({ word, ...place });
}

const isAscii = /^[\0-\x7f]*$/;

/** A text as its words are compared. */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/([\p{sc=Latn}\p{sc=Grek}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();
}
