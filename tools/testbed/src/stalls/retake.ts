import type { AssertionResult, TestResult } from '@jest/test-result';
import type { FailedTest } from '../evidence/failed-tests.ts';
import { describeStall, judgeSample } from './judge-sample.ts';
import type { StallBounds } from './judge-sample.ts';
import type { StallReading } from './stall-reading.ts';

/** Number of samples before the run fails because of the machine. */
export const mostSamples = 3;

export interface InvalidSample {
  /** Full name of the test. */
  readonly name: string;
  /** The stalls of the machine, with the figures. */
  readonly stall: string;
}

/** The failed tests of a file whose samples are invalid. A test that passed did so despite the machine. */
export function invalidSamples(
  failures: readonly Pick<FailedTest, 'name' | 'spans'>[],
  readings: readonly StallReading[],
  bounds: StallBounds,
): InvalidSample[] {
  return failures.flatMap(({ name, spans }) => {
    const verdict = judgeSample(readings, spans, bounds);
    return verdict.valid ? [] : [{ name, stall: describeStall(verdict.stall, bounds) }];
  });
}

/** A pattern that Jest matches with exactly these tests. */
export function patternOf(names: readonly string[]): string {
  return `^(?:${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`;
}

/** The first result with these tests replaced by those of a later run of the same file. */
export function withRetaken(first: TestResult, later: TestResult, names: readonly string[]): TestResult {
  const retaken = new Set(names);
  const testResults = first.testResults.map((result, index) =>
    retaken.has(result.fullName) ? (later.testResults[index] ?? result) : result,
  );
  return recounted({ ...first, testResults, ...(later.testExecError && { testExecError: later.testExecError }) });
}

/** The result in which these tests failed because of the machine, and not with their assertions. */
export function withStalls(result: TestResult, invalid: readonly InvalidSample[]): TestResult {
  const stalls = new Map(invalid.map(({ name, stall }) => [name, stall]));
  const testResults = result.testResults.map((one): AssertionResult => {
    const stall = stalls.get(one.fullName);
    if (stall === undefined) return one;
    const message = `The machine stalls: ${mostSamples} samples in a row are invalid. The last one: ${stall}.`;
    return { ...one, failureDetails: [], failureMessages: [message] };
  });
  return recounted({ ...result, testResults });
}

function recounted(result: TestResult): TestResult {
  const count = (status: AssertionResult['status']) => result.testResults.filter((one) => one.status === status).length;
  return { ...result, numPassingTests: count('passed'), numFailingTests: count('failed') };
}
