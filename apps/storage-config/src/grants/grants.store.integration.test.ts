import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { FakeClock } from '@rapporteur/async/testing';
import { createTestDatabase, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { openStorageSchema } from '../schema/open-schema.ts';
import { createGrants } from './grants.store.ts';
import type { Grants } from './grants.store.ts';

const teamId = randomUUID();
const poolSize = 2;
let testDatabase: TestDatabase;
let database: Database;
let clock: FakeClock;
let statements: number;
let grants: Grants;
/** Another instance of the service. */
let other: Grants;
let botId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase(openStorageSchema);
  database = await openStorageSchema(testDatabase.url, poolSize);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  clock = new FakeClock();
  statements = 0;
  const counted: Database = {
    ...database,
    query: (sql, parameters) => {
      statements += 1;
      return database.query(sql, parameters);
    },
  };
  grants = createGrants({ database: counted, clock });
  other = createGrants({ database, clock });
  botId = randomUUID();
  await open(grants, 1);
  statements = 0;
});

const open = (by: Grants, fencing: number) =>
  by.open({ botId, teamId, fencing, expiresAt: '2030-01-01T00:00:00.000Z' });
const published = async () => undefined;
const rejected = expect.objectContaining({ code: 'GRANT_REJECTED' });

test('a write that waits for the object store holds no connection', async () => {
  const stored = Promise.withResolvers<void>();
  let begun = 0;
  const writes = Array.from({ length: 10 * poolSize }, () =>
    grants.whileCurrent({ botId, fencing: 1 }, () => {
      begun += 1;
      return stored.promise;
    }),
  );
  await waitFor(() => begun === writes.length, { what: 'every write to reach the store' });
  expect(
    await database.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    ),
  ).toEqual([]);
  stored.resolve();
  await Promise.all(writes);
});

test('the writes of four seconds read the database once, and a final one always does', async () => {
  const grant = { botId, fencing: 1 };
  for (let write = 0; write < 8; write += 1) {
    await grants.assertCurrent(grant);
    await grants.whileCurrent(grant, published);
    await clock.advance(499);
  }
  expect(statements).toBe(1);
  await clock.advance(8);
  await grants.whileCurrent(grant, published);
  expect(statements).toBe(2);
  await grants.whileCurrent(grant, published, { strict: true });
  expect(statements).toBe(3);
});

test('a newer runner fences the older one off at once here, and within four seconds through other instances', async () => {
  const grant = { botId, fencing: 1 };
  await Promise.all([grants.assertCurrent(grant), other.assertCurrent(grant)]);
  await open(grants, 2);
  await expect(grants.whileCurrent(grant, published)).rejects.toEqual(rejected);
  await expect(other.whileCurrent(grant, published, { strict: true })).rejects.toEqual(rejected);
  await clock.advance(4_000);
  await expect(other.whileCurrent(grant, published)).rejects.toEqual(rejected);
  await grants.whileCurrent({ botId, fencing: 2 }, published);
});

test('a newer runner fences the older one off within four seconds, also when the time of day is set back meanwhile', async () => {
  const grant = { botId, fencing: 1 };
  await other.assertCurrent(grant);
  await open(grants, 2);
  clock.correct(-60_000);
  await clock.advance(4_000);
  await expect(other.whileCurrent(grant, published)).rejects.toEqual(rejected);
});

test('a newer grant is given once what the older runner is publishing here is published', async () => {
  const stored = Promise.withResolvers<void>();
  let begun = false;
  const write = grants.whileCurrent({ botId, fencing: 1 }, () => {
    begun = true;
    return stored.promise;
  });
  await waitFor(() => begun, { what: 'the write to reach the store' });
  let given = false;
  const newer = open(grants, 2).then(() => (given = true));
  await waitFor(
    async () => (await database.query('select from bot_storage where fencing = 2 and bot_id = $1', [botId])).length > 0,
    {
      what: 'the newer number to be written',
    },
  );
  expect(given).toBe(false);
  stored.resolve();
  await Promise.all([write, newer]);
  expect(given).toBe(true);
});
