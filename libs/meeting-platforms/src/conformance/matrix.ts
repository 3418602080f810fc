// Prints a table of platforms and scenarios. With `--draws <n>` also n meetings per platform with sampled variants:
// `npm run conformance -- --draws 50`. With `--fuzz <n>` only n meetings with sampled faults, attended by the whole
// runner (apps/bot-runner/src/testing/fuzz).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startMeetHarness } from '../testing/meet-harness.ts';
import type { RunningHarness } from '../testing/simulator-harness.ts';
import { startTeamsHarness } from '../testing/teams-harness.ts';
import { startZoomHarness } from '../testing/zoom-harness.ts';
import { startZoomSdkHarness } from '../testing/zoom-sdk-harness.ts';
import { coverageTable } from '../testing/coverage-table.ts';
import { runScenario } from './run-scenario.ts';
import type { ScenarioResult } from './run-scenario.ts';
import { sampledScenarios } from './sampled-scenarios.ts';
import { outcomeScenarios } from './scenarios.ts';
import type { OutcomeScenario } from './outcome-scenario.ts';

const botName = 'Rapporteur';
const fuzzPath = new URL('../../../../apps/bot-runner/src/testing/fuzz/fuzz.ts', import.meta.url);
const coveragePath = new URL('../../../../tools/simulator/COVERAGE.md', import.meta.url);
const startHarness: Readonly<Record<string, () => Promise<RunningHarness>>> = {
  meet: startMeetHarness,
  teams: startTeamsHarness,
  zoom: startZoomHarness,
  'zoom-sdk': startZoomSdkHarness,
};

interface Options {
  readonly platforms: readonly string[];
  readonly draws: number;
  readonly firstSeed: number;
  readonly atOnce: number;
  readonly only: RegExp;
  /** Only writes the coverage table. */
  readonly writeCoverage: boolean;
  readonly fuzz: boolean;
}

interface Line {
  readonly scenario: OutcomeScenario;
  readonly result: ScenarioResult | null;
  readonly error: string | null;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string', multiple: true },
      draws: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      'at-once': { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      'write-coverage': { type: 'boolean', default: false },
      fuzz: { type: 'string' },
    },
  });
  return {
    platforms: values.platform ?? Object.keys(startHarness),
    draws: Number(values.draws),
    firstSeed: Number(values.seed),
    atOnce: Number(values['at-once']),
    only: new RegExp(values.only, 'i'),
    writeCoverage: values['write-coverage'],
    fuzz: values.fuzz !== undefined,
  };
}

function came(line: Line): boolean {
  return line.result?.got === line.scenario.ends;
}

function cell(line: Line | undefined): string {
  if (line === undefined) return '–';
  const seconds = ((line.result?.tookMs ?? 0) / 1000).toFixed(1);
  return came(line) ? `✓ ${seconds} s` : `✗ ${line.error ?? line.result?.got}`;
}

async function runAll(harness: RunningHarness, scenarios: readonly OutcomeScenario[], atOnce: number): Promise<Line[]> {
  const lines: Line[] = [];
  const queue = scenarios.values();
  const worker = async (): Promise<void> => {
    for (const scenario of queue) {
      const line = await runScenario(harness, scenario, botName).then(
        (result) => ({ scenario, result, error: null }),
        (error: unknown) => ({ scenario, result: null, error: (error as Error).message.split('\n')[0] ?? '' }),
      );
      lines.push(line);
      process.stderr.write(`${harness.platform.name}  ${scenario.name}: ${cell(line)}\n`);
      if (!came(line)) process.stderr.write(`    ${line.result?.rule ?? ''}: ${line.result?.steps.join(', ') ?? ''}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return lines;
}

function table(names: readonly string[], platforms: ReadonlyMap<string, readonly Line[]>): string {
  const width = Math.max(...names.map((name) => name.length));
  const rows = names.map((name) => {
    const cells = [...platforms.values()].map((lines) =>
      cell(lines.find(({ scenario }) => scenario.name === name)).padEnd(24),
    );
    return `${name.padEnd(width)}  ${cells.join('  ')}`;
  });
  const head = `${'scenario'.padEnd(width)}  ${[...platforms.keys()].map((name) => name.padEnd(24)).join('  ')}`;
  return [head, '-'.repeat(head.length), ...rows].join('\n');
}

async function runPlatform(platform: string, { draws, firstSeed, atOnce, only }: Options): Promise<Line[]> {
  const start = startHarness[platform];
  if (start === undefined) throw new Error(`There is no platform ${platform}.`);
  const harness = await start();
  try {
    // Renders the participants' media once.
    await harness.openRoom({});
    const fixed = outcomeScenarios.filter((one) => one.platforms === undefined || one.platforms.includes(platform));
    const all = [...fixed, ...sampledScenarios(platform, firstSeed, draws)];
    return await runAll(
      harness,
      all.filter(({ name }) => only.test(name)),
      atOnce,
    );
  } finally {
    await harness.close();
  }
}

function summary(platform: string, lines: readonly Line[]): string {
  const wrong = lines.filter((line) => !came(line));
  const hung = wrong.filter(({ result }) => result?.got.startsWith('hangs') ?? false);
  const through = `${lines.length - wrong.length} of ${lines.length} came through`;
  return `${platform}: ${through}, ${wrong.length} ended otherwise, ${hung.length} of them hung.`;
}

async function printMatrix(options: Options): Promise<void> {
  const results = new Map<string, Line[]>();
  for (const platform of options.platforms) results.set(platform, await runPlatform(platform, options));
  const ran = new Set([...results.values()].flat().map(({ scenario }) => scenario.name));
  const names = [
    ...outcomeScenarios.map(({ name }) => name).filter((name) => ran.delete(name)),
    ...[...ran].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
  ];
  process.stdout.write(`${table(names, results)}\n`);
  for (const [platform, lines] of results) process.stdout.write(`${summary(platform, lines)}\n`);
  if ([...results.values()].flat().some((line) => !came(line))) process.exitCode = 1;
}

/** In a separate process: the runner is an app, and no library imports an app. */
async function fuzz(): Promise<void> {
  const program = [...process.execArgv, fileURLToPath(fuzzPath), ...process.argv.slice(2)];
  const [code] = (await once(spawn(process.execPath, program, { stdio: 'inherit' }), 'close')) as [number | null];
  process.exitCode = code ?? 1;
}

const options = readOptions();
if (options.fuzz) await fuzz();
else if (options.writeCoverage) writeFileSync(coveragePath, coverageTable());
else await printMatrix(options);
