import { expect, test } from '@jest/globals';
import { isMeasurable, nextThroughput } from './throughput.ts';

const limit = 100;
const after = (perSecond: number, trains: number, launches: number, elapsedMs: number): number => {
  let estimate = perSecond;
  for (let train = 0; train < trains; train += 1) estimate = nextThroughput(estimate, { launches, elapsedMs }, limit);
  return estimate;
};

test('follows an API server that takes seconds for what is in progress together', () => {
  expect(after(100, 1, 100, 10_000)).toBeLessThan(25);
  expect(after(100, 10, 100, 10_000)).toBeCloseTo(10, 3);
});

test('rises to what was shown, and never above the limit', () => {
  expect(after(20, 20, 100, 2_000)).toBeCloseTo(50, 1);
  expect(after(20, 20, 500, 1_000)).toBeCloseTo(100, 1);
  expect(after(100, 1, 1, 1)).toBe(100);
});

test('learns from a short train that as much is possible per second, not that no more is', () => {
  expect(after(20, 100, 40, 100)).toBeCloseTo(40, 1);
  expect(after(80, 100, 40, 100)).toBe(80);
});

test('takes the time of a few launches for latency', () => {
  expect(after(50, 100, 9, 5_000)).toBe(50);
  expect(isMeasurable({ launches: 9, elapsedMs: 5_000 })).toBe(false);
  expect(isMeasurable({ launches: 10, elapsedMs: 999 })).toBe(false);
  expect(isMeasurable({ launches: 10, elapsedMs: 1_000 })).toBe(true);
});
