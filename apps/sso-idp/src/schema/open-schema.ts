import { baseline, openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';
import { ssoEntities } from './entities.ts';

/** Opens the schema of stored logins and credentials, migrated to the version of this build. */
export function openSsoSchema(url: string, poolSize: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'sso',
    entities: ssoEntities,
    migrations: [baseline('CreateSso20261121000000', outboxTablesSql)],
    applicationName: 'sso-idp',
    poolSize,
  });
}
