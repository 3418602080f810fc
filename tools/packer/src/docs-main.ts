import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildDocs } from './docs-site/build-docs.ts';

const root = join(import.meta.dirname, '../../..');
const target = join(root, 'dist/docs');
// For `npm start`.
if (process.argv.includes('--low-priority')) setPriority(19);
// An exit removes the working folder.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

try {
  const isBuilt = await buildDocs(root, target, {
    repositoryUrl: process.env['REPOSITORY_URL'] || null,
    onlyIfChanged: process.argv.includes('--if-changed'),
  });
  process.stdout.write(isBuilt ? `${target}\n` : `${target} is current.\n`);
} catch (error) {
  process.stderr.write(`The documentation could not be built. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
