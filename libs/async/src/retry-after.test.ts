import { describe, expect, test } from '@jest/globals';
import { readRetryAfter } from './retry-after.ts';

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T09:00:00Z');
  test.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Sat, 21 Nov 2026 09:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 0],
    ['999999999', 86_400_000],
    ['Sat, 21 Nov 2099 09:02:00 GMT', 86_400_000],
    ['soon', null],
    ['', null],
    ['-5', null],
    ['99999999999', null],
    [undefined, null],
  ])('%j means %p ms', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});
