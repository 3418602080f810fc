import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { campaigns } from './campaigns.ts';
import type { Campaign } from './campaigns.ts';
import { withResult } from './result-table.ts';
import { root, runCampaign } from './run-campaign.ts';

const usage = `npm run test:soak [-- NAME ... | --all] [options]

Without a name: lists the campaigns.

  --all        runs every campaign
  --names      prints the names as a JSON array, for a workflow
  --seed N     decides what is generated                     (default: the clock)
  --share N    share of the usual size, more than 0 to 1     (default 1)
  --record     writes the results into docs/performance.md
`;
const documentPath = join(root, 'docs/performance.md');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Options {
  readonly names: readonly string[];
  readonly seed: number;
  readonly share: number;
  readonly record: boolean;
  readonly all: boolean;
  /** Only prints the names. */
  readonly onlyNames: boolean;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      names: { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      share: { type: 'string', default: '1' },
      record: { type: 'boolean', default: false },
    },
  });
  const [seed, share] = [Number(values.seed), Number(values.share)];
  if (!Number.isInteger(seed) || seed < 1) throw new Error('--seed must be a whole number from 1.');
  if (!(share > 0 && share <= 1)) throw new Error('--share must be more than 0 and at most 1.');
  return { names: positionals, seed, share, record: values.record, all: values.all, onlyNames: values.names };
}

function load(): string {
  return loadavg()
    .map((figure) => figure.toFixed(1))
    .join(' ');
}

async function runAndRecord(campaign: Campaign, { seed, share, record }: Options): Promise<boolean> {
  say(`\n== ${campaign.name}: ${campaign.purpose} (about ${campaign.usualMinutes * share} minutes, seed ${seed})`);
  const loadBefore = load();
  const run = await runCampaign(campaign, { seed, share });
  say(`${run.passed ? 'passed' : 'FAILED'} after ${run.minutes.toFixed(1)} minutes, seed ${seed}`);
  for (const result of run.results) say(`  ${result}`);
  if (record) {
    const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
    const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${memory}; ${loadBefore} to ${load()}`;
    const date = new Date().toISOString().slice(0, 10);
    const text = await readFile(documentPath, 'utf8');
    await writeFile(documentPath, withResult(text, { campaign, run, share, machine, date }));
  }
  return run.passed;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options.onlyNames) {
    say(JSON.stringify(campaigns.map(({ name }) => name)));
    return 0;
  }
  const names = options.all ? campaigns.map(({ name }) => name) : options.names;
  if (names.length === 0) {
    say(`${usage}\nCampaigns (minutes on two idle cores):\n`);
    for (const { name, usualMinutes, purpose } of campaigns)
      say(`  ${name.padEnd(20)} ${String(usualMinutes).padStart(4)}  ${purpose}`);
    return 0;
  }
  const wanted = names.map((name) => {
    const campaign = campaigns.find((each) => each.name === name);
    if (campaign === undefined)
      throw new Error(`There is no campaign "${name}". There are: ${campaigns.map((each) => each.name).join(', ')}.`);
    return campaign;
  });
  let failed = 0;
  for (const campaign of wanted) if (!(await runAndRecord(campaign, options))) failed += 1;
  say(`\n${wanted.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
