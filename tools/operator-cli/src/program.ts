import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Started as the installed `rapporteur`, not from the sources of the repository. */
export const isInstalled: boolean = !import.meta.url.endsWith('.ts');
export const program: string = isInstalled ? 'rapporteur' : 'npm run rapporteur --';

export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
