import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TimeSpan } from '../stalls/judge-sample.ts';

/** Name of the variable through which Jest and its workers find the folder of a run's evidence. */
export const evidenceVariable = 'TESTBED_EVIDENCE';

/** Lists the invalid samples, one per line. */
export const invalidSamplesName = 'invalid-samples.txt';
const indexName = 'failed-tests.jsonl';
const longestName = 120;

export interface FailedTest {
  /** Path of the test file. */
  readonly path: string;
  /** With the names of its describe blocks, joined by spaces. */
  readonly name: string;
  /** When the events under test happened. */
  readonly spans: readonly TimeSpan[];
  /** Where its evidence is. */
  readonly folder: string;
}

/** Creates a folder for the evidence of one test. A test that fails again gets another. */
export function newTestFolder(evidenceFolder: string, path: string, name: string): string {
  const file = basename(path).replace(/\.ts$/, '');
  const base = `${file} ${name}`.replaceAll(/[^\w.-]+/g, '-').slice(0, longestName);
  for (let number = 1; ; number += 1) {
    const folder = join(evidenceFolder, number === 1 ? base : `${base}-${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export function addFailedTest(evidenceFolder: string, test: FailedTest): void {
  appendFileSync(join(evidenceFolder, indexName), `${JSON.stringify(test)}\n`);
}

/** In the order of failure. */
export function failedTests(evidenceFolder: string): FailedTest[] {
  const file = join(evidenceFolder, indexName);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as FailedTest);
}

/** The invalid samples; empty: none. */
export function invalidSampleLines(evidenceFolder: string): string[] {
  const file = join(evidenceFolder, invalidSamplesName);
  return existsSync(file) ? ['== invalid samples', ...readFileSync(file, 'utf8').trimEnd().split('\n')] : [];
}
