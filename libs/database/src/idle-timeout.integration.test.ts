import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { openDatabase } from './index.ts';
import type { Database } from './index.ts';

const statementTimeoutMs = 700;
const idleGraceMs = 500;
const limitMs = statementTimeoutMs + idleGraceMs;
/** Tolerance for a busy machine. */
const slackMs = 4_000;

let server: TestDatabase;
let network: Network;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  network = await startNetwork(new URL(server.url));
  database = await openDatabase({
    url: network.url,
    schema: 'silent',
    entities: [],
    migrations: [],
    applicationName: 'test',
    poolSize: 2,
    statementTimeoutMs,
    idleGraceMs,
  });
});
beforeEach(() => bothConnections('select 1'));
afterEach(() => network.heal());
afterAll(async () => {
  await network.stop();
  await database.close();
  await server.drop();
});

/** Uses both connections of the pool; returns each outcome, and the total duration. */
async function bothConnections(sql: string): Promise<{ outcomes: unknown[]; tookMs: number }> {
  const begunMs = Date.now();
  const run = () => database.query(sql).catch((error: unknown) => error);
  const outcomes = await Promise.all([run(), run()]);
  return { outcomes, tookMs: Date.now() - begunMs };
}

const unavailable = expect.objectContaining({ code: 'UNAVAILABLE', statusCode: 503 });

describe('a network that swallows everything and closes nothing', () => {
  test('ends the statements in progress within the limit, and the pool is whole once it passes things on again', async () => {
    network.stopResponding();
    const { outcomes, tookMs } = await bothConnections('select pg_sleep(0.1)');
    expect(outcomes).toEqual([unavailable, unavailable]);
    expect(tookMs).toBeLessThan(limitMs + slackMs);
    network.heal();
    expect((await bothConnections('select 7 as seven')).outcomes).toEqual([[{ seven: 7 }], [{ seven: 7 }]]);
  }, 20_000);

  test('ends a statement whose answer breaks off in the middle', async () => {
    network.stopResponding(200_000);
    const { outcomes } = await bothConnections(`select repeat('x', 5000000)`);
    expect(outcomes).toEqual([unavailable, unavailable]);
    network.heal();
    expect((await bothConnections('select 7 as seven')).outcomes).toEqual([[{ seven: 7 }], [{ seven: 7 }]]);
  }, 20_000);

  test('ends a transaction within the limit', async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.query('select 1');
      network.stopResponding();
      await transaction.query('select 2');
    });
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }, 20_000);
});

describe('a connection that is silent for good reasons', () => {
  test('stays in a transaction that does something else for longer than the limit', async () => {
    const seen = await database.transaction(async (transaction) => {
      const [before] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      // The silence is under test.
      await sleep(limitMs + 300);
      const [after] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      return { before, after };
    });
    expect(seen.after).toEqual(seen.before);
  });

  test('waits for PostgreSQL to end a statement by itself', async () => {
    await expect(database.query('select pg_sleep(5)')).rejects.toMatchObject({ driverError: { code: '57014' } });
  });
});

interface Network {
  /** The same database through this network. */
  readonly url: string;
  /** Drops everything once PostgreSQL has sent this many bytes; no connection closes. */
  stopResponding(afterBytes?: number): void;
  heal(): void;
  stop(): Promise<void>;
}

async function startNetwork(target: URL): Promise<Network> {
  let bytesLeft = Infinity;
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket, countBytes: (chunk: Buffer) => void): void => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (bytesLeft <= 0) return;
      to.write(chunk);
      countBytes(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const gate = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    join(near, far, () => undefined);
    join(far, near, (chunk) => (bytesLeft -= chunk.byteLength));
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const url = new URL(target);
  url.port = String((gate.address() as AddressInfo).port);
  return {
    url: url.href,
    stopResponding: (afterBytes = 0) => (bytesLeft = afterBytes),
    heal: () => (bytesLeft = Infinity),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, 'close');
    },
  };
}
