import { describe, expect, test } from '@jest/globals';
import { SpeechDetector } from './speech-detector.page.ts';
import type { SpeechChange } from './speech-detector.page.ts';

/** Feeds levels every 100 ms, one entry per poll; undefined: no audio. */
function observe(levels: readonly (number | undefined)[], key = 'a'): SpeechChange[] {
  const detector = new SpeechDetector({ loudLevel: 0.01, quietMs: 500 });
  return levels.flatMap((level, index) =>
    detector.observe(level === undefined ? new Map() : new Map([[key, level]]), index * 100),
  );
}

const loud = (count: number): number[] => Array.from({ length: count }, () => 0.2);
const quiet = (count: number): undefined[] => Array.from({ length: count }, () => undefined);

describe('SpeechDetector', () => {
  test('a turn begins with the first loud sample and ends with the last one, reported after the pause', () => {
    expect(observe([...quiet(2), ...loud(5), ...quiet(6)])).toEqual([
      { key: 'a', speaking: true, atMs: 200 },
      { key: 'a', speaking: false, atMs: 600 },
    ]);
  });

  test('a short pause belongs to the turn', () => {
    expect(observe([...loud(3), ...quiet(4), ...loud(3)])).toEqual([{ key: 'a', speaking: true, atMs: 0 }]);
  });

  test('quiet audio is not speech', () => {
    expect(observe([0, 0.005, 0.009, 0])).toEqual([]);
  });

  test('two voices at once are two turns', () => {
    const detector = new SpeechDetector({ loudLevel: 0.01, quietMs: 500 });
    detector.observe(new Map([['a', 0.3]]), 0);
    detector.observe(
      new Map([
        ['a', 0.3],
        ['b', 0.2],
      ]),
      100,
    );
    expect(detector.speaking).toEqual(['a', 'b']);
    expect(detector.endAll()).toEqual([
      { key: 'a', speaking: false, atMs: 100 },
      { key: 'b', speaking: false, atMs: 100 },
    ]);
    expect(detector.speaking).toEqual([]);
  });
});
