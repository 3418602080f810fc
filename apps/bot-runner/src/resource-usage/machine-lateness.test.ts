import { describe, expect, test } from '@jest/globals';
import { trackMachineLateness } from './machine-lateness.ts';

/** The result for each `[whether the run is late, periods in which its container was stopped so far]`. */
function results(states: readonly (readonly [isLate: boolean, periods: number])[], ownContainer = true): boolean[] {
  let [isLate, periods] = [false, states[0]?.[1] ?? 0];
  const lateness = trackMachineLateness({
    isLate: () => isLate,
    throttledPeriods: ownContainer ? () => periods : null,
  });
  return states.map((state) => {
    [isLate, periods] = state;
    return lateness();
  });
}

describe('the machine of a run', () => {
  test('is late while the run is late and its container has no CPU limit, or did not reach it', () => {
    expect(
      results([
        [false, 7],
        [true, 7],
        [true, 7],
        [false, 7],
      ]),
    ).toEqual([false, true, true, false]);
  });

  test('is not late while the own limit stopped the run, until that lateness is over', () => {
    expect(
      results([
        [true, 0],
        [true, 3],
        [true, 3],
        [false, 3],
        [true, 3],
      ]),
    ).toEqual([true, false, false, false, true]);
  });

  test('is late where its runs share the container that has the limit', () => {
    expect(
      results(
        [
          [true, 0],
          [true, 3],
        ],
        false,
      ),
    ).toEqual([true, true]);
  });
});
