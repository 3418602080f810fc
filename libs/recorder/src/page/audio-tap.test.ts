import { describe, expect, test } from '@jest/globals';
import { Resampler } from './resampler.page.ts';
import { mixRate } from './audio-mix.page.ts';
import { AudioTap } from './audio-tap.page.ts';

const tone = (hertz: number, length = mixRate): Float32Array =>
  Float32Array.from({ length }, (_none, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / mixRate));
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

describe.each([16_000, 24_000, 32_000])('the mix at %i Hz', (rateHz) => {
  test('holds what it can hold, as loud and as high as it was', () => {
    for (const hertz of [100, 1_000, 0.4 * rateHz]) {
      const out = new Resampler(rateHz).process(tone(hertz));
      expect(Math.abs(decibels(out))).toBeLessThan(0.5);
      const inner = out.subarray(500);
      const crossings = inner.filter((sample, at) => sample >= 0 && (inner[at - 1] ?? 0) < 0).length;
      expect(crossings / (inner.length / rateHz)).toBeCloseTo(hertz, -1);
    }
  });

  test('holds next to nothing of what it cannot hold', () => {
    for (const hertz of [0.56 * rateHz, 0.65 * rateHz, 22_000].filter((high) => high < 24_000)) {
      expect(decibels(new Resampler(rateHz).process(tone(hertz)))).toBeLessThan(-50);
    }
  });

  test('is the same however it comes, and as long as it is', () => {
    const samples = tone(440);
    const whole = inParts(new Resampler(rateHz), samples, [mixRate]);
    expect(Math.abs(whole.length - rateHz)).toBeLessThan(2);
    for (const parts of [[960], [4_800, 3_840], [1, 7, 13, 4_799]]) {
      const out = inParts(new Resampler(rateHz), samples, parts);
      expect(out.length).toBe(whole.length);
      expect(Math.max(...out.map((sample, at) => Math.abs(sample - (whole[at] ?? 9))))).toBeLessThan(1e-6);
    }
  });
});

describe('what is tapped of the mix', () => {
  test('comes in blocks of 100 ms that follow on each other, silent ones too', () => {
    const tap = new AudioTap(24_000);
    for (let at = 0; at < 48_000; at += 960) tap.add(new Float32Array(960), at);
    const blocks = tap.take();
    expect(blocks.map(({ mediaMs }) => mediaMs)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    expect(blocks.every(({ bytes }) => bytes.length === 4_800 && bytes.every((byte) => byte === 0))).toBe(true);
    expect(tap.take()).toEqual([]);
  });

  test('is the mix itself at 48 kHz, 16 bit little-endian and never beyond full scale', () => {
    const tap = new AudioTap(48_000);
    tap.add(
      Float32Array.from({ length: 4_800 }, (_none, at) => [0, 0.5, -1, 2][at % 4] ?? 0),
      9_600,
    );
    const [block] = tap.take();
    expect(block?.mediaMs).toBe(200);
    const view = new DataView(block?.bytes.buffer as ArrayBuffer);
    expect([0, 1, 2, 3].map((at) => view.getInt16(at * 2, true))).toEqual([0, 16_383, -32_767, 32_767]);
  });

  test('is filled up with silence where the mix stands still, and begins anew after it', () => {
    const tap = new AudioTap(48_000);
    tap.add(new Float32Array(4_800 + 960).fill(0.5), 0);
    tap.flush();
    tap.flush();
    tap.add(new Float32Array(4_800).fill(0.25), 6_000);
    const blocks = tap.take();
    expect(blocks.map(({ mediaMs }) => mediaMs)).toEqual([0, 100, 125]);
    const cut = new Int16Array(blocks[1]?.bytes.buffer as ArrayBuffer);
    expect([cut[959], cut[960], cut[4_799]]).toEqual([16_383, 0, 0]);
  });
});
