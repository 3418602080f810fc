import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { consoleEntities } from './entities.ts';

/** Opens the schema of sessions, migrated to the version of this build. */
export function openConsoleDatabase(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'console',
    entities: consoleEntities,
    migrations: [baseline('CreateConsole20261126000000')],
    applicationName: 'console',
    poolSize,
  });
}
