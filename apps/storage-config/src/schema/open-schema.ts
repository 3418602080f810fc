import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { AddDeletion20261121130500 } from './add-deletion.migration.ts';
import { AddGrantEnd20261123095500 } from './add-grant-end.migration.ts';
import { AddDirectObjects20261123110100 } from './add-direct-objects.migration.ts';
import { AddDirectSlots20261123160000 } from './add-direct-slots.migration.ts';
import { AddPieceRelease20261121180000 } from './add-piece-release.migration.ts';
import { AddStorageMoves20261123110200 } from './add-storage-moves.migration.ts';
import { AddTeamStorage20261123110000 } from './add-team-storage.migration.ts';
import { CreateStorage20261121000000 } from './create-storage.migration.ts';
import { botStorage } from './entities.ts';
import { RenameTerms20261123093000 } from './rename-terms.migration.ts';
import {
  directObjects,
  spilledObjects,
  storageConfigs,
  storageMoves,
  supersededObjects,
} from './team-storage-entities.ts';

/** Opens the schema `storage`, migrated to what this build needs. */
export function openStorageSchema(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'storage',
    entities: [botStorage, storageConfigs, spilledObjects, directObjects, storageMoves, supersededObjects],
    migrations: [
      CreateStorage20261121000000,
      AddDeletion20261121130500,
      AddPieceRelease20261121180000,
      RenameTerms20261123093000,
      AddGrantEnd20261123095500,
      AddTeamStorage20261123110000,
      AddDirectObjects20261123110100,
      AddStorageMoves20261123110200,
      AddDirectSlots20261123160000,
    ],
    applicationName: 'storage-config',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
