import { describe, expect, test } from '@jest/globals';
import { below, readStat, treeCpuMs } from './process-tree.ts';

/** Fields of /proc/<pid>/stat: state, parent, nine that nobody reads here, then four times. */
const stat = (name: string, parent: number, times: readonly number[]): string =>
  `7 (${name}) S ${parent} ${'0 '.repeat(9)}${times.join(' ')} 20 0 1 0 99`;

describe('a line of /proc/<pid>/stat', () => {
  test('gives parent and times, whatever stands in the name', () => {
    expect(readStat(stat('a) b (c', 5, [3, 4, 10, 20]))).toEqual({
      name: 'a) b (c',
      parent: 5,
      cpuMs: 70,
      endedCpuMs: 300,
    });
  });

  test('is refused when it is cut off', () => {
    expect(readStat('7 (node) S 1 2 3')).toBeNull();
    expect(readStat('')).toBeNull();
  });
});

describe('a tree of processes', () => {
  const process = (pid: number, parent: number, cpuMs = 0, endedCpuMs = 0) => ({
    pid,
    parent,
    kind: 'node',
    cpuMs,
    endedCpuMs,
  });

  test('is the root and all below it, in whatever order they are listed, and nobody else', () => {
    const all = [process(4, 3), process(3, 2), process(9, 1), process(2, 1), process(8, 9)];
    expect(below(2, all).map(({ pid }) => pid)).toEqual([2, 3, 4]);
    expect(below(7, all)).toEqual([]);
  });

  test('took what the living took and what their ended children took', () => {
    expect(treeCpuMs([process(2, 1, 100, 40), process(3, 2, 7)])).toBe(147);
  });
});
