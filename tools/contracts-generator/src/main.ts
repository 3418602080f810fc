import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { changesSince, generate, generatedFolders } from './generate.ts';

const { values } = parseArgs({ options: { since: { type: 'string' } } });
await generate(generatedFolders);
for (const folder of Object.values(generatedFolders) as string[]) {
  process.stdout.write(`Wrote ${relative(process.cwd(), folder)} from the contract files.\n`);
}
if (values.since !== undefined) {
  const changes = changesSince(values.since, generatedFolders.contracts);
  for (const change of changes) process.stderr.write(`${change}\n`);
  process.exitCode = changes.length === 0 ? 0 : 1;
}
