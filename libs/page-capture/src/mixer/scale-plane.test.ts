import { describe, expect, test } from '@jest/globals';
import { scalePlane } from './draw-frame.page.ts';

function scaled(from: number[][], width: number, height: number): number[][] {
  const given = from[0]?.length ?? 0;
  // Within larger planes, to check that the surroundings stay unchanged.
  const source = new Uint8Array((given + 3) * (from.length + 1)).fill(99);
  from.forEach((line, y) => source.set(line, 1 + y * (given + 3)));
  const target = new Uint8Array((width + 5) * (height + 2)).fill(7);
  scalePlane(
    { data: source, offset: 1, stride: given + 3, width: given, height: from.length },
    { data: target, offset: width + 5 + 2, stride: width + 5, width, height },
  );
  const around = [...target].filter((_level, at) => {
    const [x, y] = [(at % (width + 5)) - 2, Math.floor(at / (width + 5)) - 1];
    return x < 0 || x >= width || y < 0 || y >= height;
  });
  expect(new Set(around)).toEqual(new Set([7]));
  return Array.from({ length: height }, (_none, y) => [
    ...target.subarray((y + 1) * (width + 5) + 2, (y + 1) * (width + 5) + 2 + width),
  ]);
}

describe('scaling a plane', () => {
  test('leaves one of the same size as it is', () => {
    const plane = [
      [0, 50, 255],
      [10, 200, 30],
    ];
    expect(scaled(plane, 3, 2)).toEqual(plane);
  });

  test('goes from neighbour to neighbour where it grows, and keeps the edges', () => {
    expect(scaled([[0, 100]], 4, 2)).toEqual([
      [0, 25, 75, 100],
      [0, 25, 75, 100],
    ]);
    expect(scaled([[0], [200]], 1, 4).flat()).toEqual([0, 50, 150, 200]);
  });

  test('takes the mean of all that falls together where it shrinks a lot', () => {
    const stripes = Array.from({ length: 8 }, () => Array.from({ length: 16 }, (_none, x) => (x % 2 === 0 ? 0 : 200)));
    expect(scaled(stripes, 4, 2)).toEqual([
      [100, 100, 100, 100],
      [100, 100, 100, 100],
    ]);
  });

  test('keeps a plain area plain, whatever the sizes', () => {
    for (const [width, height] of [
      [5, 3],
      [13, 11],
      [40, 30],
      [7, 29],
    ] as const) {
      const plain = Array.from({ length: 17 }, () => Array.from({ length: 23 }, () => 180));
      expect(new Set(scaled(plain, width, height).flat())).toEqual(new Set([180]));
    }
  });
});
