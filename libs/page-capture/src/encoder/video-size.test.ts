import { describe, expect, test } from '@jest/globals';
import { bitsPerSecondFor, SizeLadder } from './frame-encoder.page.ts';

const most = { width: 1_280, height: 720 };
const small = { width: 640, height: 360 };

describe('the size that is encoded', () => {
  test('begins with the recording’s own and follows smaller pictures down after ten seconds', () => {
    const ladder = new SizeLadder(most);
    expect(ladder.follow(small, 0)).toEqual(most);
    expect(ladder.follow(small, 9_900)).toEqual(most);
    expect(ladder.follow(small, 10_000)).toEqual(small);
  });

  test('goes up at once, to the step that loses nothing, and never above the recording’s size', () => {
    const ladder = new SizeLadder(most);
    for (const nowMs of [0, 10_000]) ladder.follow({ width: 300, height: 170 }, nowMs);
    expect(ladder.current).toEqual({ width: 320, height: 180 });
    expect(ladder.follow({ width: 642, height: 360 }, 10_040)).toEqual({ width: 960, height: 540 });
    expect(ladder.follow({ width: 1_920, height: 1_080 }, 10_080)).toEqual(most);
  });

  test('stays up while a larger picture comes now and then, and goes down no further than the largest', () => {
    const ladder = new SizeLadder(most);
    for (let nowMs = 0; nowMs <= 40_000; nowMs += 1_000)
      expect(ladder.follow(nowMs % 8_000 === 0 ? most : small, nowMs)).toEqual(most);
    const other = new SizeLadder(most);
    for (let nowMs = 0; nowMs <= 10_000; nowMs += 1_000)
      other.follow(nowMs === 5_000 ? small : { width: 320, height: 180 }, nowMs);
    expect(other.current).toEqual(small);
  });

  test('costs fewer bits when it is smaller', () => {
    expect(bitsPerSecondFor(most, most, 1_200_000)).toBe(1_200_000);
    expect(bitsPerSecondFor(small, most, 1_200_000)).toBe(424_000);
    expect(bitsPerSecondFor({ width: 320, height: 180 }, most, 400_000)).toBe(100_000);
  });
});
