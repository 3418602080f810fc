import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSimulator } from '@rapporteur/simulator/shared';
import type { OpenSimulator } from '@rapporteur/simulator/shared';
import { documentedCommands } from './documented-commands.ts';

const run = promisify(execFile);
const guide = join(import.meta.dirname, '../../../docs/guides/simulator.md');

let simulator: OpenSimulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator?.stop());

test('every request of the guide does what the simulator takes', async () => {
  const commands = documentedCommands(await readFile(guide, 'utf8'), 'sh');
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    // -f: a refused request fails the command.
    await run('bash', ['-c', command], { env: { ...process.env, SIM: simulator.controlUrl } });
  }
});
