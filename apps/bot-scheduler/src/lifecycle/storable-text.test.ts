import { expect, test } from '@jest/globals';
import { withStorableText } from './storable-text.ts';

test('text is kept as participants wrote it, but for what PostgreSQL cannot keep', () => {
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
