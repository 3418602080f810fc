// node copy-packages.mjs DIST: puts the packages that a packed app lists in its package.json beside it, as installed here.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [dist] = process.argv.slice(2);
for (const app of readdirSync(dist)) {
  const { dependencies } = JSON.parse(readFileSync(join(dist, app, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    cpSync(join('node_modules', name), join(dist, app, 'node_modules', name), { recursive: true, dereference: true });
  }
}
