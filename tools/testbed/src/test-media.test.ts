import { describe, expect, test } from '@jest/globals';
import { heardTone, tone } from './test-media.ts';

const samplesOf = (...parts: readonly Buffer[]): Float64Array => {
  const pcm = Buffer.concat(parts);
  return Float64Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2) / 32_768);
};
const silence = (milliseconds: number): Buffer => Buffer.alloc(milliseconds * 96);

describe('heardTone', () => {
  test('reports pitch, position and length of a tone', () => {
    const heard = heardTone(samplesOf(silence(500), tone(440, 1_500, 48_000), silence(200)));
    expect(heard).toMatchObject({ startMs: 500, lengthMs: 1_500, longestGapMs: 0 });
    expect(heard?.hertz).toBeCloseTo(440, 1);
  });

  test('finds the hole in a tone', () => {
    const heard = heardTone(samplesOf(tone(440, 500, 48_000), silence(40), tone(440, 500, 48_000)));
    expect(heard?.longestGapMs).toBeGreaterThanOrEqual(35);
  });

  test('finds no tone in silence', () => {
    expect(heardTone(samplesOf(silence(1_000)))).toBeNull();
  });
});
