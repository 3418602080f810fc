import { describe, expect, test } from '@jest/globals';
import { PatientClock } from './patient-clock.page.ts';

const everyMs = 250;

function lookedUntil(clock: PatientClock, fromMs: number, toMs: number): number {
  let atMs = fromMs;
  let shownMs = 0;
  for (; atMs <= toMs; atMs += everyMs) shownMs = clock.look(atMs, true);
  return shownMs;
}

describe('a patient clock', () => {
  test('goes like any other while somebody looks', () => {
    const clock = new PatientClock();
    expect(lookedUntil(clock, 10_000, 20_000)).toBe(20_000);
    expect(clock.at(13_000)).toBe(13_000);
  });

  test('counts half a second of a gap in which nobody could look', () => {
    const clock = new PatientClock();
    lookedUntil(clock, 10_000, 12_000);
    const nowMs = clock.look(17_000, true);
    expect(nowMs - clock.at(12_000 - everyMs)).toBe(everyMs + 500);
    expect(nowMs - clock.at(11_000)).toBe(1_500);
    // What came in the gap or after it is no older than it is.
    expect(nowMs - clock.at(16_900)).toBe(100);
    expect(nowMs - clock.at(17_000)).toBe(0);
  });

  test('stands still while there is no word of what is judged', () => {
    const clock = new PatientClock();
    lookedUntil(clock, 10_000, 12_000);
    for (let atMs = 12_250; atMs <= 15_000; atMs += everyMs) clock.look(atMs, false);
    expect(clock.look(15_250, true) - clock.at(12_000)).toBe(everyMs);
  });

  test('never goes back, and remembers only what it may be asked for', () => {
    const clock = new PatientClock();
    let before = -Infinity;
    for (let atMs = 0; atMs < 600_000; atMs += 2_000) {
      const nowMs = clock.look(atMs, true);
      expect(nowMs).toBeGreaterThanOrEqual(before);
      expect(clock.at(atMs - 3_000)).toBeLessThanOrEqual(nowMs);
      before = nowMs;
    }
  });
});
