import { describe, expect, test } from '@jest/globals';
import { mixRate, AudioMix, stretched } from './audio-mix.page.ts';

const blockMs = 10;
const constant = (level: number, length = 480): Float32Array => new Float32Array(length).fill(level);
const span = (block: Float32Array, fromMs: number, toMs: number): number[] => [
  ...new Set(block.subarray(fromMs * 48, toMs * 48).map((sample) => Math.round(sample * 1_000) / 1_000)),
];

describe('AudioMix', () => {
  test('adds tracks where their times put them and fills the rest with silence', () => {
    const mix = new AudioMix();
    mix.add('a', constant(0.25), mixRate, 0);
    mix.add('b', constant(0.5), mixRate, 5);
    mix.add('a', constant(0.25), mixRate, 10);
    const block = mix.take(960 * 2);
    expect(span(block, 0, 5)).toEqual([0.25]);
    expect(span(block, 5, 15)).toEqual([0.75]);
    expect(span(block, 15, 20)).toEqual([0.25]);
    expect(span(block, 20, 40)).toEqual([0]);
  });

  test('is cut to the sample at a hold, and goes on there', () => {
    const mix = new AudioMix();
    mix.add('a', constant(0.5), mixRate, 0);
    mix.add('a', constant(0.5), mixRate, 10);
    mix.holdAt(15);
    // Arrived late, and began before the cut.
    mix.add('b', constant(0.25), mixRate, 10);
    mix.resume();
    mix.add('a', constant(0.125), mixRate, 15);
    const block = mix.take(960 * 2);
    expect(span(block, 10, 15)).toEqual([0.75]);
    expect(span(block, 15, 25)).toEqual([0.125]);
    expect(span(block, 25, 40)).toEqual([0]);
    expect([mix.jumps, mix.lateSamples]).toEqual([0, 0]);
  });

  test('small jitter of timestamps leaves no hole in a track', () => {
    const mix = new AudioMix();
    for (let index = 0; index < 100; index += 1)
      mix.add('a', constant(0.5), mixRate, index * blockMs + (index % 3) * 2);
    expect(span(mix.take(48_000), 0, 990)).toEqual([0.5]);
    expect(mix.jumps).toBe(0);
  });

  test('a track that was silent for a while goes on at the right place', () => {
    const mix = new AudioMix();
    mix.add('a', constant(0.5), mixRate, 0);
    mix.add('a', constant(0.5), mixRate, 700);
    const block = mix.take(48_000);
    expect(span(block, 10, 700)).toEqual([0]);
    expect(span(block, 700, 710)).toEqual([0.5]);
    expect(mix.jumps).toBe(1);
  });

  test('a track whose times jump back does not sound twice at once', () => {
    const mix = new AudioMix();
    for (let index = 0; index < 20; index += 1) mix.add('a', constant(0.5), mixRate, index * blockMs);
    // Its clock was set back by 150 ms and stays there.
    for (let index = 5; index < 60; index += 1) mix.add('a', constant(0.5), mixRate, index * blockMs);
    expect(span(mix.take(48_000), 0, 590)).toEqual([0.5]);
    expect(mix.jumps).toBe(1);
  });

  test('a drifting track stays within a few milliseconds of its timestamps without a jump', () => {
    const mix = new AudioMix();
    const driftPerBlock = 0.01;
    for (let index = 0; index < 6_000; index += 1) {
      const mediaMs = index * (blockMs + driftPerBlock);
      const isLast = index === 5_999;
      mix.add('a', constant(isLast ? 0.9 : 0.1), mixRate, mediaMs);
      if (mix.taken < (mediaMs - 250) * 48) mix.take(960);
    }
    const rest = mix.take(48_000);
    const marked = (mix.taken - 48_000 + rest.findIndex((sample) => sample > 0.5)) / 48;
    expect(Math.abs(marked - 5_999 * (blockMs + driftPerBlock))).toBeLessThan(12);
    expect(mix.jumps).toBe(0);
  });

  test('what comes too late is counted and does not shift the rest', () => {
    const mix = new AudioMix();
    mix.take(48_000);
    mix.add('a', constant(0.5), mixRate, 500);
    expect(mix.lateSamples).toBe(480);
    expect(span(mix.take(960), 0, 20)).toEqual([0]);
  });

  test('loud tracks together are limited instead of wrapped', () => {
    const mix = new AudioMix();
    mix.add('a', constant(0.9), mixRate, 0);
    mix.add('b', constant(0.9), mixRate, 0);
    expect(span(mix.take(480), 0, 10)).toEqual([1]);
  });

  test('another sample rate keeps its length in time', () => {
    const mix = new AudioMix();
    for (let index = 0; index < 50; index += 1) mix.add('a', constant(0.5, 441), 44_100, index * blockMs);
    const block = mix.take(48_000);
    expect(span(block, 1, 499)).toEqual([0.5]);
    expect(span(block, 501, 900)).toEqual([0]);
  });
});

describe('stretched', () => {
  test('runs on from the sample before, without a step', () => {
    const ramp = Float32Array.from({ length: 480 }, (_none, index) => (index + 1) / 480);
    const longer = stretched(ramp, 481, 0);
    const steps = longer.slice(1).map((sample, index) => sample - (longer[index] ?? 0));
    expect(Math.max(...steps)).toBeLessThan(1 / 478);
    expect(Math.min(...steps)).toBeGreaterThan(1 / 483);
    expect(longer.at(-1)).toBeCloseTo(1);
  });
});
