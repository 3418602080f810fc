import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { environmentNames } from './test-servers.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh, empty database on the run's PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = address(environmentNames.databaseUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runOn(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOn(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** The run's nats-server, without accounts. */
export function testNats(): { readonly url: string } {
  return { url: address(environmentNames.natsUrl) };
}

function address(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('The test servers are not there: run tests through npm test or the root jest.config.mjs.');
  return value;
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
