import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from './build-packages.ts';

const run = promisify(execFile);
/** What the SDK needs from npm: taken from this repository, so that `npm install --offline` succeeds. */
const dependencies = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];

/**
 * Builds each package into a folder of its name below `folder`, and packs them and what they depend on. Returns the
 * paths of the tarballs.
 */
export async function packPackages(root: string, names: readonly string[], folder: string): Promise<string[]> {
  await Promise.all(names.map((name) => buildPackage(root, name, join(folder, name))));
  const packed = join(folder, 'packed');
  await mkdir(packed);
  const own = names.map((name) => join(folder, name));
  const sources = [...own, ...dependencies.map((name) => join(root, 'node_modules', name))];
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...sources], { cwd: packed });
  return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => join(packed, filename));
}
