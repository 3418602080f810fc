import { describe, expect, test } from '@jest/globals';
import type { Campaign } from './campaigns.ts';
import { withResult } from './result-table.ts';

const campaign = (name: string): Campaign => ({
  name,
  purpose: 'none',
  usualMinutes: 1,
  steps: [],
});
const recorded = (name: string, results: readonly string[], passed = true) => ({
  campaign: campaign(name),
  run: { passed, results, seed: 7, minutes: 2.04 },
  share: 0.5,
  machine: '2 x CPU',
  date: '2026-01-02',
});

describe('the table of soak results', () => {
  test('is added where there is none, with a row per campaign in the order of their names', () => {
    const text = withResult(
      withResult('# Performance\n', recorded('races', ['5 rounds'])),
      recorded('kills', ['a | b', 'c']),
    );
    expect(text.split('\n').filter((line) => line.startsWith('| '))).toEqual([
      '| campaign | passed | results | seed, share | minutes | machine, load average | date |',
      '| kills | yes | a / b; c | 7, 50 % | 2.0 | 2 x CPU | 2026-01-02 |',
      '| races | yes | 5 rounds | 7, 50 % | 2.0 | 2 x CPU | 2026-01-02 |',
    ]);
  });

  test('replaces the row of the same campaign and keeps the text around the table', () => {
    const before = `${withResult('# Performance\n', recorded('races', ['old']))}\n## After\n`;
    const after = withResult(before, recorded('races', ['new'], false));
    expect(after).toContain('| races | **no** | new |');
    expect(after).not.toContain('old');
    expect(after.startsWith('# Performance\n')).toBe(true);
    expect(after.endsWith('\n## After\n')).toBe(true);
  });
});
