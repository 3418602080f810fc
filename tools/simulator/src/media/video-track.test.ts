import { describe, expect, test } from '@jest/globals';
import { BLACK_LUMA, counterBits, createFrame, drawMarkers, WHITE_LUMA } from './video-track.ts';

const WIDTH = 640;
const HEIGHT = 360;

function lumaAt(planes: Buffer, x: number, y: number): number | undefined {
  return planes[Math.round(y * HEIGHT) * WIDTH + Math.round(x * WIDTH)];
}

function drawn(frameIndex: number, participantIndex: number): Buffer {
  const video = createFrame(WIDTH, HEIGHT, participantIndex);
  drawMarkers(video, { frameIndex, participantIndex, framesPerSecond: 25, level: 0 });
  return video.planes;
}

function wordOf(bits: readonly boolean[]): number {
  return bits.reduce((word, white, bit) => (white ? word | (1 << bit) : word), 0);
}

describe('the counter', () => {
  test('holds frame, person and the XOR of the five nibbles, lowest bit first', () => {
    const word = wordOf(counterBits(0x1234, 5));
    expect(word & 0xffff).toBe(0x1234);
    expect((word >> 16) & 0xf).toBe(5);
    expect((word >> 20) & 0xf).toBe(1 ^ 2 ^ 3 ^ 4 ^ 5);
  });

  test('starts again after 65535', () => {
    expect(counterBits(65_536 + 7, 0)).toEqual(counterBits(7, 0));
  });

  test('is drawn as 24 cells of white and black', () => {
    const planes = drawn(100, 1);
    const bits = counterBits(100, 1).map((_, cell) => lumaAt(planes, 0.1 + ((cell + 0.5) * 0.8) / 24, 0.73));
    expect(bits).toEqual(counterBits(100, 1).map((white) => (white ? WHITE_LUMA : BLACK_LUMA)));
  });
});

describe('the flash', () => {
  test('is white during the first 100 ms of every second and black else', () => {
    const lumas = [0, 2, 3, 24, 25, 27, 28].map((frame) => lumaAt(drawn(frame, 0), 0.07, 0.12));
    const expected = [true, true, false, false, true, true, false];
    expect(lumas).toEqual(expected.map((white) => (white ? WHITE_LUMA : BLACK_LUMA)));
  });
});
