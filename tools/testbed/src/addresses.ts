import pg from 'pg';
import { RunFolder } from './run-folder.ts';
import { accountLimit } from './test-servers.ts';
import { waitFor } from './waiting.ts';

export interface TestDatabase {
  /** postgres:// address with user and password. */
  readonly url: string;
  /** Ends every connection to it and deletes it. Safe twice. Otherwise removed with the run. */
  drop(): Promise<void>;
}

/** Migrates a database, as a service's `open…Schema` does. The name of the function names the template. */
export type OpenSchema = (url: string, poolSize: number) => Promise<{ close(): Promise<void> }>;

/**
 * A fresh database on the run's PostgreSQL, which starts at the first call of the run (half a second): a copy of one that
 * `openSchema` has migrated once for the whole run, or an empty one.
 */
export async function createTestDatabase(openSchema?: OpenSchema): Promise<TestDatabase> {
  const folder = RunFolder.ofThisRun();
  const serverUrl = await postgresUrlOf(folder);
  const template = openSchema === undefined ? 'template1' : await templateOf(openSchema, serverUrl);
  const name = `test_${folder.takeNumber('databases', 10_000)}`;
  // Copied as files, for a third of the CPU time of a copy through the write-ahead log.
  await runOn(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: addressOf(serverUrl, name),
    drop: () => runOn(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** The name of the database that this schema is copied from. The first worker of the run that needs it makes it. */
async function templateOf(openSchema: OpenSchema, serverUrl: string): Promise<string> {
  if (!/^\w+$/.test(openSchema.name)) throw new Error('A template database needs a function that has a name.');
  const name = `template_${openSchema.name.toLowerCase()}`;
  const unfinished = `${name}_unfinished`;
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return name;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} strategy file_copy`);
    await (await openSchema(addressOf(serverUrl, unfinished), 1)).close();
    await client.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** An account of the run's nats-server for the caller alone: streams and subjects are invisible to other callers. */
export function testNats(): { readonly url: string } {
  const folder = RunFolder.ofThisRun();
  const { port, password } = folder.natsAddress();
  return { url: `nats://t${folder.takeNumber('nats-accounts', accountLimit)}:${password}@127.0.0.1:${port}` };
}

async function postgresUrlOf(folder: RunFolder): Promise<string> {
  folder.requestPostgres();
  const state = await waitFor(() => folder.postgresState(), { what: 'the test PostgreSQL to start' });
  if ('failure' in state) throw new Error(`The test PostgreSQL did not start.\n${state.failure}`);
  return state.url;
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
