import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How this program is started: from the sources of the repository, or as the installed `rapporteur`. */
export const program: string = import.meta.url.endsWith('.ts') ? 'npm run rapporteur --' : 'rapporteur';

export function programVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
