/** A spoken or recognized word; times are milliseconds. */
export interface PlacedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly speaker: string;
}

export interface WordErrors {
  readonly words: number;
  /** Substituted, missing and added words. */
  readonly errors: number;
  readonly rate: number;
}

const normal = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9']/g, '');

/** Minimum number of words to change, add or remove between two texts. */
export function editDistance(said: readonly string[], recognized: readonly string[]): number {
  let row = Array.from({ length: recognized.length + 1 }, (_, index) => index);
  for (const [index, word] of said.entries()) {
    const next = [index + 1];
    for (const [other, candidate] of recognized.entries()) {
      const changed = (row[other] ?? 0) + (word === candidate ? 0 : 1);
      next.push(Math.min(changed, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Word errors of all speakers together, regardless of attribution: the texts in order of time. */
export function wordErrors(said: readonly PlacedWord[], recognized: readonly PlacedWord[]): WordErrors {
  return rateOf(said.length, editDistance(textsOf(said), textsOf(recognized)));
}

/** Word errors summed over speakers: a word with the wrong speaker is an error of both. */
export function speakerWordErrors(said: readonly PlacedWord[], recognized: readonly PlacedWord[]): WordErrors {
  const speakers = new Set([...said, ...recognized].map(({ speaker }) => speaker));
  let errors = 0;
  for (const name of speakers) {
    const own = ({ speaker }: PlacedWord): boolean => speaker === name;
    errors += editDistance(textsOf(said.filter(own)), textsOf(recognized.filter(own)));
  }
  return rateOf(said.length, errors);
}

function textsOf(words: readonly PlacedWord[]): string[] {
  return words.toSorted((one, other) => one.startMs - other.startMs).map(({ text }) => normal(text));
}

function rateOf(words: number, errors: number): WordErrors {
  return { words, errors, rate: words === 0 ? 0 : errors / words };
}

const voteMs = 100;

/** Position in the loop of a room at which a recording begins, by the words common to both; null: none. */
export function findLoopOffset(
  loop: readonly PlacedWord[],
  recognized: readonly PlacedWord[],
  loopMs: number,
): number | null {
  const votes = new Map<number, number>();
  for (const candidate of recognized) {
    for (const word of loop) {
      if (normal(word.text) !== normal(candidate.text)) continue;
      const offset = (((word.startMs - candidate.startMs) % loopMs) + loopMs) % loopMs;
      const bin = Math.round(offset / voteMs);
      for (const near of [bin - 1, bin, bin + 1]) votes.set(near, (votes.get(near) ?? 0) + (near === bin ? 2 : 1));
    }
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best === undefined ? null : best[0] * voteMs;
}

/** The words of a loop between two times of a recording that begins at this position of it. */
export function wordsBetween(
  loop: readonly PlacedWord[],
  { offsetMs, loopMs, fromMs, toMs }: Readonly<Record<'offsetMs' | 'loopMs' | 'fromMs' | 'toMs', number>>,
): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (let shift = -offsetMs; shift < toMs; shift += loopMs) {
    for (const word of loop) {
      const placed = { ...word, startMs: word.startMs + shift, endMs: word.endMs + shift };
      if (placed.startMs >= fromMs && placed.endMs <= toMs) words.push(placed);
    }
  }
  return words;
}

const quietMs = 550;

/** The first and the last moment of silence, so that no word is on both sides; null: there are not two. */
export function quietEnds(words: readonly PlacedWord[]): { readonly fromMs: number; readonly toMs: number } | null {
  const moments: number[] = [];
  let endMs = Infinity;
  for (const word of words.toSorted((one, other) => one.startMs - other.startMs)) {
    if (word.startMs - endMs >= quietMs) moments.push((word.startMs + endMs) / 2);
    endMs = endMs === Infinity ? word.endMs : Math.max(endMs, word.endMs);
  }
  const [fromMs] = moments;
  const toMs = moments.at(-1);
  return fromMs === undefined || toMs === undefined || fromMs === toMs ? null : { fromMs, toMs };
}
