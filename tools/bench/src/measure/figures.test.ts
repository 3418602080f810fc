import { describe, expect, test } from '@jest/globals';
import { cpuMsOf, treeCpuMsOf } from './cpu.ts';
import { spreadOf, reported } from './figures.ts';

describe('figures', () => {
  test('are summarized by median and range', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, low: 1, high: 4 });
    expect(reported([1, 2, 4])).toBe('2.00 (1.00 to 4.00)');
    expect(() => spreadOf([])).toThrow('no figures');
  });
});

describe('process time', () => {
  test('grows with work, and is nothing for a process that is not there', () => {
    const before = cpuMsOf(process.pid);
    for (let until = process.cpuUsage().user + 60_000; process.cpuUsage().user < until;) Math.sqrt(until);
    expect(cpuMsOf(process.pid)).toBeGreaterThan(before);
    expect(treeCpuMsOf(process.pid)).toBeGreaterThanOrEqual(cpuMsOf(process.pid));
    expect(cpuMsOf(2 ** 22 + 1)).toBe(0);
  });
});
