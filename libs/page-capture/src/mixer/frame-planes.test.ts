import { describe, expect, test } from '@jest/globals';
import { cornersOf, FramePlanes, planeColorOf, stampOf } from './frame-planes.page.ts';

const size = { width: 8, height: 6 };
const red = planeColorOf('#ff0000');
const black = planeColorOf('#000000');

/** Levels of the three planes at a point. */
function at(planes: FramePlanes, left: number, top: number): number[] {
  const [x, y] = [Math.floor(left / 2) * 2, Math.floor(top / 2) * 2];
  const [luma] = planes.parts({ left: 0, top: 0, ...size });
  const [, u, v] = planes.parts({ left: x, top: y, width: 2, height: 2 });
  return [luma.data[luma.offset + top * luma.stride + left] ?? -1, u.data[u.offset] ?? -1, v.data[v.offset] ?? -1];
}

describe('the planes of a picture', () => {
  test('are filled only in the given areas', () => {
    const planes = new FramePlanes(size);
    planes.fill({ left: 0, top: 0, ...size }, black);
    planes.fill({ left: 2, top: 2, width: 4, height: 2 }, red);
    expect(at(planes, 2, 2)).toEqual([red.y, red.u, red.v]);
    expect(at(planes, 5, 3)).toEqual([red.y, red.u, red.v]);
    for (const [left, top] of [
      [1, 2],
      [6, 3],
      [3, 1],
      [3, 4],
    ] as const)
      expect(at(planes, left, top)[0]).toBe(black.y);
  });

  test('take colours in the limited range', () => {
    expect(planeColorOf('#ffffff')).toEqual({ y: 235, u: 128, v: 128 });
    expect(black).toEqual({ y: 16, u: 128, v: 128 });
    expect(red.v).toBe(240);
  });

  test.each(['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#3ea6ff', '#808080'])(
    'turn RGB into the same colour that they are filled with (%s)',
    (css) => {
      const color = planeColorOf(css);
      const planes = new FramePlanes(size);
      planes.fill({ left: 0, top: 0, ...size }, black);
      const pixel = [1, 3, 5].map((from) => parseInt(css.slice(from, from + 2), 16));
      const data = Uint8ClampedArray.from({ length: 4 * 2 * 4 }, (_none, index) => pixel[index % 4] ?? 255);
      planes.put({ data, width: 4, height: 2, blueFirst: false }, 2, 2);
      const corners = [at(planes, 2, 2), at(planes, 5, 3)];
      for (const levels of corners)
        for (const [index, level] of [color.y, color.u, color.v].entries())
          expect(Math.abs((levels[index] ?? 0) - level)).toBeLessThanOrEqual(1);
      for (const [left, top] of [
        [1, 2],
        [6, 3],
        [3, 1],
        [3, 4],
      ] as const)
        expect(at(planes, left, top)[0]).toBe(black.y);
    },
  );

  test('show a stamp as far as it is opaque', () => {
    const planes = new FramePlanes(size);
    planes.fill({ left: 0, top: 0, ...size }, black);
    const white = (alpha: number): number[] => [255, 255, 255, alpha];
    const data = Uint8ClampedArray.from([...white(255), ...white(0), ...white(128), ...white(255)]);
    planes.lay(stampOf({ data, width: 2, height: 2 }), 4, 2);
    expect(at(planes, 4, 2)[0]).toBe(235);
    expect(at(planes, 5, 2)[0]).toBe(16);
    expect(Math.abs(at(planes, 4, 3)[0]! - 126)).toBeLessThan(3);
    expect(at(planes, 3, 2)[0]).toBe(16);
  });

  test('mix the colour of a stamp by what is opaque of it: clear points have none', () => {
    const data = Uint8ClampedArray.from([255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0]);
    const stamp = stampOf({ data, width: 2, height: 2 });
    expect([stamp.u[0], stamp.v[0], stamp.alphaOfColor[0]]).toEqual([red.u, red.v, 64]);
  });

  test('have round corners that cover the tip and nothing of the inside', () => {
    const corners = cornersOf(6, red);
    expect(
      corners.map(({ alpha }) => [alpha[0], alpha[5], alpha[30], alpha[35]].map((one) => (one ?? 0) > 200)),
    ).toEqual([
      [true, false, false, false],
      [false, true, false, false],
      [false, false, true, false],
      [false, false, false, true],
    ]);
    expect(corners[0]?.alpha[35]).toBe(0);
  });
});
