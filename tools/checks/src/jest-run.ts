import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { evidenceVariable, failedTests, newTestFolder, writeEvidence } from '@rapporteur/testbed/evidence';
import type { FileTime } from './times.ts';
import type { Failure, Totals } from './totals.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Compile cache of Jest and of the programs that tests start; the packages of the local stack use the same. */
const compiledFolder = join(root, 'node_modules/.cache/rapporteur-compiled');

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly JestFile[];
}

interface JestFile {
  readonly name: string;
  /** Epoch ms. */
  readonly startTime: number;
  readonly endTime: number;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly JestTest[];
}

interface JestTest {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

/**
 * Runs Jest with a configuration file and prints its output as it arrives. A skipped test and a suite that could not
 * start count as failed; a run that ends without a report counts as one failure.
 */
export async function runJest(options: {
  what: string;
  configFile: string;
  filters: readonly string[];
  /** Added to the environment of this process. */
  environment?: Readonly<Record<string, string>>;
}): Promise<Totals & { readonly files: readonly FileTime[] }> {
  process.stdout.write(`\n== ${options.what}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-jest-'));
  const reportFile = join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--config',
      join(root, options.configFile),
      '--json',
      '--outputFile',
      reportFile,
      '--passWithNoTests',
      ...options.filters,
    ],
    // Jest's JSON also goes to standard output, the readable report to standard error.
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder, ...options.environment },
    },
  );
  await once(child, 'exit');
  try {
    const report = JSON.parse(await readFile(reportFile, 'utf8')) as JestReport;
    const unstarted = report.numFailedTests === 0 ? report.numFailedTestSuites : 0;
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numPendingTests + report.numTodoTests + unstarted,
      failures: report.testResults.flatMap(failuresIn),
      files: report.testResults.map(({ name, startTime, endTime }) => ({
        path: relative(root, name),
        durationMs: endTime - startTime,
      })),
    };
  } catch {
    process.stderr.write(`Jest ended without a report (exit code ${child.exitCode}).\n`);
    return { passed: 0, failed: 1, failures: [{ name: `${options.what}: Jest ended without a report` }], files: [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With the folder in which the last sample of each left its evidence. A file that could not run has Jest's message. */
function failuresIn({ name: path, status, message, assertionResults }: JestFile): Failure[] {
  const file = relative(root, path);
  const evidenceFolder = process.env[evidenceVariable];
  const failed = assertionResults.filter((test) => test.status !== 'passed');
  if (failed.length === 0 && status !== 'failed') return [];
  const asFailure = ({ fullName, failureMessages = [] }: JestTest): Failure => ({
    name: `${file} › ${fullName}`,
    message: stripVTControlCharacters(failureMessages.join('\n')),
  });
  if (evidenceFolder === undefined) return failed.map(asFailure);
  if (failed.length === 0) {
    const evidence = newTestFolder(evidenceFolder, path, 'did not run');
    const said = stripVTControlCharacters(message);
    writeEvidence(evidence, 'failure.txt', said);
    return [{ name: file, evidence, message: said }];
  }
  const known = new Map(failedTests(evidenceFolder).map((test) => [`${test.path} ${test.name}`, test.folder]));
  return failed.map((test) => ({ ...asFailure(test), evidence: known.get(`${path} ${test.fullName}`) }));
}
