import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { EntitySchema } from 'typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { afterCommit, baseline, isUniqueViolation, openDatabase, prepared } from './index.ts';
import type { Database } from './index.ts';

class CreateThings20261121000000 implements MigrationInterface {
  name = 'CreateThings20261121000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table things (id integer primary key, name text not null)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table things');
  }
}
interface Thing {
  id: number;
  name: string;
}
const things = new EntitySchema<Thing>({
  name: 'things',
  columns: { id: { type: Number, primary: true }, name: { type: 'text' } },
});

let server: TestDatabase;
const functionsSql = (result: number): string =>
  `create or replace function answer() returns integer language sql as 'select ${result}';`;
const open = (migrations = [CreateThings20261121000000], entities = [things], functions = ''): Promise<Database> =>
  openDatabase({
    ...(functions === '' ? {} : { functions }),
    url: server.url,
    schema: 'things_owner',
    entities,
    migrations,
    applicationName: 'test',
    poolSize: 4,
  });

beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(() => server.drop());

describe('opening a schema', () => {
  test('waits for a PostgreSQL that cannot be reached yet', async () => {
    const { hostname, port } = new URL(server.url);
    let connections = 0;
    const gate = createServer((near) => {
      connections += 1;
      near.on('error', () => undefined);
      if (connections < 3) near.destroy();
      else
        near
          .pipe(connect(Number(port), hostname))
          .on('error', () => undefined)
          .pipe(near);
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = new URL(server.url);
    url.port = String((gate.address() as AddressInfo).port);
    try {
      const options = { url: url.href, schema: 'late_owner', entities: [], migrations: [], applicationName: 'test' };
      const database = await openDatabase(options);
      await database.ping();
      await database.close();
      expect(connections).toBeGreaterThan(2);
    } finally {
      gate.close();
    }
  }, 60_000);

  test('three instances at once migrate it exactly once', async () => {
    const opened = await Promise.all([open(), open(), open()]);
    const rows = await (opened[0] as Database).query<{ count: string }>('select count(*) from migrations');
    expect(rows).toEqual([{ count: '1' }]);
    await Promise.all(opened.map((database) => database.close()));
  });

  test('refuses a schema that a newer build has migrated', async () => {
    await (await open()).close();
    await expect(open([])).rejects.toThrow('was migrated by a newer build (CreateThings20261121000000)');
  });

  test('applies functions again when their text has changed, once for all instances, and only then', async () => {
    const openWith = (result: number): Promise<Database> =>
      open([CreateThings20261121000000], [things], functionsSql(result));
    const call = async (database: Database): Promise<unknown> => {
      const [row] = await database.query<{ answer: number }>('select answer()');
      await database.close();
      return row?.answer;
    };
    expect(await Promise.all([openWith(1), openWith(1)].map(async (opened) => call(await opened)))).toEqual([1, 1]);
    expect(await call(await openWith(2))).toBe(2);
    const changed = await openWith(2);
    await changed.query(functionsSql(3));
    await changed.close();
    expect(await call(await openWith(2))).toBe(3);
    await expect(open([CreateThings20261121000000], [things], 'create or replace nonsense')).rejects.toThrow(
      'nonsense',
    );
    expect(await call(await openWith(4))).toBe(4);
  });

  test('makes what the entities describe, then the statements of the baseline', async () => {
    const own = await createTestDatabase();
    const seed = `insert into things (id, name) values (1, 'first')`;
    const migrations = [baseline('CreateThings20261121000000', seed)];
    const options = { url: own.url, schema: 'things_owner', entities: [things], migrations, applicationName: 'test' };
    for (let start = 1; start <= 2; start += 1) {
      const database = await openDatabase(options);
      expect(await database.query('select id, name from things')).toEqual([{ id: 1, name: 'first' }]);
      await expect(database.query(`insert into things (id, name) values (1, 'again')`)).rejects.toThrow(
        'duplicate key',
      );
      await database.close();
    }
    await own.drop();
  });
});

describe('a transaction', () => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test('commits what its work did and gives rows for returning clauses', async () => {
    const rows = await database.transaction(async (transaction) => {
      await transaction.query('insert into things values (1, $1)', ['one']);
      return transaction.query<Thing>('update things set name = $1 where id = 1 returning *', ['uno']);
    });
    expect(rows).toEqual([{ id: 1, name: 'uno' }]);
    expect(await database.query('delete from things returning id')).toEqual([{ id: 1 }]);
  });

  test('leaves nothing behind when its work throws, and distinguishes a lost race from a broken query', async () => {
    await database.query(`insert into things values (2, 'two')`);
    const work = database.transaction(async (transaction) => {
      await transaction.query(`insert into things values (3, 'three')`);
      await transaction.query(`insert into things values (2, 'again')`);
    });
    const error = await work.catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'some_other_key')).toBe(false);
    expect(await database.query('select id from things order by id')).toEqual([{ id: 2 }]);
    expect(isUniqueViolation(await database.query('select broken').catch((thrown: unknown) => thrown))).toBe(false);
  });
});

