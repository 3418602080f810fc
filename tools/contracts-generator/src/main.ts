import { relative } from 'node:path';
import { generate, generatedFolder } from './generate.ts';

await generate(generatedFolder);
process.stdout.write(`Wrote ${relative(process.cwd(), generatedFolder)} from the contract files.\n`);
