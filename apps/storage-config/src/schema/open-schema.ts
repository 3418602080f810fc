import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createStorage } from './create-storage.migration.ts';
import { botStorage } from './entities.ts';
import { directObjects, spilledObjects, storageConfigs } from './team-storage-entities.ts';

/** Opens the schema `storage`, migrated to the version of this build. */
export function openStorageSchema(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'storage',
    entities: [botStorage, storageConfigs, spilledObjects, directObjects],
    migrations: [createStorage],
    applicationName: 'storage-config',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
