import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { mostlyReadableOf, readableOf, readEach } from './read-each.ts';

const element = z.object({ id: z.string(), size: z.number() });

test('an element that cannot be read costs none of the others, and its reason names the field without its value', () => {
  const reasons: string[] = [];
  const list = [{ id: 'a', size: 1 }, { id: 'b', size: 'secret' }, null, { id: 'c', size: 3 }];
  const read = readEach(
    list,
    (one) => element.parse(one),
    ({ index, reason }) => {
      reasons.push(`${index} ${reason}`);
      return null;
    },
  );
  expect(read.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(reasons).toEqual([expect.stringMatching(/^1 size: /), expect.stringMatching(/^2 the element: /)]);
  expect(reasons.join()).not.toContain('secret');
});

test('an element that cannot be read can be replaced in its place', () => {
  const read = readEach(
    [1, 'x', 3],
    (one) => z.number().parse(one),
    () => 0,
  );
  expect(read).toEqual([1, 0, 3]);
});

test('a list of a schema is read without what cannot be read, and refused where nothing can be', () => {
  const good = { id: 'a', size: 1 };
  expect(readableOf(element).parse([null, good])).toEqual([good]);
  expect(readableOf(element).parse([null])).toEqual([]);
  expect(mostlyReadableOf(element).parse([null, good])).toEqual([good]);
  expect(mostlyReadableOf(element).parse([])).toEqual([]);
  expect(mostlyReadableOf(element).safeParse([null]).error?.issues[0]?.message).toMatch(/none of its elements/);
  expect(readableOf(element).safeParse('text').success).toBe(false);
});
