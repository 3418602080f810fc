import { openDatabase } from '@rapporteur/database';
import type { Database, DatabaseOptions } from '@rapporteur/database';
import { admissionSql } from './admission/admission.sql.ts';
import { createBots } from './schema/create-bots.migration.ts';
import { entities } from './schema/entities.ts';
import { settlementSql } from './credentials/settlement.sql.ts';

/** Opens the schema of bots, migrated to the version of this build. */
export function openBotsSchema(url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  return openDatabase({
    url,
    schema: 'bots',
    entities,
    migrations: [createBots],
    functions: admissionSql + settlementSql,
    applicationName: 'bot-scheduler',
    ...options,
  });
}
