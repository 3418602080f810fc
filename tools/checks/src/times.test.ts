import { expect, test } from '@jest/globals';
import { timeLines } from './times.ts';

test('the times of a run name each step and the ten slowest files, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ path: `file-${index}.ts`, durationMs: index * 1_000 }));
  const lines = timeLines(
    [
      { what: 'checks', durationMs: 30_040, files: [] },
      { what: 'unit tests', durationMs: 66_000, files },
    ],
    96_100,
  );
  expect(lines.slice(0, 7)).toEqual([
    '== times',
    '    30.0 s  checks',
    '    66.0 s  unit tests',
    '    96.1 s  in all',
    '',
    'slowest test files:',
    '    11.0 s  file-11.ts',
  ]);
  expect(lines.slice(6)).toHaveLength(10);
  expect(lines.at(-1)).toBe('     2.0 s  file-2.ts');
});
