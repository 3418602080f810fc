import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Campaign, CampaignContext, CampaignResult, ProgramEnd } from './campaign.ts';

export const root = join(import.meta.dirname, '..', '..', '..');
const nodeOptions = ['--disable-warning=ExperimentalWarning'];

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

/** Runs one campaign. A campaign that throws has failed; its message is the result. */
export async function runCampaign(
  campaign: Campaign,
  { seed, share }: { readonly seed: number; readonly share: number },
): Promise<CampaignRun> {
  const startedAt = performance.now();
  const variables = { SOAK_SEED: String(seed), SOAK_SHARE: String(share) };
  const context: CampaignContext = {
    seed,
    scaled: (count) => Math.max(1, Math.round(count * share)),
    runProgram: (entry, parameters) => runNode([...nodeOptions, join(root, entry), ...parameters]),
    runSuites: (patterns) => runSuites(patterns, variables),
    runClusterSuites: (pattern) =>
      runNode([...nodeOptions, join(root, 'tools/checks/src/run-cluster.ts'), '--soak', pattern], variables),
  };
  const result = await campaign
    .run(context)
    .catch((error: unknown) => ({ passed: false, results: [(error as Error).message] }));
  return { ...result, seed, minutes: (performance.now() - startedAt) / 60_000 };
}

async function runNode(
  parameters: readonly string[],
  variables: Readonly<Record<string, string>> = {},
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
