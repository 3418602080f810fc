import { describe, expect, test } from '@jest/globals';
import { audioLevelDbov, packetLevels, resampleTo48k, rotate, SAMPLE_RATE_HZ } from './pcm.ts';
import { assembleAudio, audiblePlaces, composeAudio } from './audio-track.ts';

const tone = (lengthMs: number) =>
  Float32Array.from({ length: (lengthMs * SAMPLE_RATE_HZ) / 1000 }, (_, index) => 0.2 * Math.sin(index / 20));

describe('what is sent', () => {
  test('nothing of a participant who neither speaks nor beeps', () => {
    expect(audiblePlaces([], [], 2).every((place) => !place)).toBe(true);
  });

  test('speech with a little silence around it, going round at the loop end', () => {
    const places = audiblePlaces([{ startMs: 40, endMs: 1000 }], [], 2);
    const sent = places.flatMap((place, index) => (place ? [index * 20] : []));
    expect(sent[0]).toBe(0);
    expect(sent.at(-1)).toBe(1980);
    expect(sent.filter((atMs) => atMs < 1500).at(-1)).toBe(1220);
  });

  test('the first packet after a silence starts a spurt, and beeps count as no speech', () => {
    const beepOnly = composeAudio([], [1], 2);
    const packets = Array.from({ length: 100 }, () => Buffer.from([1]));
    const audio = assembleAudio(packets, beepOnly.levels, audiblePlaces([], [1], 2));
    const sent = audio.flatMap((packet, place) => (packet ? [{ place, ...packet }] : []));
    expect(sent.map((packet) => packet.startsSpurt)).toEqual([
      true,
      ...Array.from({ length: sent.length - 1 }, () => false),
    ]);
    expect(sent[0]?.place).toBe(30);
    expect(new Set(sent.map((packet) => packet.levelDbov))).toEqual(new Set([127]));
  });
});

describe('the sound', () => {
  test('beeps exactly on the second', () => {
    const { loop } = composeAudio([], [1], 2);
    const first = loop.findIndex((sample) => Math.abs(sample) > 1e-6);
    const last = loop.findLastIndex((sample) => Math.abs(sample) > 1e-6);
    expect(first).toBeGreaterThanOrEqual(SAMPLE_RATE_HZ);
    expect(first).toBeLessThan(SAMPLE_RATE_HZ + 5);
    expect(last).toBeLessThan(SAMPLE_RATE_HZ * 1.06);
  });

  test('has levels of the speech alone', () => {
    const { levels } = composeAudio([{ startMs: 0, endMs: 500, audio: tone(500) }], [1], 2);
    expect(levels[5]).toBeCloseTo(0.2 / Math.SQRT2, 2);
    expect(levels[51]).toBe(0);
    expect(audioLevelDbov(levels[5] ?? 0)).toBe(17);
    expect(audioLevelDbov(0)).toBe(127);
  });

  test('keeps its length and loudness when it is resampled', () => {
    const slow = Float32Array.from(
      { length: 16_000 },
      (_, index) => 0.5 * Math.sin((2 * Math.PI * 440 * index) / 16_000),
    );
    const fast = resampleTo48k(slow, 16_000);
    expect(fast.length).toBe(48_000);
    expect(packetLevels(fast)[20]).toBeCloseTo(0.5 / Math.SQRT2, 2);
  });

  test('is turned, not cut, to undo the encoder delay', () => {
    expect([...rotate(Float32Array.from([1, 2, 3, 4]), 1)]).toEqual([2, 3, 4, 1]);
  });
});
