import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from '@jest/globals';
import { findUnstorable, parseItems, parseJson, UnusableItem } from './json-text.ts';

const parse = (text: string | Buffer) => parseJson(Buffer.from(text), isUtf8);

/** Microseconds of CPU. */
function leastWork(work: () => unknown): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user;
  });
  return Math.max(1, Math.min(...costs));
}

describe('the bytes of a body', () => {
  test.each<[unknown]>([
    [null],
    [true],
    ['日本語 🎉 "quoted" \\ {[,'],
    [[1, 2.5, -3e-7]],
    [{ a: { b: [{}, [], ''] } }],
  ])('%j come back as they were', (value) => {
    expect(parse(JSON.stringify(value))).toEqual(value);
  });

  test.each([
    ['no JSON', '{"a":', 'The body is not valid JSON.'],
    ['nothing', '', 'The body is not valid JSON.'],
    ['no UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'The body is not valid UTF-8.'],
    ['nesting beyond 64 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'nested more than 64 levels'],
    ['more than 10,000 values', `[${'1,'.repeat(10_000)}1]`, 'body: holds more than 10000 values'],
    ['a NUL character', '{"a":["x","\\u0000"]}', 'a[1]: contains a NUL character'],
    ['a NUL character in a name', '{"a\\u0000":1}', 'body: contains a NUL character'],
    ['half of a character', '{"a":"\\ud800"}', 'a: contains half of a character'],
    ['a number beyond all', '{"a":1e999}', 'a: is a number too large to keep'],
    ['a long number beyond all', `{"a":1${'0'.repeat(400)}}`, 'a: is a number too large to keep'],
    ['an integer that would be rounded', '{"a":[9007199254740993]}', 'a[0]: is an integer beyond 2^53'],
    ['a negative one', '{"a":-9007199254740993}', 'a: is an integer beyond 2^53'],
    ['a prototype', '{"a":{"__proto__":{"admin":true}}}', 'a: must not have a member called __proto__'],
    ['a prototype in disguise', '{"\\u005f_proto__":1}', 'body: must not have a member called __proto__'],
  ])('that hold %s are refused with the place', (_what, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test('may hold the largest exact integers, long fractions, and digits inside texts', () => {
    const text = '[9007199254740991,-9007199254740991,0.12345678901234567890,"12345678901234567890"]';
    expect(parse(text)).toEqual([2 ** 53 - 1, 1 - 2 ** 53, 0.12345678901234568, '12345678901234567890']);
  });

  test.each(['[]', ' [ ] ', '[1]', '[[1,2],{"a":[3,4]}]', '["a,b]", 2 ]\n', '{"a":[1,2]}', 'null', '7', '"[1,2]"'])(
    'item by item are what they are as a whole: %s',
    async (text) => {
      expect(await parseItems(Buffer.from(text), isUtf8)).toEqual(parse(text));
    },
  );

  test.each(['', ' ', '[', ']', '[1,]', '[,1]', '[1,,2]', '[1]x', '[1],[2]', '[1 2]', '[}]', '[1}'])(
    'item by item are no JSON as %s',
    async (text) => {
      await expect(parseItems(Buffer.from(text), isUtf8)).rejects.toThrow('The body is not valid JSON.');
    },
  );

  test('item by item hold 50,000 values in all, and 10,000 in each', async () => {
    const item = (values: number) => `[${'1,'.repeat(values - 1)}1]`;
    const read = (...items: string[]) => parseItems(Buffer.from(`[${items.join()}]`), isUtf8);
    expect(await read(item(10_000), item(10_000), item(10_000))).toHaveLength(3);
    await expect(read(item(1), item(10_001))).rejects.toThrow('[1]: holds more than 10000 values');
    await expect(read(...Array.from({ length: 6 }, () => item(10_000)))).rejects.toThrow(
      'body: holds more than 50000 values',
    );
  });

  test('item by item lose an item that is longer than a body of its own may be', async () => {
    const long = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    expect(await parseItems(Buffer.from(`[1,${long}]`), isUtf8)).toEqual([
      1,
      new UnusableItem('body: is longer than 1048576 bytes'),
    ]);
  });

  test('item by item lose only the items that cannot be kept', async () => {
    const text = '[{"a":1},{"a":"\\u0000"},{"__proto__":1},{"a":12345678901234567}]';
    const [good, ...bad] = (await parseItems(Buffer.from(text), isUtf8)) as unknown[];
    expect(good).toEqual({ a: 1 });
    expect(bad.map((item) => (item instanceof UnusableItem ? item.problem : item))).toEqual([
      'a: contains a NUL character',
      'body: must not have a member called __proto__',
      'a: is an integer beyond 2^53, which JSON readers round: send it as a text',
    ]);
  });

  test('may hold 64 levels, and brackets and commas inside texts', () => {
    expect(() => parse(`${'['.repeat(64)}${']'.repeat(64)}`)).not.toThrow();
    const text = `\\"${'[{,'.repeat(60_000)}\\\\`;
    expect(parse(JSON.stringify({ text }))).toEqual({ text });
  });

  test.each([
    ['opening brackets', '['],
    ['objects in objects', '{"a":'],
    ['commas', '0,'],
    ['escapes', '"\\\\'],
    ['quotation marks', '"'],
    ['digits', '1'],
    ['small objects', '{},'],
  ])('5 MiB of %s are refused after a few passes over their bytes', (_what, chunk) => {
    const bytes = Buffer.from(`[${chunk.repeat((5 * 1024 * 1024) / chunk.length)}`);
    // The minimum of three runs each: the speed and load of the machine must not count.
    const one = leastWork(() => {
      let sum = 0;
      for (const byte of bytes) sum += byte;
      return sum;
    });
    const refusal = leastWork(() => expect(() => parseJson(bytes, isUtf8)).toThrow());
    expect(refusal).toBeLessThan(25 * one);
  });

  test('are never scanned twice for what one pass shows not to be there', () => {
    expect(findUnstorable({ a: ['x', { b: 1 }] })).toBeNull();
  });
});
