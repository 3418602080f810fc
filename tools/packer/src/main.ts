import { join } from 'node:path';
import { buildApps } from './build-apps.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'dist');
try {
  for (const app of await buildApps(root, folder, process.argv.slice(2)))
    process.stdout.write(`${join(folder, app, 'main.js')}\n`);
} catch (error) {
  process.stderr.write(`An app could not be packed. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
