import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, startOwnNats, testNats, waitFor } from './index.ts';
import type { TestDatabase } from './index.ts';

describe('the test kit', () => {
  test('gives every caller a database of its own and removes it on request', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    const client = new pg.Client(one.url);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table only_here (id int)');
    const elsewhere = new pg.Client(other.url);
    await elsewhere.connect();
    await expect(elsewhere.query('select * from only_here')).rejects.toThrow(/does not exist/);
    await elsewhere.end();
    await one.drop();
    await one.drop();
    await other.drop();
    await expect(new pg.Client(one.url).connect()).rejects.toThrow(/does not exist/);
  });

  test('copies a database whose schema is made once, whichever callers come first', async () => {
    let made = 0;
    const openThings = async (url: string) => {
      made += 1;
      await query(url, 'create table things (id int)');
      return { close: async () => undefined };
    };
    const copies = await Promise.all([1, 2, 3].map(() => createTestDatabase(openThings)));
    const [first, second] = copies as [TestDatabase, TestDatabase];
    await query(first.url, 'insert into things values (1)');
    expect(await query(first.url, 'select id from things')).toEqual([{ id: 1 }]);
    expect(await query(second.url, 'select id from things')).toEqual([]);
    expect(made).toBe(1);
    await Promise.all(copies.map((copy) => copy.drop()));
  });

  test('makes the schema again when making it failed', async () => {
    const failures = [new Error('no disk')];
    const openLater = async (url: string) => {
      await query(url, 'create table things (id int)');
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return { close: async () => undefined };
    };
    await expect(createTestDatabase(openLater)).rejects.toThrow('no disk');
    const database = await createTestDatabase(openLater);
    expect(await query(database.url, 'select from things')).toEqual([]);
    await database.drop();
  });

  test('gives every caller a NATS account of its own', async () => {
    const [one, other] = [testNats(), testNats()];
    expect(one.url).toMatch(/^nats:\/\/t\d+:/);
    expect(one.url).not.toBe(other.url);
  });

  test('a NATS server of its own comes back on the same port after losing everything', async () => {
    const server = await startOwnNats();
    await server.crash({ wipeStore: true });
    await expect(serverInfoOf(server.url)).rejects.toThrow(/ECONNREFUSED/);
    await server.restart();
    await expect(serverInfoOf(server.url)).resolves.toMatch(/^INFO .*"jetstream":true/);
    await server.remove();
    await server.remove();
    await expect(serverInfoOf(server.url)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('waiting gives the value found, and names what did not come and why', async () => {
    let polls = 0;
    await expect(waitFor(() => ++polls === 3 && 'third', { what: 'three polls' })).resolves.toBe('third');
    const never = waitFor(() => Promise.reject(new Error('not yet')), { what: 'a miracle', timeoutMs: 30 });
    await expect(never).rejects.toThrow('Waited 30 ms for a miracle.');
    await expect(never).rejects.toMatchObject({ cause: new Error('not yet') });
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverInfoOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('data', (chunk: Buffer) => {
      socket.destroy();
      resolve(String(chunk));
    });
    socket.once('error', reject);
  });
}
