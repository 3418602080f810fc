import { expect, test } from '@jest/globals';
import { failureLines } from './totals.ts';

test('the end of a run names what failed, with its evidence and the beginning of its message, and nothing when all passed', () => {
  const steps = [
    { passed: 10, failed: 1, failures: [{ name: 'lint is clean (oxlint)' }] },
    { passed: 3, failed: 0, failures: [] },
    {
      passed: 2,
      failed: 1,
      failures: [
        {
          name: 'a.test.ts › holds every beep',
          evidence: '/e/a.test-holds-every-beep',
          message: `Error: 3 beeps\n\n${'    at here\n'.repeat(1_000)}`,
        },
      ],
    },
  ];
  expect(failureLines(steps, '/e')).toEqual([
    '== failed',
    'lint is clean (oxlint)',
    'a.test.ts › holds every beep',
    '    /e/a.test-holds-every-beep',
    '    Error: 3 beeps',
    ...Array.from({ length: 24 }, () => '        at here'),
    '',
    'Evidence of failed tests, readings of the stall probe: /e',
  ]);
  expect(failureLines([{ passed: 5, failed: 0 }], '/e')).toEqual([]);
});
