import { describe, expect, test } from '@jest/globals';
import { describeStall, judgeSample } from './judge-sample.ts';
import type { StallReading } from './stall-reading.ts';

const bounds = { lateMs: 200, cpuPressure: 0.9, pressureMs: 3_000 };

/** One reading a second from second 0 on. */
function readings(seconds: readonly { late?: number; pressure?: number | null }[]): StallReading[] {
  return seconds.map(({ late = 2, pressure = 0.1 }, second) => ({
    fromMs: second * 1_000,
    untilMs: (second + 1) * 1_000,
    lateMs: late,
    cpuPressure: pressure,
  }));
}

describe('a sample of real time', () => {
  test('is valid on a quiet machine', () => {
    expect(judgeSample(readings([{}, {}, {}]), [{ fromMs: 0, untilMs: 3_000 }], bounds)).toEqual({ valid: true });
  });

  test('is invalid when a timer of the probe was late in its window, and says so with the figures', () => {
    const verdict = judgeSample(readings([{}, { late: 840 }, {}]), [{ fromMs: 500, untilMs: 1_100 }], bounds);
    expect(verdict).toMatchObject({ valid: false, stall: { fromMs: 1_000, untilMs: 2_000, lateMs: 840 } });
    expect(verdict.valid ? '' : describeStall(verdict.stall, bounds)).toBe(
      '00:00:01.000 to 00:00:02.000: timers up to 840 ms late (bound 200), CPU pressure 10 % (bound 90 % over 3 s)',
    );
  });

  test('is valid when the stall was before or after it, or at the bound', () => {
    const stalled = readings([{ late: 900 }, { late: 200 }, { late: 900 }]);
    expect(judgeSample(stalled, [{ fromMs: 1_000, untilMs: 2_000 }], bounds)).toEqual({ valid: true });
  });

  test('is invalid when any of its spans is, such as the hook that made the recording', () => {
    const spans = [
      { fromMs: 0, untilMs: 1_000 },
      { fromMs: 2_000, untilMs: 3_000 },
    ];
    expect(judgeSample(readings([{ late: 900 }, {}, {}]), spans, bounds).valid).toBe(false);
    expect(judgeSample(readings([{}, { late: 900 }, {}]), spans, bounds).valid).toBe(true);
  });

  test('is invalid after CPU pressure that lasts, and not after a short one', () => {
    const pressed = readings([{}, { pressure: 1 }, { pressure: 0.95 }, { pressure: 0.9 }, {}]);
    const whole = [{ fromMs: 0, untilMs: 5_000 }];
    expect(judgeSample(pressed, whole, bounds)).toMatchObject({
      valid: false,
      stall: { fromMs: 1_000, untilMs: 4_000, cpuPressure: expect.closeTo(0.95) },
    });
    expect(judgeSample(readings([{}, { pressure: 1 }, { pressure: 1 }, {}]), whole, bounds)).toEqual({ valid: true });
  });

  test('is judged by timers alone where the kernel reports no pressure', () => {
    const timersOnly = readings([{ pressure: null }, { pressure: null }, { pressure: null }, { pressure: null }]);
    expect(judgeSample(timersOnly, [{ fromMs: 0, untilMs: 4_000 }], bounds)).toEqual({ valid: true });
    const late = readings([{ pressure: null, late: 900 }]);
    const verdict = judgeSample(late, [{ fromMs: 0, untilMs: 1_000 }], bounds);
    expect(verdict.valid ? '' : describeStall(verdict.stall, bounds)).toContain('CPU pressure not reported');
  });

  test('is valid without a probe: then no failure is excused', () => {
    expect(judgeSample([], [{ fromMs: 0, untilMs: 4_000 }], bounds)).toEqual({ valid: true });
  });
});
