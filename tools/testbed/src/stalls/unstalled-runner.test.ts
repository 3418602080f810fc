import type { AssertionResult, TestResult } from '@jest/test-result';
import { describe, expect, test } from '@jest/globals';
import { invalidSamples, longestFirst, patternOf, withRetaken, withStalls } from './unstalled-runner.ts';

const assertion = (fullName: string, status: AssertionResult['status']): AssertionResult => ({
  fullName,
  title: fullName,
  ancestorTitles: [],
  status,
  failureDetails: [],
  failureMessages: status === 'failed' ? ['expected true'] : [],
  numPassingAsserts: 0,
});

function fileResult(...testResults: AssertionResult[]): TestResult {
  const count = (status: AssertionResult['status']) => testResults.filter((one) => one.status === status).length;
  const numbers = { numPassingTests: count('passed'), numFailingTests: count('failed') };
  return { testResults, ...numbers } as unknown as TestResult;
}

test('files that take long begin first, in the order of the list', () => {
  const files = ['/a.test.ts', '/long.test.ts', '/b.test.ts', '/longest.test.ts'].map((path) => ({ path }));
  const ordered = longestFirst(files, ['/longest\\.test\\.ts$', '/long\\.test\\.ts$']);
  expect(ordered.map(({ path }) => path)).toEqual(['/longest.test.ts', '/long.test.ts', '/a.test.ts', '/b.test.ts']);
});

describe('the failed tests of a file', () => {
  test('are invalid where the machine stalled in their own window only', () => {
    const readings = [{ fromMs: 0, untilMs: 1_000, lateMs: 900, cpuPressure: null }];
    const failures = [
      { name: 'in the stall', spans: [{ fromMs: 500, untilMs: 900 }] },
      { name: 'after it', spans: [{ fromMs: 1_500, untilMs: 1_900 }] },
    ];
    const invalid = invalidSamples(failures, readings, { lateMs: 200, cpuPressure: 0.9, pressureMs: 3_000 });
    expect(invalid).toEqual([{ name: 'in the stall', stall: expect.stringContaining('900 ms late') }]);
  });

  test('are selected by a pattern that matches them alone', () => {
    const pattern = new RegExp(patternOf(['speaks (twice)', 'a.b']), 'i');
    expect(['speaks (twice)', 'a.b', 'speaks (twice) again', 'axb'].map((name) => pattern.test(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the result of a file', () => {
  const first = fileResult(assertion('one', 'passed'), assertion('two', 'failed'), assertion('three', 'failed'));

  test('takes only the repeated tests from the later run, and counts again', () => {
    const later = fileResult(assertion('one', 'pending'), assertion('two', 'passed'), assertion('three', 'pending'));
    const merged = withRetaken(first, later, ['two']);
    expect(merged.testResults.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed']);
    expect(merged).toMatchObject({ numPassingTests: 2, numFailingTests: 1 });
  });

  test('stays failed when the file cannot run again', () => {
    const testExecError = { message: 'no browser', stack: '' };
    const later = { ...fileResult(), testExecError } as unknown as TestResult;
    expect(withRetaken(first, later, ['two'])).toMatchObject({ testExecError, numFailingTests: 2 });
  });

  test('names the machine and not the assertion where no sample was valid', () => {
    const judged = withStalls(first, [{ name: 'two', stall: 'timers up to 900 ms late' }]);
    expect(judged.testResults.map(({ failureMessages }) => failureMessages)).toEqual([
      [],
      ['The machine stalls: 3 samples in a row are invalid. The last one: timers up to 900 ms late.'],
      ['expected true'],
    ]);
    expect(judged.numFailingTests).toBe(2);
  });
});
