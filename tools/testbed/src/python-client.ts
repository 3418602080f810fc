import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache');
const sources = ['clients/python/**/*.*', 'libs/contracts/src/generated/public.v2.json', 'package.json'];

/**
 * Builds the Python client and installs its wheel into a virtual environment of its own, which is kept until one of its
 * sources changes. Returns the path of the environment's Python.
 */
export async function installPythonClient(): Promise<string> {
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: root }).toSorted()) hash.update(readFileSync(join(root, path)));
  const clients = join(cache, 'rapporteur-python-client');
  const folder = join(clients, hash.digest('hex').slice(0, 16));
  const python = join(folder, 'venv/bin/python');
  const installed = join(folder, 'installed');
  if (existsSync(installed)) return python;
  await rm(clients, { recursive: true, force: true });
  const env = { ...process.env, GENERATOR: join(cache, 'rapporteur-python-generator') };
  await run(join(root, 'clients/python/build.sh'), [join(folder, 'wheel')], { env });
  const [wheel = ''] = await readdir(join(folder, 'wheel'));
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(python, ['-m', 'pip', 'install', '--quiet', join(folder, 'wheel', wheel)]);
  await writeFile(installed, '');
  return python;
}
