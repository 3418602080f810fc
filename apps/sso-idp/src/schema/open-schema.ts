import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createSso } from './create-sso.migration.ts';
import { ssoEntities } from './entities.ts';

/** Opens the schema of stored logins and credentials, migrated to the version of this build. */
export function openSsoSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'sso',
    entities: ssoEntities,
    migrations: [createSso],
    applicationName: 'sso-idp',
    poolSize,
  });
}
