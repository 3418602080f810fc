import { join } from 'node:path';
import { buildPackage, publishedPackages } from './build-packages.ts';

const root = join(import.meta.dirname, '../../..');
const names = process.argv.length > 2 ? process.argv.slice(2) : publishedPackages;
try {
  for (const name of names) {
    const target = join(root, 'dist/packages', name);
    await buildPackage(root, name, target);
    process.stdout.write(`${target}\n`);
  }
} catch (error) {
  process.stderr.write(`A package could not be built. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
