import pg from 'pg';
import { RunFolder } from './run-folder.ts';
import { accountLimit } from './test-servers.ts';
import { waitFor } from './waiting.ts';

export interface TestDatabase {
  /** postgres:// address with user and password. */
  readonly url: string;
  /** Ends every connection to it and deletes it. Safe twice. Left alone, it goes with the run. */
  drop(): Promise<void>;
}

/** A fresh, empty database on the run's PostgreSQL, which starts at the first call of the run (half a second). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = RunFolder.ofThisRun();
  const serverUrl = await postgresUrlOf(folder);
  const name = `test_${folder.takeNumber('databases', 10_000)}`;
  await runOn(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** An account of the run's nats-server for the caller alone: nobody else sees its streams and subjects. */
export function testNats(): { readonly url: string } {
  const folder = RunFolder.ofThisRun();
  const { port, password } = folder.natsAddress();
  return { url: `nats://t${folder.takeNumber('nats-accounts', accountLimit)}:${password}@127.0.0.1:${port}` };
}

async function postgresUrlOf(folder: RunFolder): Promise<string> {
  folder.requestPostgres();
  const state = await waitFor(() => folder.postgresState(), {
    what: 'the test PostgreSQL to start',
    timeoutMs: 60_000,
  });
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
