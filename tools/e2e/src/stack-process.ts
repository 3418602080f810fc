import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild, untilReady } from '@rapporteur/process-identity';
import { keepLogsOf, keepOnFailure, writeEvidence, waitFor } from '@rapporteur/testbed';

const startDeadlineMs = 120_000;
const stopDeadlineMs = 180_000;
const root = join(import.meta.dirname, '..', '..', '..');

/** The stack as a user starts it: the program behind `npm start`, its output, its signals. */
export interface StackProcess {
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  /** Null from the second start on: it is shown once. */
  readonly apiKey: string | null;
  readonly startedInMs: number;
  readonly output: () => string;
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null>;
  kill(): Promise<void>;
}

/** A data folder that every user can reach into, because PostgreSQL runs as another user when we are root. */
export function newDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-e2e-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Ends what may be left of a stack and deletes its data. */
export async function removeDataFolder(dataFolder: string): Promise<void> {
  for (const pid of processesNaming(dataFolder)) process.kill(pid, 'SIGKILL');
  await waitFor(() => processesNaming(dataFolder).length === 0, {
    what: 'killed processes to be gone',
  });
  rmSync(dataFolder, { recursive: true, force: true });
}

/** Tests share a machine that is busy: their bots start all the same. */
const busy = { RAPPORTEUR_WAITS_FOR_CPU: 'false' };

/**
 * Starts the stack, with more options and settings if given, and waits until it reports that it runs. Otherwise rejects with its
 * output.
 */
export async function startStackProcess(
  dataFolder: string,
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<StackProcess> {
  const startedAt = Date.now();
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'deploy/local/src/main.ts'),
      '--data-folder',
      dataFolder,
      '--api-port=0',
      '--files-port=0',
      '--simulator-port=0',
      ...options,
    ],
    // It ends with its channel to this process, in all cases.
    {
      cwd: root,
      env: { ...process.env, ...busy, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  keepLogsOf(dataFolder);
  keepOnFailure((folder) => writeEvidence(folder, 'stack.log', output));
  const isReady = (): boolean => /Rapporteur runs/.test(output) && /addresses on this machine/.test(output);
  const details = (): string => `Its output:\n${output}`;
  await untilReady(child, isReady, { name: 'The stack', deadlineMs: startDeadlineMs, pollMs: 100, details });
  return {
    apiUrl: found(output, /REST API\s+(\S+)/),
    simulatorUrl: found(output, /Simulator\s+(\S+)/),
    apiKey: /Your API key (\S+)/.exec(output)?.[1] ?? null,
    startedInMs: Date.now() - startedAt,
    output: () => output,
    interrupt: () => end(child, 'SIGINT'),
    kill: async () => void (await end(child, 'SIGKILL')),
  };
}

function found(output: string, pattern: RegExp): string {
  const match = pattern.exec(output)?.[1];
  if (match === undefined) throw new Error(`The stack's words lack ${String(pattern)}:\n${output}`);
  return match;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  await endChild(child, [{ signal, waitMs: stopDeadlineMs }]);
  return child.exitCode;
}

/**
 * Running processes whose command line, environment or working folder contains this text; never this process itself.
 */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) => !isZombie(pid) && ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(text)),
    )
    .map(Number);
}

/** The runner processes of a stack, packed or from the sources. */
export function runnersOf(dataFolder: string): number[] {
  return processesNaming(dataFolder).filter((pid) =>
    /bot-runner\/src\/main\.ts|rapporteur-packed\/bot-runner\//.test(read(`/proc/${pid}/cmdline`)),
  );
}

function isZombie(pid: string): boolean {
  return / Z /.test(read(`/proc/${pid}/stat`).replace(/\(.*\)/, ''));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
