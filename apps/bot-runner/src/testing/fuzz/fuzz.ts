// Runs the real runner in rooms with random faults, and judges each bot by the room's log, its reports and its stored
// files: `npm run conformance -- --fuzz 100 [--seed 1] [--platform meet] [--at-once 2]`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSimulator } from '@rapporteur/simulator/shared';
import { meetingsIn } from '../simulated-meetings.ts';
import type { SimulatedMeetings } from '../simulated-meetings.ts';
import { sampleRoom, fuzzedPlatforms } from './sample-room.ts';
import type { FuzzedRoom } from './sample-room.ts';
import { runFuzzed } from './run-fuzzed.ts';
import type { FuzzedResult } from './run-fuzzed.ts';

const { values } = parseArgs({
  options: {
    fuzz: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    platform: { type: 'string', multiple: true },
    'at-once': { type: 'string', default: '2' },
  },
});
const platforms = fuzzedPlatforms.filter((name) => values.platform?.includes(name) ?? true);
const folder = await mkdtemp(join(tmpdir(), 'rapporteur-fuzz-'));
const simulator = await openSimulator();
const sampled = Array.from({ length: Number(values.fuzz) }, (_, index) =>
  sampleRoom(Number(values.seed) + index, platforms),
);
const queue = sampled.values();
const results: FuzzedResult[] = [];

async function work(meetings: SimulatedMeetings): Promise<void> {
  for (const room of queue) {
    const result = await runFuzzed(meetings, room);
    results.push(result);
    process.stdout.write(`${lineOf(room, result)}\n`);
    if (result.problems.length > 0) await keepLog(room, result);
    await meetings.clear();
  }
}

function lineOf({ seed, platform, lobby, faults, blow }: FuzzedRoom, { run, problems, returns }: FuzzedResult): string {
  const end = run.reports.find((report) => report.kind === 'attendance-ended');
  const code = end?.kind === 'attendance-ended' ? end.end.code : 'no end';
  const happened = [
    ...(lobby === 'admits' ? [] : [lobby]),
    ...faults.map(({ kind, on, afterSeconds }) => `${kind} ${afterSeconds} s after ${on}`),
    ...(blow === null ? [] : [`${blow.what} after ${blow.afterMs / 1_000} s`]),
  ];
  const verdict = problems.length === 0 ? '✓' : `✗ ${problems.join('; ')}`;
  const head = `seed ${seed} ${platform} ${code} ${(run.tookMs / 1_000).toFixed(0)} s, ${returns} returns`;
  return `${head} [${happened.join(', ') || 'nothing'}] ${verdict}`;
}

async function keepLog({ seed }: FuzzedRoom, { run, botLog }: FuzzedResult): Promise<void> {
  const file = join(tmpdir(), `rapporteur-fuzz-seed-${seed}.json`);
  await writeFile(file, JSON.stringify({ ...run, botLog }, null, 1));
  process.stdout.write(`    what it did: ${file}\n`);
}

try {
  const atOnce = Math.min(Number(values['at-once']), sampled.length);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const meetings = await meetingsIn(simulator, folder);
      await work(meetings).finally(() => meetings.stop());
    }),
  );
  const wrong = results.filter(({ problems }) => problems.length > 0);
  const returns = results.reduce((sum, result) => sum + result.returns, 0);
  const load = loadavg()[0]?.toFixed(1) ?? '';
  process.stdout.write(
    `${results.length} rooms, ${results.length - wrong.length} right, ${wrong.length} wrong; the bots came back ${returns} times; load ${load}.\n`,
  );
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  await simulator.stop();
  await rm(folder, { recursive: true, force: true });
}
