import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulator } from '@rapporteur/simulator/shared';
import type { OpenSimulator } from '@rapporteur/simulator/shared';
import { sampleRoom } from './testing/fuzz/sample-room.ts';
import { runFuzzed } from './testing/fuzz/run-fuzzed.ts';
import { meetingsIn } from './testing/simulated-meetings.ts';

// The short form of `npm run conformance -- --fuzz 100`. Add seeds that have failed.
const seeds = [24, 13, 29];

let folder: string;
let simulator: OpenSimulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-fuzz-'));
  simulator = await openSimulator();
}, 300_000);
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true, force: true });
});

test('in rooms where things go wrong by chance every bot ends in time, once, with the truth, and what it recorded plays', async () => {
  const results = await Promise.all(
    seeds.map(async (seed) => {
      const meetings = await meetingsIn(simulator, folder);
      return await runFuzzed(meetings, sampleRoom(seed)).finally(() => meetings.stop());
    }),
  );
  for (const { run, problems, botLog } of results)
    if (problems.length > 0) process.stderr.write(`seed ${run.sampled.seed}: ${JSON.stringify(botLog, null, 1)}\n`);
  expect(results.map(({ run, problems }) => [run.sampled.seed, problems])).toEqual(seeds.map((seed) => [seed, []]));
}, 240_000);
