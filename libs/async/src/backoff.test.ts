import { expect, test } from '@jest/globals';
import { backoffMs } from './backoff.ts';

const limits = { firstMs: 100, longestMs: 1_000 };

test('a backoff doubles with each failure up to the longest', () => {
  expect([1, 2, 3, 4, 5, 10_000].map((failures) => backoffMs(failures, limits))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

test('a requested time is the least, beyond the longest backoff too', () => {
  expect(backoffMs(1, { ...limits, requestedMs: 5_000 })).toBe(5_000);
  expect(backoffMs(3, { ...limits, requestedMs: 50 })).toBe(400);
  expect(backoffMs(3, { ...limits, requestedMs: null })).toBe(400);
});

test('jitter takes a random part off', () => {
  const sampled = Array.from({ length: 200 }, () => backoffMs(2, { ...limits, jitter: 0.5 }));
  expect(Math.min(...sampled)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...sampled)).toBeLessThanOrEqual(200);
  expect(new Set(sampled).size).toBeGreaterThan(1);
});
