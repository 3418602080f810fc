import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Campaign, Step } from './campaigns.ts';

export const root = join(import.meta.dirname, '..', '..', '..');
const nodeOptions = ['--disable-warning=ExperimentalWarning'];

/** The end of a program run by a campaign. */
interface ProgramEnd {
  readonly exitCode: number;
  /** Standard output and standard error, line by line. */
  readonly lines: readonly string[];
}

interface CampaignResult {
  readonly passed: boolean;
  /** One sentence or figure each, for the table in docs/performance.md. */
  readonly results: readonly string[];
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly success: boolean;
  readonly testResults: readonly { readonly assertionResults: readonly { status: string; fullName: string }[] }[];
}

export interface CampaignRun extends CampaignResult {
  readonly seed: number;
  readonly minutes: number;
}

export interface CampaignOptions {
  /** Determines everything that is generated; the same seed repeats a run. */
  readonly seed: number;
  /** A share of the usual size. */
  readonly share: number;
}

/** Runs one campaign. A campaign that throws has failed; its message is the result. */
export async function runCampaign({ steps }: Pick<Campaign, 'steps'>, options: CampaignOptions): Promise<CampaignRun> {
  const startedAt = performance.now();
  const ends: CampaignResult[] = [];
  for (const step of steps)
    ends.push(await runStep(step, options).catch((error: Error) => ({ passed: false, results: [error.message] })));
  return {
    passed: ends.every(({ passed }) => passed),
    results: ends.flatMap(({ results }) => results),
    seed: options.seed,
    minutes: (performance.now() - startedAt) / 60_000,
  };
}

async function runStep(step: Step, { seed, share }: CampaignOptions): Promise<CampaignResult> {
  const variables = { SOAK_SEED: String(seed), SOAK_SHARE: String(share) };
  if ('suites' in step) return await runSuites(step.suites, variables);
  const command = 'program' in step ? step.program : `tools/checks/src/run-cluster.ts --soak ${step.cluster}`;
  const [entry = '', ...parameters] = command
    .replaceAll('SEED', String(seed))
    .replaceAll(/\*(\d+)/g, (_whole, count: string) => String(Math.max(1, Math.round(Number(count) * share))))
    .split(' ');
  const { exitCode, lines } = await runNode([...nodeOptions, join(root, entry), ...parameters], variables);
  const results = lines.filter((line) => step.results.test(line)).map((line) => line.trim());
  return results.length > 0
    ? { passed: exitCode === 0, results }
    : { passed: false, results: [`no result, exit code ${exitCode}`] };
}

async function runNode(
  parameters: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<ProgramEnd> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGTERM');
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    const shown = stream.pipe(new PassThrough());
    createInterface({ input: shown }).on('line', (line) => {
      lines.push(line);
      process.stdout.write(`  ${line}\n`);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
  return { exitCode: code ?? 1, lines };
}

async function runSuites(
  patterns: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<CampaignResult> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-soak-'));
  const file = join(folder, 'report.json');
  try {
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const config = ['--config', join(root, 'tools/soak/jest.config.mjs'), '--json', '--outputFile', file];
    const parameters = [...nodeOptions, jest, ...config, ...patterns];
    const { exitCode } = await runNode(parameters, variables);
    const report = JSON.parse(await readFile(file, 'utf8')) as JestReport;
    const failed = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== 'passed');
    return {
      passed: exitCode === 0 && report.success && failed.length === 0,
      results: [
        `${report.numPassedTests} of ${report.numTotalTests} tests passed`,
        ...failed.map(({ fullName }) => `failed: ${fullName}`),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
