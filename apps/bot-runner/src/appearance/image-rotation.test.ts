import { describe, expect, test } from '@jest/globals';
import { ImageRotation, usedImages } from './image-rotation.ts';
import type { ImageStage } from './image-rotation.ts';

const rotationWith = (loopMode: 'auto' | 'bot_status', images: readonly number[]): ImageRotation => {
  const turns = new ImageRotation(loopMode);
  for (const image of images) turns.arrived(image);
  return turns;
};

describe('by turns', () => {
  test('each image is shown after the other, and the first after the last', () => {
    const turns = rotationWith('auto', [0, 1, 2]);
    const shown = [0, 1, 2, 3].map(() => {
      const { current } = turns;
      turns.next();
      return current;
    });
    expect(shown).toEqual([0, 1, 2, 0]);
  });

  test('an image that is missing is passed over, and joins in when it comes', () => {
    const turns = rotationWith('auto', [1]);
    expect(turns.current).toBe(1);
    turns.next();
    expect(turns.current).toBe(1);
    turns.arrived(3);
    turns.next();
    expect(turns.current).toBe(3);
    turns.lost(3);
    expect(turns.current).toBe(1);
  });

  test('what the bot does changes nothing', () => {
    const turns = rotationWith('auto', [0, 1]);
    turns.enter('recording');
    expect(turns.current).toBe(0);
  });
});

describe('by what the bot does', () => {
  const shownWith = (images: readonly number[]): (number | null)[] => {
    const turns = rotationWith('bot_status', images);
    return (['joined', 'recording', 'paused', 'recording'] satisfies ImageStage[]).map((stage) => {
      turns.enter(stage);
      return turns.current;
    });
  };

  test.each([
    ['three images: one each', [0, 1, 2], [0, 1, 2, 1]],
    ['no third image: a pause keeps the video of the recording', [0, 1], [0, 1, 1, 1]],
    ['one image: always that', [0], [0, 0, 0, 0]],
    ['no first image: the next one replaces it', [1, 2], [1, 1, 2, 1]],
    ['no second image: the first stays while it records', [0, 2], [0, 0, 2, 0]],
    ['none: nothing', [], [null, null, null, null]],
  ])('%s', (_what, images, shown) => {
    expect(shownWith(images)).toEqual(shown);
  });

  test('only the first three are used', () => {
    expect([usedImages(5, 'bot_status'), usedImages(2, 'bot_status'), usedImages(5, 'auto')]).toEqual([3, 2, 5]);
  });
});
