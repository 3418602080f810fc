import { describe, expect, test } from '@jest/globals';
import { ObservedTime } from './page-strategies.page.ts';

const everyMs = 250;

function polledUntil(clock: ObservedTime, fromMs: number, toMs: number): number {
  let atMs = fromMs;
  let shownMs = 0;
  for (; atMs <= toMs; atMs += everyMs) shownMs = clock.sample(atMs, 1);
  return shownMs;
}

describe('a patient clock', () => {
  test('advances like any other clock while it is observed', () => {
    const clock = new ObservedTime();
    expect(polledUntil(clock, 10_000, 20_000)).toBe(20_000);
    expect(clock.at(13_000)).toBe(13_000);
  });

  test('counts half a second of a gap without observations', () => {
    const clock = new ObservedTime();
    polledUntil(clock, 10_000, 12_000);
    const nowMs = clock.sample(17_000, 25);
    expect(nowMs - clock.at(12_000 - everyMs)).toBe(everyMs + 500);
    expect(nowMs - clock.at(11_000)).toBe(1_500);
    // Signals in the gap or after it keep their age.
    expect(nowMs - clock.at(16_900)).toBe(100);
    expect(nowMs - clock.at(17_000)).toBe(0);
  });

  test('stops without observations', () => {
    const clock = new ObservedTime();
    polledUntil(clock, 10_000, 12_000);
    for (let atMs = 12_250; atMs <= 15_000; atMs += everyMs) clock.sample(atMs, 0);
    // The time claimed at the first sample had not passed yet.
    expect(clock.sample(15_250, 1) - clock.at(12_000)).toBe(2 * everyMs);
  });

  test('goes on time while word comes five times a second, however it falls between the polls', () => {
    const clock = new ObservedTime();
    clock.sample(10_000, 2);
    const wordsAt = [1, 2, 0, 2, 1, 0, 3, 1, 0, 2];
    let nowMs = 0;
    for (let sample = 1; sample <= 40; sample += 1)
      nowMs = clock.sample(10_000 + sample * everyMs, wordsAt[sample % 10] ?? 0);
    expect(nowMs).toBeGreaterThan(20_000 - 2 * everyMs);
  });

  test('goes slowly where word comes seldom, though it is looked at in time', () => {
    const clock = new ObservedTime();
    let nowMs = clock.sample(10_000, 1);
    for (let sample = 1; sample <= 40; sample += 1)
      nowMs = clock.sample(10_000 + sample * everyMs, sample % 4 === 0 ? 1 : 0);
    expect(nowMs - 10_000).toBeLessThan(3_000);
    expect(nowMs - 10_000).toBeGreaterThan(2_000);
  });

  test('never goes back, and remembers only what it may be asked for', () => {
    const clock = new ObservedTime();
    let before = -Infinity;
    for (let atMs = 0; atMs < 600_000; atMs += 2_000) {
      const nowMs = clock.sample(atMs, 10);
      expect(nowMs).toBeGreaterThanOrEqual(before);
      expect(clock.at(atMs - 3_000)).toBeLessThanOrEqual(nowMs);
      before = nowMs;
    }
  });
});
