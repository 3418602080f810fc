import { describe, expect, test } from '@jest/globals';
import { measureTone, tone } from './test-media.ts';

const samplesOf = (...parts: readonly Buffer[]): Float64Array => {
  const pcm = Buffer.concat(parts);
  return Float64Array.from({ length: pcm.length / 2 }, (_, index) => pcm.readInt16LE(index * 2) / 32_768);
};
const silence = (milliseconds: number): Buffer => Buffer.alloc(milliseconds * 96);

describe('measureTone', () => {
  test('reports pitch, position and length of a tone', () => {
    const measured = measureTone(samplesOf(silence(500), tone(440, 1_500, 48_000), silence(200)));
    expect(measured).toMatchObject({ startMs: 500, lengthMs: 1_500, longestGapMs: 0 });
    expect(measured?.hertz).toBeCloseTo(440, 1);
  });

  test('finds the hole in a tone', () => {
    const measured = measureTone(samplesOf(tone(440, 500, 48_000), silence(40), tone(440, 500, 48_000)));
    expect(measured?.longestGapMs).toBeGreaterThanOrEqual(35);
  });

  test('finds no tone in silence', () => {
    expect(measureTone(samplesOf(silence(1_000)))).toBeNull();
  });
});
