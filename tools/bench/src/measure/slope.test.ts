import { describe, expect, test } from '@jest/globals';
import { slopeOf } from './slope.ts';

const line = (count: number, valueAt: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ at, value: valueAt(at) }));

describe('how much something grows', () => {
  test('is the slope of a straight line, up or down', () => {
    expect(slopeOf(line(20, (at) => 400 + at * 0.5))).toBeCloseTo(0.5);
    expect(slopeOf(line(20, (at) => 400 - at * 3))).toBeCloseTo(-3);
  });

  test('is hardly moved by a few wild samples', () => {
    const wild = line(60, (at) => 400 + at * 0.5 + (at % 10 === 0 ? 300 : 0));
    expect(Math.abs((slopeOf(wild) ?? NaN) - 0.5)).toBeLessThan(0.2);
  });

  test('is computed for a long run quickly, from some of its samples', () => {
    expect(slopeOf(line(20_000, (at) => at * 2))).toBeCloseTo(2);
  });

  test('is not made up from a single moment', () => {
    expect(slopeOf([])).toBeNull();
    expect(
      slopeOf([
        { at: 1, value: 5 },
        { at: 1, value: 9 },
      ]),
    ).toBeNull();
  });
});
