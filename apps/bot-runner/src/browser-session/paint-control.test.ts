import { describe, expect, test } from '@jest/globals';
import { PaintControl } from './paint-control.ts';

function pageWith(): { still: PaintControl; reported: boolean[] } {
  const reported: boolean[] = [];
  const still = new PaintControl({
    paint: async (wanted) => {
      reported.push(wanted);
    },
  });
  return { still, reported };
}

describe('the page behind a recording', () => {
  test('paints until the recording has begun, and no more then', () => {
    const { still, reported } = pageWith();
    expect(reported).toEqual([]);
    still.recordingStarted();
    expect(reported).toEqual([false]);
  });

  test('is applied again when another page replaces it', () => {
    const { still, reported } = pageWith();
    still.recordingStarted();
    still.rejoined();
    expect(reported).toEqual([false, false]);
  });

  test('paints while what it paints is what is recorded', () => {
    const { still, reported } = pageWith();
    still.recordsBy('tab');
    expect(reported).toEqual([]);
    still.recordingStarted();
    still.rejoined();
    still.recordsBy('tab');
    still.recordsBy('tracks');
    expect(reported).toEqual([true, true, false]);
  });
});