describe('a listener for the commit', () => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test('is called after the commit, not when the work throws, and cannot undo the work', async () => {
    const called: string[] = [];
    await database.transaction(async (transaction) => {
      await transaction.query(`insert into things values (10, 'ten')`);
      afterCommit(transaction, () => {
        called.push('committed');
        throw new Error('of the listener');
      });
      expect(called).toEqual([]);
    });
    expect(called).toEqual(['committed']);
    expect(await database.query('delete from things where id = 10 returning id')).toEqual([{ id: 10 }]);
    const failed = database.transaction(async (transaction) => {
      afterCommit(transaction, () => void called.push('rolled back'));
      throw new Error('of the work');
    });
    await expect(failed).rejects.toThrow('of the work');
    afterCommit(database, () => void called.push('at once'));
    expect(called).toEqual(['committed', 'at once']);
  });
});

describe('a PostgreSQL that goes away', () => {
  test('is UNAVAILABLE, for the statement in progress and for the next one', async () => {
    const own = await createTestDatabase();
    const database = await openDatabase({
      url: own.url,
      schema: 'gone',
      entities: [],
      migrations: [],
      applicationName: 'test',
    });
    const inProgress = database.query('select pg_sleep(30)').catch((error: unknown) => error);
    await waitFor(
      async () =>
        (
          await database.query(
            `select 1 from pg_stat_activity where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`,
          )
        ).length > 0,
      {
        what: 'the statement to run',
      },
    );
    await own.drop();
    expect(await inProgress).toMatchObject({ code: 'UNAVAILABLE', statusCode: 503 });
    const refused = await database
      .transaction((transaction) => transaction.query('select 1'))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    await database.close();
  });
});

describe('an error of PostgreSQL', () => {
  let database: Database;
  const pid = async (): Promise<unknown> => (await database.query('select pg_backend_pid() as pid'))[0];
  beforeAll(async () => {
    const own = { url: server.url, schema: 'errors_owner', entities: [], migrations: [], applicationName: 'test' };
    database = await openDatabase({ ...own, poolSize: 1 });
  });
  afterAll(() => database.close());

  test.each(['25006', '25P03', '08006', '08P01', '53100', '53200', '57P01', '57P03', '58030'])(
    'of code %s is UNAVAILABLE, and the next statement gets another connection',
    async (code) => {
      const before = await pid();
      const failing = `do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`;
      const unavailable = { code: 'UNAVAILABLE', statusCode: 503 };
      await expect(database.query(failing)).rejects.toMatchObject(unavailable);
      const between = await pid();
      expect(between).not.toEqual(before);
      const work = database.transaction((transaction) => transaction.query(failing));
      await expect(work).rejects.toMatchObject(unavailable);
      expect(await pid()).not.toEqual(between);
    },
  );

  test.each(['23505', '40001', '57014', '22P02', '55P03'])('of code %s leaves its connection', async (code) => {
    const before = await pid();
    const failing = `do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`;
    await expect(database.query(failing)).rejects.toMatchObject({ driverError: { code } });
    expect(await pid()).toEqual(before);
  });

  test('at the commit is UNAVAILABLE, too', async () => {
    await database.query('create table late (id integer)');
    await database.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'made up' using errcode = '53200'; end $$`);
    await database.query(`create constraint trigger refusing after insert on late deferrable initially deferred
      for each row execute function refuse()`);
    const work = database.transaction((transaction) => transaction.query('insert into late values (1)'));
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

test('a connection whose server has become read-only fails one ping and one statement, and is replaced', async () => {
  const database = await open();
  const demote = () => database.query('set session characteristics as transaction read only');
  try {
    await demote();
    await expect(database.ping()).rejects.toThrow('The server takes no writes.');
    await expect(database.ping()).resolves.toBeUndefined();
    await demote();
    const write = () => database.query(`insert into things values (77, 'written')`);
    await expect(write()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(write()).resolves.toEqual([]);
  } finally {
    await database.close();
  }
});

test('a statement waits for a connection while all of the pool are used, longer than for one to be opened', async () => {
  const database = await open();
  const used = Array.from({ length: 4 }, () => database.query('select pg_sleep(3)'));
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all(used);
  await database.close();
});

test('a prepared statement is parsed once for each connection, another one each time', async () => {
  const database = await open();
  const sql = prepared('select $1::int + 1 as next');
  await database.transaction(async (transaction) => {
    for (const number of [1, 2]) expect(await transaction.query(sql, [number])).toEqual([{ next: number + 1 }]);
    await transaction.query('select $1::int + 2 as next', [1]);
    const statements = await transaction.query(
      'select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements',
    );
    expect(statements).toEqual([{ statement: sql, runs: 2 }]);
  });
  await database.close();
});
