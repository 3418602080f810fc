import { describe, expect, test } from '@jest/globals';
import { MediaTime, SourceClock } from './media-time.page.ts';

describe('MediaTime', () => {
  test('counts from the start and knows nothing before it', () => {
    const time = new MediaTime(10_000);
    expect(time.at(9_999)).toBeNull();
    expect(time.at(10_000)).toBe(0);
    expect(time.at(12_500)).toBe(2_500);
  });

  test('a pause is cut out and time continues where it stopped', () => {
    const time = new MediaTime(0);
    time.pause(3_000);
    expect(time.at(2_999)).toBe(2_999);
    expect(time.at(3_000)).toBeNull();
    expect(time.at(3_500)).toBeNull();
    expect(time.reached(8_000)).toBe(3_000);
    time.resume(10_000);
    expect(time.at(9_999)).toBeNull();
    expect(time.at(10_000)).toBe(3_000);
    expect(time.at(11_000)).toBe(4_000);
    expect(time.at(2_000)).toBe(2_000);
  });

  test('says when a media time was, after a cut where one was cut out', () => {
    const time = new MediaTime(10_000);
    time.pause(13_000);
    time.resume(15_000);
    time.pause(16_000);
    expect([0, 2_999, 3_000, 3_500].map((mediaMs) => time.pageTimeOf(mediaMs))).toEqual([
      10_000, 12_999, 15_000, 15_500,
    ]);
    const continued = new MediaTime(30_000, {
      startedAtMs: 10_000,
      pausedMs: 2_000,
      pausedSinceMs: null,
      recordedMs: 0,
    });
    expect(continued.pageTimeOf(continued.beginsMs)).toBe(30_000);
  });

  test('goes on where another page left it, with the pauses it had', () => {
    const before = { startedAtMs: 10_000, pausedMs: 2_000, recordedMs: 3_000 };
    const time = new MediaTime(30_000, { ...before, pausedSinceMs: null });
    expect([time.beginsMs, time.at(29_999), time.at(30_500)]).toEqual([18_000, null, 18_500]);
    const paused = new MediaTime(30_000, { ...before, pausedSinceMs: 20_000 });
    expect([paused.beginsMs, paused.paused, paused.at(31_000)]).toEqual([8_000, true, null]);
    expect(paused.resume(32_000)).toBe(32_000);
    expect([paused.at(32_000), paused.at(33_000)]).toEqual([8_000, 9_000]);
  });

  test('pausing or resuming twice changes nothing', () => {
    const time = new MediaTime(0);
    time.resume(500);
    expect(time.pause(1_000)).toBe(1_000);
    expect(time.pause(2_000)).toBe(1_000);
    expect(time.resume(3_000)).toBe(3_000);
    expect(time.resume(4_000)).toBe(3_000);
    expect(time.reached(5_000)).toBe(3_000);
  });

  test('many pauses are kept exactly', () => {
    const time = new MediaTime(0);
    for (let index = 0; index < 100; index += 1) {
      time.pause(index * 100 + 50);
      time.resume(index * 100 + 100);
    }
    expect(time.reached(10_000)).toBe(5_000);
    expect(time.at(10_010)).toBe(5_010);
  });
});

describe('SourceClock', () => {
  test('takes the quickest arrival as the true one, so late arrivals do not move the picture', () => {
    const clock = new SourceClock();
    clock.toPageMs(0, 1_040);
    expect(clock.toPageMs(40, 1_050)).toBe(1_050);
    expect(clock.toPageMs(80, 1_190)).toBe(1_090);
  });

  test('does not believe so many that came before their time, and follows all the same', () => {
    const clock = new SourceClock(1);
    clock.toPageMs(0, 1_010);
    clock.toPageMs(40, 1_050);
    expect(clock.toPageMs(80, 860)).toBe(1_090);
    expect(clock.toPageMs(120, 1_130)).toBe(1_130);
    // Two equal outliers are accepted.
    expect(clock.toPageMs(160, 1_140)).toBe(1_140);
    // A single one expires with its seconds.
    for (let sourceMs = 200; sourceMs < 12_000; sourceMs += 40) clock.toPageMs(sourceMs, sourceMs + 1_010);
    expect(clock.toPageMs(12_000, 13_010)).toBe(13_010);
  });

  test('believes the quickest of the seconds before too, and forgets it with the next ones', () => {
    const clock = new SourceClock();
    clock.toPageMs(0, 1_000);
    expect(clock.toPageMs(5_100, 6_150)).toBe(6_100);
    expect(clock.toPageMs(10_100, 11_130)).toBe(11_100);
    expect(clock.toPageMs(10_200, 11_240)).toBe(11_230);
  });

  test('follows a source that drifts away', () => {
    const clock = new SourceClock();
    let placed = 0;
    for (let step = 0; step <= 600; step += 1) placed = clock.toPageMs(step * 100 * 0.999, step * 100);
    expect(Math.abs(placed - 60_000)).toBeLessThan(15);
  });

  test('is not misled by a first block on another clock', () => {
    const clock = new SourceClock();
    clock.toPageMs(2_560, 10_000);
    clock.toPageMs(24, 10_003);
    expect(clock.toPageMs(34, 10_013)).toBe(10_013);
    expect(clock.toPageMs(44, 10_050)).toBe(10_023);
  });

  test('begins anew when the source restarts its own clock', () => {
    const clock = new SourceClock();
    clock.toPageMs(50_000, 60_000);
    expect(clock.toPageMs(0, 61_000)).toBe(61_000);
  });
});
