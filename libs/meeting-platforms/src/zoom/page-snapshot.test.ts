import { expect, test } from '@jest/globals';
import { shortLabel } from './page-snapshot.page.ts';

test('a long chat message is cut, but no emoji in two', () => {
  expect(shortLabel('a'.repeat(6_000))).toHaveLength(5_000);
  expect(shortLabel(`${'a'.repeat(4_999)}😀`)).toBe('a'.repeat(4_999));
  expect(shortLabel(`${'a'.repeat(4_998)}😀`)).toMatch(/a😀$/);
});
