import { describe, expect, test } from '@jest/globals';
import { StillPage } from './still-page.ts';

function pageWith(): { still: StillPage; told: boolean[] } {
  const told: boolean[] = [];
  const still = new StillPage({
    paint: async (wanted) => {
      told.push(wanted);
    },
  });
  return { still, told };
}

describe('the page behind a recording', () => {
  test('paints until the recording has begun, and no more then', () => {
    const { still, told } = pageWith();
    expect(told).toEqual([]);
    still.recordingStarted();
    expect(told).toEqual([false]);
  });

  test('is told again when another page takes its place', () => {
    const { still, told } = pageWith();
    still.recordingStarted();
    still.rejoined();
    expect(told).toEqual([false, false]);
  });

  test('paints while what it paints is what is recorded', () => {
    const { still, told } = pageWith();
    still.recordsBy('tab');
    expect(told).toEqual([]);
    still.recordingStarted();
    still.rejoined();
    still.recordsBy('tab');
    still.recordsBy('tracks');
    still.recordsBy('encoded');
    expect(told).toEqual([true, true, false]);
  });
});
