import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '..', '..', 'operator-cli/src/main.ts');
const limitMs = 120_000;

/** Runs `rapporteur` against the stack of a data folder; what it prints with --json, parsed. Rejects with its output when it fails. */
export async function runCommand<T>(dataFolder: string, words: readonly string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, ...words, '--data-folder', dataFolder, '--json'],
    { timeout: limitMs, maxBuffer: 10 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as T;
}
