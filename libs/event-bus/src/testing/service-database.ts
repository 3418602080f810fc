import { openDatabase } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxMigrationSql } from '../tables.ts';

interface SqlRunner {
  query(sql: string): Promise<unknown>;
}

/** The schema of a made-up service: outbox, inbox and a table `effects` in which the same effect may stand twice. */
class CreateTestService20261121000000 {
  name = 'CreateTestService20261121000000';
  async up(runner: SqlRunner): Promise<void> {
    await runner.query(outboxMigrationSql());
    await runner.query('create table effects (event_id uuid not null, number integer not null)');
  }
  async down(): Promise<void> {}
}

export function openServiceDatabase(url: string, schema: string): Promise<Database> {
  return openDatabase({
    url,
    schema,
    entities: [],
    migrations: [CreateTestService20261121000000],
    applicationName: schema,
    poolSize: 12,
  });
}

/** How many events of this service's outbox are not settled. */
export async function unsettledIn(database: Database): Promise<number> {
  const [row] = await database.query<{ count: string }>('select count(*) from outbox where settled_at is null');
  return Number(row?.count);
}
