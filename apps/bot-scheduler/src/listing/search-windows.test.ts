import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blockSizes, searchWindows } from './search-windows.ts';

const many = (): number => 1_000_000;
const none = (): number => 0;

function numbersOf(blocks: readonly string[] | null): [number, number][] {
  return (blocks ?? []).map((name) => {
    const [size = 0, block = 0] = name.split(':').map(Number);
    return [size * block, size * (block + 1) - 1];
  });
}

describe('search windows', () => {
  test('cover every number from the start on exactly once, in order, and their blocks hold all of each', () => {
    const range = fc.record({
      start: fc.integer({ min: 1, max: 3_000_000 }),
      backward: fc.boolean(),
      seen: fc.nat(500),
    });
    fc.assert(
      fc.property(range, ({ start, backward, seen }) => {
        const windows = [...searchWindows({ start, first: 1, last: 3_000_000, backward }, () => seen)];
        let next = start;
        for (const { from, until, blocks } of windows) {
          expect(backward ? from : until).toBe(next);
          expect(from).toBeLessThanOrEqual(until);
          next = backward ? until + 1 : from - 1;
          if (blocks === null) continue;
          const stretches = numbersOf(blocks);
          expect(Math.min(...stretches.map(([low]) => low))).toBeLessThanOrEqual(from);
          expect(Math.max(...stretches.map(([, high]) => high))).toBeGreaterThanOrEqual(until);
          expect(blocks.length).toBeLessThanOrEqual(8);
        }
        expect(backward ? next > 3_000_000 : next < 1).toBe(true);
      }),
    );
  });

  test('grow from two of the smallest blocks to the largest, while matches are many', () => {
    const windows = searchWindows({ start: 999_999, first: 1, last: 1_000_000, backward: false }, many);
    const sizes = [...windows].map(({ blocks }) => Number(blocks?.[0]?.split(':')[0]));
    expect(sizes.slice(0, blockSizes.length)).toEqual([...blockSizes]);
  });

  test('are few when hardly anything matches: the rest is one', () => {
    const windows = [...searchWindows({ start: 1_000_000, first: 1, last: 1_000_000, backward: false }, none)];
    expect(windows).toHaveLength(4);
    expect(windows.at(-1)).toMatchObject({ from: 1, blocks: null });
  });

  test('are none outside the range', () => {
    expect([...searchWindows({ start: 0, first: 1, last: 10, backward: false }, none)]).toEqual([]);
    expect([...searchWindows({ start: 11, first: 1, last: 10, backward: true }, none)]).toEqual([]);
  });
});
