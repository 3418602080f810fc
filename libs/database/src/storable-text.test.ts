import { expect, test } from '@jest/globals';
import { isStorableText, storableJson, withStorableText } from './storable-text.ts';

test('text is kept as people wrote it, but for what PostgreSQL cannot keep', () => {
  const half = '😀'[0] ?? '';
  expect(
    withStorableText({
      name: `A\0da ${half}`,
      participants: [{ id: 1, name: 'Zoë 😀' }, null],
      [`k${half}`]: true,
      none: undefined,
    }),
  ).toEqual({ name: 'Ada \uFFFD', participants: [{ id: 1, name: 'Zoë 😀' }, null], 'k\uFFFD': true, none: undefined });
  expect(withStorableText(7)).toBe(7);
});

test('JSON for PostgreSQL contains no NUL and no lone surrogate, and everything else unchanged', () => {
  const kept = { title: 'Plan \u{1f3a5} "\\u0000" \\ud800', count: 2, list: [null, true, { at: 1.5 }] };
  expect(JSON.parse(storableJson(kept))).toEqual(kept);
  const odd = { 'a\0b': 'x\0y', list: ['\ud800', { end: 'z\udc00' }], count: 0 };
  expect(JSON.parse(storableJson(odd))).toEqual({ ab: 'xy', list: ['\ufffd', { end: 'z\ufffd' }], count: 0 });
});

test('a text that PostgreSQL stores unchanged has no NUL and no lone surrogate', () => {
  expect(['Zoë 😀', 'a\0', '\ud800'].map(isStorableText)).toEqual([true, false, false]);
});
