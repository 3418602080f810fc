import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Test, TestEvents, TestResult, AssertionResult } from '@jest/test-result';
import { formatResultsErrors } from 'jest-message-util';
import { EmittingTestRunner } from 'jest-runner';
import type jestRunner from 'jest-runner';
import type { Config, TestRunnerOptions } from 'jest-runner';
import { failedTests, invalidSamplesName } from '../evidence/failed-tests.ts';
import type { FailedTest } from '../evidence/failed-tests.ts';
import { waitFor } from '../waiting.ts';
import { judgeSample, stallBounds, describeStall } from './judge-sample.ts';
import type { StallBounds } from './judge-sample.ts';
import { openEvidence } from './open-evidence.ts';
import type { Evidence } from './open-evidence.ts';
import { stallReadings } from './start-stall-probe.ts';
import type { StallReading } from './stall-reading.ts';

/** Number of samples before the run fails because of the machine. */
const mostSamples = 3;

interface InvalidSample {
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

/** The files with the first files of the list, which are patterns of paths, at the beginning; the others keep their order. */
export function longestFirst<File extends Pick<Test, 'path'>>(
  files: readonly File[],
  longest: readonly string[],
): File[] {
  const patterns = longest.map((pattern) => new RegExp(pattern, 'u'));
  const rankOf = ({ path }: File): number => {
    const rank = patterns.findIndex((pattern) => pattern.test(path));
    return rank === -1 ? patterns.length : rank;
  };
  return files.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function recounted(result: TestResult): TestResult {
  const count = (status: AssertionResult['status']) => result.testResults.filter((one) => one.status === status).length;
  return { ...result, numPassingTests: count('passed'), numFailingTests: count('failed') };
}

// Its types are those of a CommonJS module, whose default export an import would give as a property.
const { default: JestRunner } = createRequire(import.meta.url)('jest-runner') as typeof jestRunner;
type Watcher = Parameters<EmittingTestRunner['runTests']>[1];
type Listener<Name extends keyof TestEvents> = (event: TestEvents[Name]) => void | Promise<void>;

/** The files of this run and their options, as given by Jest. */
interface Run {
  readonly watcher: Watcher;
  readonly options: TestRunnerOptions;
  readonly evidence: Evidence;
}

const quietMs = 2_000;
const quietDeadlineMs = 60_000;

/**
 * Jest's runner. A failed test of real time whose sample is invalid, because the machine stalled while it was
 * taken, is run once more in a fresh run of its file; any other failure is final.
 */
export class UnstalledRunner extends EmittingTestRunner {
  readonly #listeners = new Map<keyof TestEvents, Listener<never>[]>();

  on<Name extends keyof TestEvents>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? [];
    this.#listeners.set(name, [...listeners, listener]);
    return () => void this.#listeners.set(name, listeners);
  }

  async runTests(tests: Test[], watcher: Watcher, options: TestRunnerOptions): Promise<void> {
    const evidence = await openEvidence();
    const run = { watcher, options, evidence };
    const retakes: { readonly test: Test; readonly result: TestResult; readonly invalid: InvalidSample[] }[] = [];
    const judge = async (test: Test, result: TestResult): Promise<void> => {
      const invalid = this.#invalid(evidence, test, failedIn(result));
      if (invalid.length === 0) await this.#emit('test-file-success', [test, result]);
      else retakes.push({ test, result, invalid });
    };
    try {
      const longest = tests[0]?.context.config.globals['longestTests'] as readonly string[] | undefined;
      await this.#runFiles(longestFirst(tests, longest ?? []), run, judge);
      for (const { test, result, invalid } of retakes)
        await this.#emit('test-file-success', [test, await this.#retake(test, { result, invalid }, run)]);
    } finally {
      await evidence.close();
    }
  }

  async #retake(
    test: Test,
    first: { readonly result: TestResult; readonly invalid: readonly InvalidSample[] },
    run: Run,
  ): Promise<TestResult> {
    let { result, invalid } = first;
    for (let sample = 1; invalid.length > 0 && sample < mostSamples; sample += 1) {
      announce(run.evidence, invalid, `sample ${sample} of at most ${mostSamples} is invalid and is taken again`);
      await untilQuiet(run.evidence);
      const names = invalid.map(({ name }) => name);
      let failed: string[] = [];
      const take = (_test: Test, later: TestResult): void => {
        result = withRetaken(result, later, names);
        failed = failedIn(later);
      };
      await this.#runFiles([test], run, take, patternOf(names));
      invalid = this.#invalid(run.evidence, test, failed);
    }
    if (invalid.length > 0)
      announce(run.evidence, invalid, `all ${mostSamples} samples are invalid: the machine stalls`);
    const judged = withStalls(result, invalid);
    if (result.testExecError !== undefined) return judged;
    const failureMessage = formatResultsErrors(judged.testResults, test.context.config, this._globalConfig, test.path);
    return { ...judged, failureMessage };
  }

