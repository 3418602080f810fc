import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findProcessesNaming, isAlive, signalProcess } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import type { StackRecord } from './data-folder.ts';
import { runningStacks } from './running-stacks.ts';

const root = join(import.meta.dirname, '../../..');
const startMs = 120_000;

let folder: string;
let npm: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-npm-'));
  // PostgreSQL's own user needs access.
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  npm?.kill('SIGKILL');
  for (const left of processes()) signalProcess(left, 'SIGKILL');
  await waitFor(() => processes().length === 0, { what: 'killed processes to be gone' });
  rmSync(folder, { recursive: true, force: true });
});

/** Every process of the start: those with the data folder on their command line, and those in the stack's record. */
function processes(): ProcessIdentity[] {
  const file = join(folder, 'stack.json');
  const children = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StackRecord).children : {};
  return [...findProcessesNaming(folder), ...Object.values(children).filter(isAlive)];
}

function npmStart(): { process: ChildProcess; output: () => string } {
  const ports = ['--api-port=0', '--files-port=0', '--no-simulator'];
  // Like a service manager: one process, no terminal.
  npm = spawn('npm', ['start', '--', '--data-folder', folder, ...ports], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  return { process: npm, output: () => output };
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s to the npm process of npm start ends everything that it started',
  async (signal) => {
    const started = npmStart();
    await waitFor(() => started.output().includes('Rapporteur runs'), { what: 'the service', timeoutMs: startMs });
    expect(processes().length).toBeGreaterThanOrEqual(8);
    expect(runningStacks(root)).toContain(folder);
    const ended = once(started.process, 'exit');
    started.process.kill(signal);
    await ended;
    await waitFor(() => processes().length === 0, { what: 'everything to end' });
    expect(runningStacks(root)).not.toContain(folder);
  },
  startMs + 90_000,
);

test('npm start -- --help prints the options and ends with code 0', () => {
  const { status, stdout } = spawnSync('npm', ['start', '--silent', '--', '--help'], { cwd: root, encoding: 'utf8' });
  expect(stdout).toContain('--data-folder FOLDER');
  expect(status).toBe(0);
});
