import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { invalidSampleLines, startEvidence } from '@rapporteur/testbed/evidence';
import { runChecks } from './checks.ts';
import { runClusterTests } from './cluster-tests.ts';
import { runJest } from './jest-run.ts';
import { printTimes } from './times.ts';
import type { StepTime } from './times.ts';
import { failureLines, printTotals } from './totals.ts';
import type { Totals } from './totals.ts';

/** `npm test`: the checks on the tree, then the tests of every package, those with a browser, and the end-to-end tests
 * on the whole stack. `--with-cluster`, as CI calls it, adds `npm run test:cluster`. Evidence of failures is in `test-evidence/`. */
const withCluster = process.argv.includes('--with-cluster');
const filters = process.argv.slice(2).filter((argument) => argument !== '--with-cluster');
const evidenceFolder = join(import.meta.dirname, '../../../test-evidence');
rmSync(evidenceFolder, { recursive: true, force: true });
mkdirSync(evidenceFolder);
const evidence = await startEvidence(evidenceFolder);
const totals: Totals[] = [];
const times: StepTime[] = [];
const startedAt = performance.now();

async function step(what: string, run: () => Promise<Totals & { readonly files?: StepTime['files'] }>): Promise<void> {
  const stepStartedAt = performance.now();
  const { files = [], ...total } = await run();
  totals.push(total);
  times.push({ what, durationMs: performance.now() - stepStartedAt, files });
}

function printLines(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`);
}

const jest = (what: string, configFile: string): Promise<void> =>
  step(what, () => runJest({ what, configFile, filters }));
const endToEnd = filters.length === 0 || filters.some((filter) => /e2e|api-fuzz/.test(filter));

if (filters.length === 0) await step('checks', runChecks);
await jest('unit and integration tests', 'jest.config.mjs');
await jest('conformance of the platforms', 'tools/testbed/jest/conformance.config.mjs');
await jest('tests that measure recordings', 'tools/testbed/jest/measured.config.mjs');
await jest('tests that measure audio', 'tools/testbed/jest/measured-audio.config.mjs');
await jest('tests with a browser', 'tools/testbed/jest/browser.config.mjs');
if (endToEnd) {
  await jest('end-to-end tests', 'tools/e2e/jest.config.mjs');
  await jest('end-to-end tests that measure a recording', 'tools/e2e/jest.measured.config.mjs');
}
if (withCluster) await step('tests on a real control plane', () => runClusterTests(filters));
printTimes(times, performance.now() - startedAt);
await evidence.close();
printLines(invalidSampleLines(evidence.folder));
printLines(failureLines(totals, evidence.folder));
process.exit(printTotals(totals) ? 0 : 1);