  #invalid(evidence: Evidence, test: Test, names: readonly string[]): InvalidSample[] {
    if (!isTimed(test)) return [];
    // A test that failed in several samples: the last one.
    const last = new Map(
      failedTests(evidence.folder)
        .filter(({ path }) => path === test.path)
        .map((one) => [one.name, one]),
    );
    const failures = names.flatMap((name) => last.get(name) ?? []);
    return invalidSamples(failures, stallReadings(evidence.folder), stallBounds);
  }

  /** Every event is passed on but the result of a file, which goes to `onResult`. */
  async #runFiles(
    tests: Test[],
    { watcher, options }: Run,
    onResult: (test: Test, result: TestResult) => void | Promise<void>,
    testNamePattern?: string,
  ): Promise<void> {
    const config: Config.GlobalConfig =
      testNamePattern === undefined ? this._globalConfig : { ...this._globalConfig, testNamePattern };
    const runner = new JestRunner(config, this._context);
    for (const name of ['test-file-start', 'test-file-failure', 'test-case-start', 'test-case-result'] as const)
      runner.on(name, (event) => this.#emit(name, event));
    runner.on('test-file-success', ([test, result]) => onResult(test, result));
    await runner.runTests(tests, watcher, options);
  }

  async #emit<Name extends keyof TestEvents>(name: Name, event: TestEvents[Name]): Promise<void> {
    for (const listener of this.#listeners.get(name) ?? []) await (listener as Listener<Name>)(event);
  }
}

/** Whether the configuration has the samples of a file judged: `globals.timedTests`, patterns of paths; without them all. */
function isTimed({ path, context }: Test): boolean {
  const timed = context.config.globals['timedTests'] as readonly string[] | undefined;
  return timed?.some((pattern) => new RegExp(pattern, 'u').test(path)) ?? true;
}

function failedIn({ testResults }: TestResult): string[] {
  return testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

/** In the output of the run, and among its evidence. */
function announce({ folder }: Evidence, invalid: readonly InvalidSample[], what: string): void {
  const lines = invalid.map(({ name, stall }) => `${name}: ${what}: ${stall}.\n`).join('');
  process.stderr.write(lines);
  appendFileSync(join(folder, invalidSamplesName), lines);
}

/** A sample taken again during the same stall would be invalid too. */
async function untilQuiet({ folder }: Evidence): Promise<void> {
  const sinceMs = Date.now();
  const isQuiet = (): boolean => {
    const untilMs = Date.now();
    const { valid } = judgeSample(stallReadings(folder), [{ fromMs: untilMs - quietMs, untilMs }], stallBounds);
    return valid && untilMs - sinceMs >= quietMs;
  };
  await waitFor(isQuiet, { what: 'the machine to be quiet', timeoutMs: quietDeadlineMs }).catch(() => undefined);
}
