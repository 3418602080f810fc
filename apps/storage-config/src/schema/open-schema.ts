import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { botStorage } from './entities.ts';
import { directObjects, spilledObjects, storageConfigs } from './team-storage-entities.ts';

/** Opens the schema `storage`, migrated to the version of this build. */
export function openStorageSchema(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'storage',
    entities: [botStorage, storageConfigs, spilledObjects, directObjects],
    migrations: [baseline('CreateStorage20261121000000')],
    applicationName: 'storage-config',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
