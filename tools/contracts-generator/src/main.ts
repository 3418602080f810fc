import { relative } from 'node:path';
import { generate, generatedFolders, recordSurfaces } from './generate.ts';

await generate(generatedFolders);
recordSurfaces(generatedFolders.contracts);
for (const folder of Object.values(generatedFolders) as string[]) {
  process.stdout.write(`Wrote ${relative(process.cwd(), folder)} from the contract files.\n`);
}
