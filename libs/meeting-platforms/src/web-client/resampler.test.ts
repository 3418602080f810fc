import { describe, expect, test } from '@jest/globals';
import { Resampler } from './resampler.ts';

const sine = (hertz: number, samples: number, rateHz: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, index) =>
    Math.round(20_000 * Math.sin((2 * Math.PI * hertz * index) / rateHz)),
  );

describe('Resampler', () => {
  test.each([16_000, 24_000, 32_000, 44_100, 48_000, 96_000])(
    'gives the same sine at 48 kHz, sample for sample, from %i Hz',
    (rateHz) => {
      const output = new Resampler(rateHz, 48_000).push(sine(1_000, rateHz, rateHz));
      const wanted = sine(1_000, output.length, 48_000);
      expect(output.length).toBeGreaterThan(47_900);
      // Its beginning rises out of the silence before it.
      const worst = output.reduce(
        (most, sample, index) => (index < 100 ? most : Math.max(most, Math.abs(sample - wanted[index]!))),
        0,
      );
      expect(worst).toBeLessThan(40);
    },
  );

  test('gives the same for many small chunks as for one', () => {
    const input = sine(3_000, 1_600, 16_000);
    const whole = new Resampler(16_000, 48_000).push(input);
    const resampler = new Resampler(16_000, 48_000);
    const chunks: number[] = [];
    for (let from = 0; from < input.length; from += 7) chunks.push(...resampler.push(input.slice(from, from + 7)));
    expect(chunks).toEqual([...whole]);
  });

  test('keeps away what the lower rate cannot hold', () => {
    const output = new Resampler(48_000, 16_000).push(sine(11_000, 48_000, 48_000));
    expect(Math.max(...output.slice(100))).toBeLessThan(60);
  });

  test('holds no more of the past than it needs', () => {
    const resampler = new Resampler(16_000, 48_000);
    let samples = 0;
    for (let second = 0; second < 5; second += 1) samples += resampler.push(new Int16Array(16_000)).length;
    expect(samples).toBe(5 * 48_000 - 3 * 16);
  });
});
