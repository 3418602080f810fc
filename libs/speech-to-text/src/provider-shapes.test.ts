import { expect, test } from '@jest/globals';
import { gladiaUtterance } from './gladia/gladia.ts';
import { mostlyReadableOf, readableOf, seconds, text } from './provider-shapes.ts';
import { z } from 'zod';

test('a word that cannot be read costs none of the others, nor the text of its utterance', () => {
  const words = [{ word: 'Good', start: null, end: 1 }, { word: 'morning', start: 1, end: 2 }, null];
  const read = gladiaUtterance.parse({ text: 'Good morning', start: 0, end: 2, words });
  expect(read).toMatchObject({ text: 'Good morning', words: [{ word: 'morning', start: 1_000, end: 2_000 }] });
});

test('a list of which no element can be read is refused, as a document of another form', () => {
  const word = z.object({ word: text, start: seconds });
  expect(mostlyReadableOf(word).safeParse([{ said: 'x' }]).success).toBe(false);
  expect(mostlyReadableOf(word).parse([])).toEqual([]);
  expect(readableOf(word).parse([{ said: 'x' }, { word: 'x', start: 1 }])).toEqual([{ word: 'x', start: 1_000 }]);
});
