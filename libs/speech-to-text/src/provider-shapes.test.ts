import { expect, test } from '@jest/globals';
import { mostlyReadableOf, orNull, readableOf, seconds, text, timedOf } from './provider-shapes.ts';
import { z } from 'zod';

const word = z.object({ word: text, start: seconds });

test('a list of which no element can be read is refused, as a document of another form', () => {
  expect(mostlyReadableOf(word).safeParse([{ said: 'x' }]).success).toBe(false);
  expect(readableOf(word).parse([{ said: 'x' }, { word: 'x', start: 1 }])).toEqual([{ word: 'x', start: 1_000 }]);
});

test('a list that is missing or null is empty', () => {
  for (const none of [null, undefined, []]) expect(mostlyReadableOf(word).parse(none)).toEqual([]);
});

test('a word keeps its place when its time cannot be read, and says that the time is an estimate', () => {
  const words = timedOf({ word: text }, seconds);
  const given = [
    { word: 'Good', start: -0.02, end: 1 },
    { word: 'morning', start: '1.5', end: '2' },
    { word: 'to', start: null, end: null },
    { word: 'all', start: 5, end: 4 },
    { said: 'nothing' },
    null,
  ];
  expect(words.parse(given)).toEqual([
    { word: 'Good', start: 0, end: 1_000, interpolated: true },
    { word: 'morning', start: 1_500, end: 2_000 },
    { word: 'to', start: 2_000, end: 2_000, interpolated: true },
    { word: 'all', start: 5_000, end: 5_000, interpolated: true },
  ]);
});

test('a fact that cannot be read is none', () => {
  for (const given of [undefined, null, '', 'x', -1, Number.NaN, {}]) expect(orNull(seconds).parse(given)).toBeNull();
  expect(orNull(seconds).parse('1.5')).toBe(1_500);
});
