import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { limitConnections, openDatabase } from './index.ts';
import type { Database } from './index.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  const none = { entities: [], migrations: [] };
  database = await openDatabase({
    ...none,
    url: server.url,
    schema: 'limited',
    applicationName: 'test',
    poolSize: 3,
  });
}, 60_000);
afterAll(async () => {
  await database.close();
  await server.drop();
});

test('background work that waits for a lock leaves connections of the pool to requests, and all of it is done afterwards', async () => {
  const background = limitConnections(database, 2);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const holder = background.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock(7)');
    held();
    await released;
  });
  await isHeld;
  const done: number[] = [];
  const waiters = Array.from({ length: 10 }, (_, at) =>
    background.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock(7)');
      done.push(at);
    }),
  );
  const failing = background.query('select 1 / 0').catch((error: Error) => error.message);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(done).toEqual([]);
  release();
  await Promise.all([holder, ...waiters]);
  expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await failing).toBe('division by zero');
  expect(await background.query('select 2 as two')).toEqual([{ two: 2 }]);
});
