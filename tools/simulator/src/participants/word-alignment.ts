export type Segment = { phone: string; startMs: number; endMs: number };
export type SpokenWord = { word: string; startMs: number; endMs: number };

export const PAUSE_PHONE = 'pau';

/** Reads flite's `-psdur` output: `pau:0.218 g:0.280 ...`, each with its end in seconds. */
export function parseSegments(output: string): Segment[] {
  let startMs = 0;
  return output
    .trim()
    .split(/\s+/)
    .filter((part) => part.includes(':'))
    .map((part) => {
      const colon = part.lastIndexOf(':');
      const endMs = Number(part.slice(colon + 1)) * 1000;
      const segment = { phone: part.slice(0, colon), startMs, endMs };
      startMs = endMs;
      return segment;
    });
}

/** Reads flite's `-ps` output of comma-separated words: the phones between two pauses are one word. */
export function parsePhonesOfWords(output: string): string[][] {
  const words: string[][] = [];
  let current: string[] = [];
  for (const phone of output.trim().split(/\s+/)) {
    if (phone !== PAUSE_PHONE) {
      current.push(phone);
      continue;
    }
    if (current.length > 0) words.push(current);
    current = [];
  }
  if (current.length > 0) words.push(current);
  return words;
}

const GAP_COST = 1;
const SUBSTITUTION_COST = 1.2;

/**
 * The time span of each spoken word: the phones of each word alone are matched with the spoken phones (they differ a
 * little in running speech) at the least cost, and a word lasts from its first to its last phone.
 */
export function alignWords(
  words: readonly string[],
  phonesOfWords: readonly string[][],
  segments: Segment[],
): SpokenWord[] {
  const spoken = segments.filter((segment) => segment.phone !== PAUSE_PHONE);
  const expected = phonesOfWords.flatMap((phones, word) => phones.map((phone) => ({ phone, word })));
  const owners = matchPhones(expected, spoken);
  return words.map((word, index) => {
    const own = spoken.filter((_, place) => owners[place] === index);
    const first = own[0];
    const last = own.at(-1);
    if (first === undefined || last === undefined) throw new Error(`The word "${word}" has no sound of its own.`);
    return { word, startMs: Math.round(first.startMs), endMs: Math.round(last.endMs) };
  });
}

/** For each spoken phone, the index of its word. */
function matchPhones(expected: { phone: string; word: number }[], spoken: Segment[]): number[] {
  const columns = spoken.length + 1;
  const costs = new Float64Array((expected.length + 1) * columns);
  const costAt = (row: number, column: number) => costs[row * columns + column] ?? Infinity;
  for (let row = 0; row <= expected.length; row += 1) {
    for (let column = 0; column <= spoken.length; column += 1) {
      if (row === 0 && column === 0) continue;
      const same = row > 0 && column > 0 && expected[row - 1]?.phone === spoken[column - 1]?.phone;
      costs[row * columns + column] = Math.min(
        row > 0 && column > 0 ? costAt(row - 1, column - 1) + (same ? 0 : SUBSTITUTION_COST) : Infinity,
        row > 0 ? costAt(row - 1, column) + GAP_COST : Infinity,
        column > 0 ? costAt(row, column - 1) + GAP_COST : Infinity,
      );
    }
  }
  return traceBack(expected, spoken, costAt);
}

function traceBack(
  expected: { phone: string; word: number }[],
  spoken: Segment[],
  costAt: (row: number, column: number) => number,
): number[] {
  const owners: number[] = Array.from({ length: spoken.length }, () => -1);
  let row = expected.length;
  let column = spoken.length;
  while (row > 0 || column > 0) {
    const same = row > 0 && column > 0 && expected[row - 1]?.phone === spoken[column - 1]?.phone;
    const diagonal = row > 0 && column > 0 ? costAt(row - 1, column - 1) + (same ? 0 : SUBSTITUTION_COST) : Infinity;
    if (costAt(row, column) === diagonal) {
      owners[column - 1] = expected[row - 1]?.word ?? 0;
      row -= 1;
      column -= 1;
    } else if (row > 0 && costAt(row, column) === costAt(row - 1, column) + GAP_COST) {
      row -= 1;
    } else {
      // A spoken phone that no word expects belongs to the word before it.
      owners[column - 1] = expected[Math.max(0, row - 1)]?.word ?? 0;
      column -= 1;
    }
  }
  return owners;
}
