import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { AttendanceEnd } from '@rapporteur/contracts';
import { readThrottledPeriods } from './machine-lateness.ts';
import { readMemoryKills, withMemoryKills } from './memory-kills.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-memory-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('processes killed for lack of memory', () => {
  test.each([
    ['version 2', 'low 0\nhigh 0\nmax 37\noom 2\noom_kill 3\noom_group_kill 0\n'],
    ['version 1', 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n'],
  ])('are read from the counter of cgroups %s', (version, text) => {
    const file = join(folder, version);
    writeFileSync(file, text);
    expect(readMemoryKills([join(folder, 'absent'), file])).toBe(3);
  });

  test('are counted beside the periods in which the CPU limit stopped the container', () => {
    const file = join(folder, 'cpu');
    writeFileSync(file, 'usage_usec 5\nnr_periods 40\nnr_throttled 12\nthrottled_usec 900\n');
    expect(readThrottledPeriods([file])).toBe(12);
  });

  test('are 0 where no counter is readable', () => {
    expect([readMemoryKills([join(folder, 'absent')]), readThrottledPeriods([folder])]).toEqual([0, 0]);
  });

  test.each([
    ['INTERNAL_ERROR', 1, 'OOM_KILLED'],
    ['INTERNAL_ERROR', 0, 'INTERNAL_ERROR'],
    ['BOT_REMOVED', 1, 'BOT_REMOVED'],
  ] as const)('turn the end %s with %i more of them into %s', (code, more, expected) => {
    const end: AttendanceEnd = { code, message: 'a message', joinedAt: null, exitedAt: null, recorded: false };
    expect(withMemoryKills(end, { before: 2, after: 2 + more }).code).toBe(expected);
  });
});
