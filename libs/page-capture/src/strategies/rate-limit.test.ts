import { expect, test } from '@jest/globals';
import { RateLimit } from './shown-video.page.ts';

/** @returns the number of frames that are left out; `delay`: lateness of a frame, in ms */
function leftOut(framesPerSecond: number, frames: number, delay: (index: number) => number = () => 0): number {
  const limit = new RateLimit(30);
  const dueMs = (index: number): number => 5_000 + (index * 1_000) / framesPerSecond;
  let out = 0;
  for (let index = 0; index < frames; index += 1) if (!limit.admits(dueMs(index) + delay(index))) out += 1;
  return out;
}

test('a source below the limit loses no frame, however unevenly it is painted', () => {
  expect(leftOut(25, 3_000)).toBe(0);
  // Up to two intervals of jitter, also backwards.
  expect(leftOut(25, 3_000, (index) => (index * 37) % 80)).toBe(0);
  // Each stall ends in a burst of all its frames.
  for (const stalled of [3, 8, 20]) expect(leftOut(25, 3_000, (index) => (stalled - (index % stalled)) * 40)).toBe(0);
  expect(leftOut(24.3, 3_509, (index) => (index % 100 < 12 ? (12 - (index % 100)) * 41 : (index * 13) % 60))).toBe(0);
  expect(leftOut(30, 3_000, (index) => (index * 13) % 30)).toBe(0);
});

test('a source at the limit loses two of three frames while a third of the rate is permitted', () => {
  const limit = new RateLimit(30);
  const admitted = Array.from({ length: 3_000 }, (_, index) => limit.admits((index * 1_000) / 30, 1 / 3));
  expect(Math.abs(admitted.filter(Boolean).length - 1_010)).toBeLessThanOrEqual(2);
});

test('a source of twice the limit loses every other frame once a burst is used up', () => {
  expect(leftOut(60, 6_000)).toBeGreaterThan(2_950);
  expect(leftOut(60, 6_000)).toBeLessThanOrEqual(3_000);
});
