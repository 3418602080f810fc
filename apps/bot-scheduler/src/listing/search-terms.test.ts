import { expect, test } from '@jest/globals';
import { onlyNarrowing, pickGrams } from './search-terms.ts';

const grams = Array.from({ length: 12 }, (_gram, position) => position);

test('the rarest grams are asked for', () => {
  expect(pickGrams(grams, (gram) => (gram === 7 ? 0 : 0.01 * (gram + 1)))).toEqual([7, 0, 1, 2]);
});

test('of grams that are equally rare, those that share no letter come first', () => {
  expect(pickGrams(grams, () => 0)).toEqual([0, 5, 10, 1]);
});

test('a gram that nearly all bots have is left out, unless there is no other', () => {
  expect(pickGrams(grams, (gram) => (gram === 3 ? 0.1 : 0.9))).toEqual([3]);
  expect(pickGrams(grams, () => 0.9)).toHaveLength(4);
});

test('a part that is too short has none', () => {
  expect(pickGrams([], () => 0)).toEqual([]);
});

test('beside a rare term, common ones are not asked for; alone, they are', () => {
  const densityOf = (term: number): number => (term < 10 ? 0 : 0.25);
  expect(onlyNarrowing({ all: [1, 11], oneOf: [[12, 13]] }, densityOf)).toEqual({ all: [1], oneOf: [] });
  expect(onlyNarrowing({ all: [11], oneOf: [[2], [12]] }, densityOf)).toEqual({ all: [], oneOf: [[2]] });
  expect(onlyNarrowing({ all: [11], oneOf: [[12]] }, densityOf)).toEqual({ all: [11], oneOf: [[12]] });
});
