import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findProcessesNaming, isAlive, signalProcess } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import type { StackRecord } from './data-folder.ts';

/** A busy machine is slow to start; the duration is not under test. */
const testMs = 180_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-start-'));
  // PostgreSQL's own user needs access.
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  for (const left of processesOfTheStack()) signalProcess(left, 'SIGKILL');
  await waitFor(() => processesOfTheStack().length === 0, { what: 'killed processes to be gone' });
  rmSync(folder, { recursive: true, force: true });
});

interface Starting {
  readonly process: ChildProcess;
  readonly output: () => string;
}

/** The program behind `npm start`, with a channel to its parent as the bootstrap gives it. */
function start(): Starting {
  const ports = ['--api-port=0', '--files-port=0', '--simulator-port=0'];
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), '--data-folder', folder, ...ports],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  return { process: child, output: () => output };
}

const serverOf = (words: string): boolean => findProcessesNaming(words).length > 0;
const postgresIsThere = (): boolean => serverOf(`${join(folder, 'postgres', 'cluster')}\0`);
const childrenOf = (): Readonly<Record<string, ProcessIdentity>> => {
  const file = join(folder, 'stack.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StackRecord).children : {};
};
/** The data folder is not on the apps' command lines; the stack's record lists them. */
const processesOfTheStack = (): ProcessIdentity[] => [
  ...findProcessesNaming(folder),
  ...Object.values(childrenOf()).filter(isAlive),
];

describe('a start that is interrupted', () => {
  const moments: Record<string, () => boolean> = {
    'PostgreSQL makes its data folder': () => serverOf(join(folder, 'postgres', 'cluster.unfinished')),
    'PostgreSQL has a process': postgresIsThere,
    'the simulator has one': () => 'simulator' in childrenOf(),
    'the last app has one': () => 'bot-scheduler' in childrenOf(),
  };
  const interruptions: Record<string, (started: Starting) => void> = {
    'Ctrl-C': ({ process: stack }) => void stack.kill('SIGINT'),
    SIGTERM: ({ process: stack }) => void stack.kill('SIGTERM'),
    'the end of its parent': ({ process: stack }) => stack.disconnect(),
    'a terminal that is gone': ({ process: stack }) => {
      stack.stdout?.destroy();
      stack.stderr?.destroy();
      stack.kill('SIGHUP');
    },
  };

  test.each([
    ['Ctrl-C', 'PostgreSQL makes its data folder'],
    ['Ctrl-C', 'PostgreSQL has a process'],
    ['a terminal that is gone', 'PostgreSQL has a process'],
    ['the end of its parent', 'the simulator has one'],
    ['SIGTERM', 'the last app has one'],
  ])(
    'by %s when %s leaves nothing running and ends with code 1',
    async (interruption, moment) => {
      const started = start();
      const ended = once(started.process, 'exit');
      await waitFor(() => moments[moment]?.(), { what: moment });
      interruptions[interruption]?.(started);
      expect(await ended).toEqual([1, null]);
      expect(processesOfTheStack()).toEqual([]);
      if (interruption !== 'a terminal that is gone') {
        await waitFor(() => /\nStopping \(.+\) before[^]+\nStopped\. Nothing runs\.\n$/.test(started.output()), {
          what: 'its last words',
        });
        expect(started.output()).not.toContain('Your API key');
      }
    },
    testMs,
  );
});

test(
  'an interruption also ends the servers that a killed run left behind',
  async () => {
    const killed = start();
    await waitFor(postgresIsThere, { what: 'PostgreSQL' });
    await waitFor(() => 'simulator' in childrenOf(), { what: 'the servers to be ready' });
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(postgresIsThere()).toBe(true);
    const started = start();
    const ended = once(started.process, 'exit');
    await waitFor(() => started.output().includes('Starting Rapporteur'), { what: 'the next start' });
    started.process.kill('SIGINT');
    expect(await ended).toEqual([1, null]);
    expect(processesOfTheStack()).toEqual([]);
  },
  testMs,
);
