import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { AddLogins20261123050000 } from './add-logins.migration.ts';
import { AddOutbox20261123160000 } from './add-outbox.migration.ts';
import { CreateSso20261121200000 } from './create-sso.migration.ts';
import { ssoEntities } from './entities.ts';

/** Opens the schema of stored logins and credentials, migrated to what this build needs. */
export function openSsoSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'sso',
    entities: ssoEntities,
    migrations: [CreateSso20261121200000, AddLogins20261123050000, AddOutbox20261123160000],
    applicationName: 'sso-idp',
    poolSize,
  });
}
