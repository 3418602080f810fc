import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { failedTests, invalidSampleLines } from '../evidence/failed-tests.ts';

const root = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);
let folder = '';
let evidence = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstalled-runner-'));
  evidence = join(folder, 'evidence');
  mkdirSync(evidence);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/**
 * Runs a file whose recording is made in a hook and is right from the given take on. In the given takes the machine
 * stalls, according to the readings that the file itself writes.
 */
async function runRecordingTest(
  rightFrom: number,
  stalledTakes: readonly number[],
  globals: { readonly timedTests?: readonly string[] } = {},
): Promise<Report> {
  const config = { rootDir: folder, testMatch: ['**/*.test.mjs'], transform: {}, globals };
  const jestFolder = join(root, 'tools/testbed/jest');
  const houseParts = {
    runner: join(jestFolder, 'unstalled-runner.mjs'),
    testEnvironment: join(jestFolder, 'environment.mjs'),
    runtime: join(jestFolder, 'native-runtime.mjs'),
  };
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify({ ...config, ...houseParts }));
  writeFileSync(
    join(folder, 'recording.test.mjs'),
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
     import { keepLogsOf } from ${JSON.stringify(join(root, 'tools/testbed/src/evidence/keep-on-failure.ts'))};
     const [take, fromMs] = [readTake() + 1, Date.now()];
     function readTake() { try { return Number(readFileSync(${JSON.stringify(join(folder, 'take'))}, 'utf8')); } catch { return 0; } }
     beforeAll(() => {
       writeFileSync(${JSON.stringify(join(folder, 'service.log'))}, 'The service log of take ' + take);
       keepLogsOf(${JSON.stringify(folder)});
       writeFileSync(${JSON.stringify(join(folder, 'take'))}, String(take));
       const lateMs = ${JSON.stringify(stalledTakes)}.includes(take) ? 900 : 3;
       const reading = { fromMs: fromMs - 1, untilMs: Date.now() + 1, lateMs, cpuPressure: 0.1 };
       appendFileSync(${JSON.stringify(join(evidence, 'stall-readings.jsonl'))}, JSON.stringify(reading) + '\\n');
     });
     test('holds every beep', () => expect(take).toBeGreaterThanOrEqual(${rightFrom}));
     test('has a name', () => appendFileSync(${JSON.stringify(join(folder, 'named'))}, 'x'));`,
  );
  const reportFile = join(folder, 'report.json');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const parameters = ['--config', join(folder, 'jest.config.json'), '--json', '--outputFile', reportFile];
  const env = { PATH: process.env['PATH'], TESTBED_EVIDENCE: evidence, CI: 'true' };
  const options = ['--disable-warning=ExperimentalWarning'];
  const ended = await run(process.execPath, [...options, jest, ...parameters], { cwd: folder, env }).catch(
    (error: { stderr: string }) => error,
  );
  if (!existsSync(reportFile)) throw new Error(ended.stderr);
  return JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
}

const takes = () => Number(readFileSync(join(folder, 'take'), 'utf8'));

describe('a recording made in a hook', () => {
  test('is made again when the machine stalled meanwhile; the tests that passed are not repeated', async () => {
    const report = await runRecordingTest(3, [1, 2]);
    expect(report).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
    expect(takes()).toBe(3);
    expect(readFileSync(join(folder, 'named'), 'utf8')).toBe('x');
    expect(invalidSampleLines(evidence)).toEqual([
      '== invalid samples',
      expect.stringMatching(/^holds every beep: sample 1 of at most 3 is invalid .* timers up to 900 ms late/),
      expect.stringMatching(/^holds every beep: sample 2 of at most 3 is invalid/),
    ]);
  }, 60_000);

  test('fails at once, with its assertion and its evidence, on a quiet machine', async () => {
    const report = await runRecordingTest(2, []);
    expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
    expect(takes()).toBe(1);
    expect(report.testResults[0]?.message).toContain('toBeGreaterThanOrEqual');
    const [failed] = failedTests(evidence);
    expect(failed?.name).toBe('holds every beep');
    const kept = (name: string): string => readFileSync(join(failed?.folder ?? '', name), 'utf8');
    expect(kept('failure.txt')).toContain('toBeGreaterThanOrEqual');
    expect(kept('service.log')).toBe('The service log of take 1');
    expect(JSON.parse(kept('stall-readings.json'))).toMatchObject([{ lateMs: 3 }]);
  }, 60_000);

  test('fails because of a valid second sample, whatever the first one was', async () => {
    const report = await runRecordingTest(3, [1]);
    expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
    expect(takes()).toBe(2);
    expect(report.testResults[0]?.message).toContain('toBeGreaterThanOrEqual');
  }, 60_000);

  test('fails with the machine named, not the assertion, when it stalls three times', async () => {
    const report = await runRecordingTest(9, [1, 2, 3]);
    expect(report).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
    expect(takes()).toBe(3);
    expect(report.testResults[0]?.message).toContain('The machine stalls');
    expect(report.testResults[0]?.message).not.toContain('toBeGreaterThanOrEqual');
  }, 60_000);

  test.each([
    { timedTests: ['/recording\\.test\\.mjs$'], taken: 2 },
    { timedTests: ['/other\\.test\\.mjs$'], taken: 1 },
  ])(
    'is made again where the configuration names its file: $timedTests',
    async ({ timedTests, taken }) => {
      const report = await runRecordingTest(2, [1], { timedTests });
      expect(report).toMatchObject({ numFailedTests: 2 - taken });
      expect(takes()).toBe(taken);
    },
    60_000,
  );
});
