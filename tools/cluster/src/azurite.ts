import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@rapporteur/process-identity';
import { cacheFolder } from './binaries.ts';

const version = '3.37.0';
const installDeadlineMs = 600_000;

/**
 * The entry file of Azurite, the emulator of Azure Storage, installed once per machine: 360 MB in about a minute. Throws
 * when npm cannot install it.
 */
export async function provideAzurite(say: (text: string) => void): Promise<string> {
  const folder = join(cacheFolder(), 'rapporteur', `azurite-${version}`);
  const entry = join(folder, 'node_modules/azurite/dist/src/blob/main.js');
  if (existsSync(entry)) return entry;
  say('Installing Azurite (360 MB, about a minute, once) …');
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  try {
    const install = { program: 'npm', arguments: ['install', ...options, `azurite@${version}`], cwd: unfinished };
    await runProgram({ ...install, deadlineMs: installDeadlineMs });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return entry;
}
