import { describe, expect, test } from '@jest/globals';
import { Resampler } from './resampler.page.ts';

/** A tone of half the full scale. */
const tone = (hertz: number, rateHz: number, length = rateHz / 4, delay = 0): Float32Array =>
  Float32Array.from({ length }, (_none, index) => 0.5 * Math.sin(2 * Math.PI * hertz * (index / rateHz - delay)));
const decibels = (samples: Float32Array): number => {
  // The edges are the filter's own.
  const inner = samples.subarray(500, -500);
  const rms = Math.sqrt(inner.reduce((sum, sample) => sum + sample * sample, 0) / inner.length);
  return 20 * Math.log10(rms / (0.5 / Math.SQRT2));
};
const inParts = (resampler: Resampler, samples: Float32Array, parts: readonly number[]): number[] => {
  const out: number[] = [];
  for (let at = 0, turn = 0; at < samples.length; turn += 1) {
    const length = parts[turn % parts.length] ?? 960;
    out.push(...resampler.process(samples.subarray(at, at + length)));
    at += length;
  }
  return out;
};

describe.each([
  [48_000, 16_000],
  [48_000, 24_000],
  [48_000, 32_000],
  [16_000, 48_000],
  [24_000, 48_000],
  [32_000, 48_000],
  [44_100, 48_000],
  [96_000, 48_000],
])('audio of %i Hz at %i Hz', (fromHz, toHz) => {
  const lowerHz = Math.min(fromHz, toHz);

  test('is the same sine, sample for sample, 12 samples of the lower rate later', () => {
    const out = new Resampler(fromHz, toHz).process(tone(1_000, fromHz));
    const wanted = tone(1_000, toHz, out.length, 12 / lowerHz);
    expect(Math.max(...out.subarray(500).map((sample, at) => Math.abs(sample - wanted[at + 500]!)))).toBeLessThan(1e-3);
  });

  test('is as loud as it was, as far as both rates hold it', () => {
    for (const hertz of [100, 1_000, 0.4 * lowerHz])
      expect(Math.abs(decibels(new Resampler(fromHz, toHz).process(tone(hertz, fromHz))))).toBeLessThan(0.5);
  });

  test('is the same however it comes, and as long as it is', () => {
    const samples = tone(440, fromHz);
    const whole = inParts(new Resampler(fromHz, toHz), samples, [fromHz]);
    expect(Math.abs(whole.length - toHz / 4)).toBeLessThan(2);
    for (const parts of [[960], [4_800, 3_840], [1, 7, 13, 4_799]])
      expect(inParts(new Resampler(fromHz, toHz), samples, parts)).toEqual(whole);
  });
});

test.each([16_000, 24_000, 32_000])('audio at %i Hz holds next to nothing of what it cannot hold', (rateHz) => {
  for (const hertz of [0.56 * rateHz, 0.65 * rateHz, 22_000].filter((high) => high < 24_000))
    expect(decibels(new Resampler(48_000, rateHz).process(tone(hertz, 48_000)))).toBeLessThan(-50);
});

test('audio of the same rate passes as it is', () => {
  const samples = tone(440, 48_000);
  expect(new Resampler(48_000, 48_000).process(samples)).toBe(samples);
});
