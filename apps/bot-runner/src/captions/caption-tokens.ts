/** A word with the preceding space, or one character of a script that is written without spaces. */
export type CaptionToken = string;

const mostTokens = 5_000;
const parts =
  /\s+|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
/** How far a correction may move the text after it. */
const farthest = 6;
/** A correction may change the last words before a place; the place is found by the words before those. */
const mostChanged = 2;
const anchors = [3, 2] as const;

export function tokensOf(text: string): CaptionToken[] {
  const tokens: CaptionToken[] = [];
  let space = '';
  for (const [part] of text.matchAll(parts)) {
    if (tokens.length >= mostTokens) break;
    if (part.trim() === '') space = part;
    else {
      tokens.push(space + part);
      space = '';
    }
  }
  return tokens;
}

export function textOf(tokens: readonly CaptionToken[]): string {
  return tokens.join('').trim();
}

/**
 * Index in `later` of the place before token `at` of an earlier version, which may be corrected anywhere: the nearest
 * position next to the same words. Null when they are not found.
 */
export function placeIn(later: readonly CaptionToken[], earlier: readonly CaptionToken[], at: number): number | null {
  if (at === 0) return 0;
  for (let changed = 0; changed <= Math.min(mostChanged, at - 1); changed += 1) {
    const end = at - changed;
    const lengths = end === 1 ? [1] : anchors.filter((length) => length <= end);
    for (const length of lengths) {
      const found = nearest(later, earlier.slice(end - length, end).map(plain), end);
      if (found !== null) return Math.min(found + changed, later.length);
    }
  }
  return null;
}

/** End of the occurrence of these consecutive words that is nearest to `at`. */
function nearest(tokens: readonly CaptionToken[], words: readonly string[], at: number): number | null {
  for (let distance = 0; distance <= farthest; distance += 1) {
    for (const end of distance === 0 ? [at] : [at - distance, at + distance]) {
      const begin = end - words.length;
      if (begin < 0 || end > tokens.length) continue;
      if (words.every((word, index) => plain(tokens[begin + index] ?? '') === word)) return end;
    }
  }
  return null;
}

/** Final versions have other capitals and punctuation. */
function plain(word: CaptionToken): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
