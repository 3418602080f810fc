import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createIdentity } from './create-identity.migration.ts';
import { identityEntities } from './entities.ts';

/** Opens the schema of teams and keys, migrated to the version of this build. */
export function openIdentity(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'identity',
    entities: identityEntities,
    migrations: [createIdentity],
    applicationName: 'api-gateway',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}
