import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { CreateStorage20261121000000 } from './create-storage.migration.ts';
import { botStorage } from './entities.ts';

/** Opens the schema `storage`, migrated to what this build needs. */
export function openStorageSchema(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'storage',
    entities: [botStorage] as never,
    migrations: [CreateStorage20261121000000],
    applicationName: 'storage-config',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
