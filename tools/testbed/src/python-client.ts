import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/**
 * Builds the Python client and installs its wheel into a new virtual environment below `folder`. Returns the path of
 * the environment's Python.
 */
export async function installPythonClient(folder: string): Promise<string> {
  const python = join(folder, 'venv/bin/python');
  const generator = join(root, 'node_modules/.cache/rapporteur-python-generator');
  const env = { ...process.env, GENERATOR: generator };
  await run(join(root, 'clients/python/build.sh'), [join(folder, 'wheel')], { env });
  const [wheel = ''] = await readdir(join(folder, 'wheel'));
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(python, ['-m', 'pip', 'install', '--quiet', join(folder, 'wheel', wheel)]);
  return python;
}
