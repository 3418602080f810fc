/** Sizes of the blocks in which the search index counts a team's bots; `search_terms` of schema `bots` holds the same. */
export const blockSizes = [512, 4_096, 32_768, 262_144] as const;

/** A stretch of a team's bots by their numbers, both ends included. */
export interface SearchWindow {
  readonly from: number;
  readonly until: number;
  /** Names of the blocks that together hold all of it, and maybe more. Null: look everywhere. */
  readonly blocks: readonly string[] | null;
}

export interface SearchRange {
  /** Where to begin. */
  readonly start: number;
  /** Lowest and highest number that can be wanted. */
  readonly first: number;
  readonly last: number;
  /** Upward, from older bots to newer ones. */
  readonly backward: boolean;
}

const blocksAtTheEnd = 8;
/** So many matches may be read in one go. */
const matchesAtOnce = 300;
/** Of a Poisson process in which nothing was seen, 3 more than seen is the upper end of what is likely. */
const surprise = 3;

/**
 * Cuts a range into windows of growing size. Whoever looks through them until a page is full reads few rows when there are
 * many matches. As soon as `seen`, the number of matches in all windows so far, says that there are hardly any, the last
 * window is all of the rest.
 */
export function* searchWindows(
  { start, first, last, backward }: SearchRange,
  seen: () => number,
): Generator<SearchWindow> {
  let position = start;
  for (let level = 0; position >= first && position <= last; level += 1) {
    const covered = Math.abs(position - start);
    const rest = backward ? last - position + 1 : position - first + 1;
    if (covered > 0 && ((seen() + surprise) / covered) * rest <= matchesAtOnce) {
      yield { from: backward ? position : first, until: backward ? last : position, blocks: null };
      return;
    }
    const window = blockWindow(position, level, backward);
    yield window;
    position = backward ? window.until + 1 : window.from - 1;
  }
}

function blockWindow(position: number, level: number, backward: boolean): SearchWindow {
  const size = blockSizes[Math.min(level, blockSizes.length - 1)] ?? 1;
  const count = level < blockSizes.length ? 2 : blocksAtTheEnd;
  const nearest = Math.floor(position / size);
  const farthest = backward ? nearest + count - 1 : Math.max(0, nearest - count + 1);
  const [lowest, highest] = backward ? [nearest, farthest] : [farthest, nearest];
  const blocks = Array.from({ length: highest - lowest + 1 }, (_block, index) => `${size}:${lowest + index}`);
  return backward
    ? { from: position, until: (highest + 1) * size - 1, blocks }
    : { from: lowest * size, until: position, blocks };
}
