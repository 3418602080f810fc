import { describe, expect, test } from '@jest/globals';
import { contentStartMs } from './recording-start.ts';

describe('the start of a recording on the clock of the room', () => {
  test.each([5_000, 59_900, 60_100, 125_000])(
    'is found when the content was sent %i ms after the clock was at zero',
    (afterMs) => {
      const clockZeroMs = 1_795_238_682_472;
      const contentMs = clockZeroMs + afterMs;
      const startTimeSeconds = Math.floor((contentMs + 300) / 1000);
      expect(contentStartMs({ startTimeSeconds, clockZeroMs, loopSeconds: 60, roomAtZeroMs: afterMs % 60_000 })).toBe(
        contentMs,
      );
    },
  );
});
