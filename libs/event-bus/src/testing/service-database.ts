import { openDatabase, sqlMigration } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { outboxTablesSql } from '../tables.ts';

/** The schema of a test service: outbox, inbox and a table `effects` in which the same effect may occur twice. */
const createTestService = sqlMigration(
  'CreateTestService20261121000000',
  outboxTablesSql,
  'create table effects (event_id uuid not null, number integer not null)',
);

export function openServiceDatabase(url: string, schema: string): Promise<Database> {
  return openDatabase({
    url,
    schema,
    entities: [],
    migrations: [createTestService],
    applicationName: schema,
    poolSize: 12,
  });
}

/** How many events of this service's outbox are not settled. */
export async function unsettledIn(database: Database): Promise<number> {
  const [row] = await database.query<{ count: string }>('select count(*) from outbox where settled_at is null');
  return Number(row?.count);
}

/** Records for each change of a table whether its commit waits for the disk as the server is configured. */
export async function watchCommits(database: Database, table: 'outbox' | 'inbox'): Promise<void> {
  await database.query('create table commits (what text not null)');
  await database.query(`create function note_commit() returns trigger language plpgsql as $$
    begin
      insert into commits select lower(tg_op) || case when source = 'session' then ' is not waited for' else '' end
        from pg_settings where name = 'synchronous_commit';
      return null;
    end $$`);
  await database.query(`create trigger note_commit after insert or update on ${table} execute function note_commit()`);
}

export async function commitsOf(database: Database): Promise<string[]> {
  const rows = await database.query<{ what: string }>('select what from commits order by what');
  return rows.map(({ what }) => what);
}
