import { describe, expect, test } from '@jest/globals';
import { parseStat, sumCpuMs, treeBelow } from './process-stat.ts';

/** State, parent, nine unused fields, four times, four more, and the start. */
const stat = (name: string, parent: number, times: readonly number[]): string =>
  `7 (${name}) S ${parent} ${'0 '.repeat(9)}${times.join(' ')} 20 0 1 0 4711 99 99\n`;

describe('a line of /proc/<pid>/stat', () => {
  test('gives parent, times and start, with any name', () => {
    expect(parseStat(stat('a) b (c', 5, [3, 4, 10, 20]))).toEqual({
      name: 'a) b (c',
      state: 'S',
      parent: 5,
      cpuMs: 70,
      endedCpuMs: 300,
      startTicks: '4711',
    });
  });

  test('is refused when it is cut off', () => {
    expect(parseStat('7 (node) S 1 2 3')).toBeNull();
    expect(parseStat('')).toBeNull();
  });
});

describe('a tree of processes', () => {
  const process = (pid: number, parent: number, cpuMs = 0, endedCpuMs = 0) => ({ pid, parent, cpuMs, endedCpuMs });

  test('is the root and its descendants, in whatever order they are listed, and no other', () => {
    const all = [process(4, 3), process(3, 2), process(9, 1), process(2, 1), process(8, 9)];
    expect(treeBelow(2, all).map(({ pid }) => pid)).toEqual([2, 3, 4]);
    expect(treeBelow(7, all)).toEqual([]);
  });

  test('took what the living took and what their ended children took', () => {
    expect(sumCpuMs([process(2, 1, 100, 40), process(3, 2, 7)])).toBe(147);
  });
});
