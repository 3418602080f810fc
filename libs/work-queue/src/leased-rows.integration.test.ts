import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, sqlMigration } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { LeaseLost, leasedRows } from './index.ts';

interface Row {
  readonly id: string;
  readonly lease: string | null;
  readonly due: Date | null;
  readonly until: Date | null;
  readonly attempts: number;
}

const columns = `id uuid primary key default gen_random_uuid(), name text not null, due timestamptz, until timestamptz,
  lease uuid, attempts integer not null default 0`;
const Create = sqlMigration('CreateWork20261126000000', `create table work (${columns})`);
const work = { table: 'work', key: ['id'], due: 'due', lease: 'lease', attempts: 'attempts' } as const;
const at = new Date(Date.UTC(2026, 10, 26));
const after = (ms: number): Date => new Date(at.getTime() + ms);
let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  const { url } = server;
  database = await openDatabase({ url, schema: 'work', entities: [], migrations: [Create], applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});
beforeEach(() => database.query('delete from work'));

async function add(name: string, due: Date | null): Promise<string> {
  const [row] = await database.query<{ id: string }>('insert into work (name, due) values ($1, $2) returning id', [
    name,
    due,
  ]);
  return row?.id ?? '';
}

test('two workers share due rows; a row is due again when its lease ends', async () => {
  const rows = leasedRows<Row>(work);
  const ids = [await add('second', after(-1)), await add('first', after(-2))];
  await add('later', after(1));
  await add('never', null);
  const claim = { at, limit: 1, leaseMs: 1_000 };
  const claimed = await Promise.all([rows.claim(database, claim), rows.claim(database, claim)]);
  expect(claimed.flat().map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  expect(await rows.claim(database, { ...claim, limit: 10 })).toEqual([]);
  expect(await rows.claim(database, { at: after(1_000), limit: 10, leaseMs: 1_000 })).toHaveLength(3);
});

test('of due rows the longest due is claimed first', async () => {
  const rows = leasedRows<Row>(work);
  const second = await add('second', after(-1));
  const first = await add('first', after(-2));
  const claim = { at, limit: 1, leaseMs: 1_000 };
  const ids = [await rows.claim(database, claim), await rows.claim(database, claim)].flat().map(({ id }) => id);
  expect(ids).toEqual([first, second]);
});

test('only the holder extends and releases a lease', async () => {
  const rows = leasedRows<Row>(work);
  await add('one', at);
  const [held] = (await rows.claim(database, { at, limit: 1, leaseMs: 1_000 })) as [Row];
  await rows.extend(database, held, { at: after(900), leaseMs: 1_000 });
  expect(await rows.claim(database, { at: after(1_800), limit: 1, leaseMs: 1_000 })).toEqual([]);
  const [other] = (await rows.claim(database, { at: after(1_900), limit: 1, leaseMs: 1_000 })) as [Row];
  expect(other).toMatchObject({ id: held.id, attempts: 2 });
  await expect(rows.extend(database, held, { at: after(2_000), leaseMs: 1_000 })).rejects.toThrow(LeaseLost);
  expect(await rows.release(database, held, { set: { attempts: 9 } })).toBe(false);
  expect(await rows.release(database, other, { at: after(2_000), dueInMs: 500, set: { attempts: 0 } })).toBe(true);
  expect(await database.query('select due, lease, attempts from work')).toEqual([
    { due: after(2_500), lease: null, attempts: 0 },
  ]);
});

test.each([
  ['id of its lease', work],
  ['count', { ...work, lease: undefined }],
])('a claim that has ended settles nothing: it is known by the %s', async (_what, { lease, ...table }) => {
  const rows = leasedRows<Row>({ ...table, ...(lease === undefined ? {} : { lease }) });
  await add('one', at);
  const [stale] = (await rows.claim(database, { at, limit: 1, leaseMs: 1_000 })) as [Row];
  const [held] = (await rows.claim(database, { at: after(1_000), limit: 1, leaseMs: 1_000 })) as [Row];
  expect(await rows.remove(database, stale)).toBe(false);
  expect(await rows.release(database, stale, { set: { name: 'stale' } })).toBe(false);
  await expect(rows.extend(database, stale, { at: after(1_100), leaseMs: 1_000 })).rejects.toThrow(LeaseLost);
  expect(await rows.release(database, held, { set: { name: 'settled' } })).toBe(true);
  expect(await database.query('select name from work')).toEqual([{ name: 'settled' }]);
  const [next] = (await rows.claim(database, { at: after(2_000), limit: 1, leaseMs: 1_000 })) as [Row];
  expect(await rows.remove(database, next)).toBe(true);
  expect(await database.query('select name from work')).toEqual([]);
});

test('a lease with a column of its own leaves the due time to others', async () => {
  const rows = leasedRows<Row>({ ...work, until: 'until' });
  await add('calendar', at);
  const [held] = (await rows.claim(database, { at, limit: 1, leaseMs: 1_000, set: { due: after(60_000) } })) as [Row];
  await database.query('update work set due = $1', [after(10)]);
  expect(await rows.claim(database, { at: after(999), limit: 1, leaseMs: 1_000 })).toEqual([]);
  await rows.release(database, held);
  expect(await rows.claim(database, { at: after(999), limit: 1, leaseMs: 1_000 })).toHaveLength(1);
});

test('the lease doubles with each claim up to the longest, and only named rows are claimed', async () => {
  const rows = leasedRows<Row>({ ...work, where: `name <> 'done'` });
  await add('done', at);
  await add('other', at);
  const id = await add('retried', at);
  let now = at;
  const pauses: number[] = [];
  for (let claim = 0; claim < 4; claim += 1) {
    const leaseMs = { firstMs: 100, longestMs: 300 };
    const [row] = (await rows.claim(database, { at: now, limit: 5, leaseMs, only: [id] })) as [Row];
    pauses.push((row.due?.getTime() ?? 0) - now.getTime());
    now = row.due ?? now;
  }
  expect(pauses).toEqual([100, 200, 300, 300]);
});
