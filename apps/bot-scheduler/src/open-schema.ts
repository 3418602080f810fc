import { openDatabase } from '@rapporteur/database';
import type { Database, DatabaseOptions } from '@rapporteur/database';
import { admissionSql } from './admission/admission.sql.ts';
import { entities } from './schema/entities.ts';
import { migrations } from './schema/migrations.ts';

/** Opens the schema of bots, migrated to what this build needs. */
export function openBotsSchema(url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  return openDatabase({
    url,
    schema: 'bots',
    entities,
    migrations,
    functions: admissionSql,
    applicationName: 'bot-scheduler',
    ...options,
  });
}
