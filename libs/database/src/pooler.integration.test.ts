import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { openDatabase } from './index.ts';

class CreateRows20261121000000 implements MigrationInterface {
  name = 'CreateRows20261121000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table rows (id integer primary key)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rows');
  }
}

let server: TestDatabase;
const poolers: Server[] = [];
beforeAll(async () => {
  server = await createTestDatabase();
});
afterAll(async () => {
  for (const pooler of poolers) pooler.close();
  await server.drop();
});

/**
 * Forwards everything but the startup parameters `options` and `search_path`, as PgBouncer does with
 * `ignore_startup_parameters`.
 */
async function startPooler(): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const pooler = createServer((near) => {
    const far = connect(Number(port), hostname);
    let started = false;
    near.on('data', (chunk: Buffer) => {
      far.write(started ? chunk : withoutOptions(chunk));
      started = true;
    });
    far.pipe(near);
    const end = (one: Socket, other: Socket) => {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    };
    end(near, far);
    end(far, near);
  });
  pooler.listen(0, '127.0.0.1');
  await new Promise((resolve) => pooler.once('listening', resolve));
  poolers.push(pooler);
  const url = new URL(server.url);
  url.hostname = '127.0.0.1';
  url.port = String((pooler.address() as AddressInfo).port);
  return url.href;
}

/** A startup packet: length, version, names and values, each ended by a zero byte, and one more. */
function withoutOptions(packet: Buffer): Buffer {
  const fields = packet.subarray(8, packet.readInt32BE(0)).toString('latin1').split('\0');
  let kept = '';
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    if (name !== '' && name !== 'options' && name !== 'search_path') kept += `${name}\0${fields[at + 1]}\0`;
  }
  const body = Buffer.from(`${kept}\0`, 'latin1');
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(8 + body.byteLength, 0);
  return Buffer.concat([head, body]);
}

const open = (url: string, schema: string) =>
  openDatabase({ url, schema, entities: [], migrations: [CreateRows20261121000000], applicationName: 'test' });

describe('through a pooler that drops startup parameters', () => {
  test('each service has its tables in its own schema, and statements end in time', async () => {
    const url = await startPooler();
    for (const schema of ['pooled_one', 'pooled_two']) {
      const database = await open(url, schema);
      const facts = await database.query(
        `select current_schema() as schema, current_setting('statement_timeout') as timeout, current_setting('jit') as jit,
           (select table_schema from information_schema.tables where table_name = 'rows' and table_schema = $1) as place`,
        [schema],
      );
      expect(facts).toEqual([{ schema, timeout: '30s', jit: 'off', place: schema }]);
      await database.close();
    }
    const plain = await open(server.url, 'pooled_one');
    expect(await plain.query("select from information_schema.tables where table_schema = 'public'")).toEqual([]);
    await plain.close();
  });
});

test('a default isolation of the role does not reach the transactions of a service', async () => {
  const first = await open(server.url, 'isolated');
  await first.query(`alter role current_user set default_transaction_isolation = 'serializable'`);
  try {
    const database = await open(server.url, 'isolated');
    const isolation = await database.transaction((transaction) => transaction.query('show transaction_isolation'));
    expect(isolation).toEqual([{ transaction_isolation: 'read committed' }]);
    await database.close();
  } finally {
    await first.query('alter role current_user reset default_transaction_isolation');
    await first.close();
  }
});
