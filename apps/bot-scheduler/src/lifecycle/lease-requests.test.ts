import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { LeaseRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { createRecordingWindow } from './recording-window.ts';
import { createRenewalBatches } from './lease-requests.ts';

interface Statement {
  readonly botIds: readonly string[];
  readonly atMs: number;
  commit(): void;
  fail(): void;
}

/** A database whose commits the test controls; every lease is held by its first run. */
function setUp(concurrency = 2) {
  const clock = new FakeClock();
  const window = createRecordingWindow(clock, 5_000);
  const statements: Statement[] = [];
  const locked = new Set<string>();
  const database: Executor = {
    query: <T>(_sql: string, parameters: readonly unknown[] = []) =>
      new Promise<T[]>((resolve, reject) => {
        const botIds = parameters[0] as string[];
        const rows = botIds.map((bot_id, index) => ({
          bot_id,
          attempt: (parameters[1] as number[])[index],
          fencing: (parameters[2] as number[])[index],
          valid: true,
          renewed: !locked.has(bot_id),
          applied: 4,
          leave: false,
          commands: null,
        }));
        const commit = () => resolve(rows as T[]);
        statements.push({ botIds, atMs: clock.now(), commit, fail: () => reject(new Error('away')) });
      }),
  };
  const batches = createRenewalBatches({
    database,
    clock,
    window,
    concurrency,
    logger: createLogger('test', 'silent'),
  });
  const request = (botId: string = randomUUID()): LeaseRequest => ({ botId, attempt: 1, fencing: 1, results: [] });
  return { clock, window, statements, locked, batches, request };
}

const reply = { held: true, appliedSequence: 4, leaveRequested: false, commands: [] };

describe('renewals', () => {
  test('of half a second are written in one statement and answered after its commit', async () => {
    const { clock, statements, batches, request } = setUp();
    const first = batches.renew(request());
    await clock.advance(0);
    const later = [request(), request(), request()].map((each) => batches.renew(each));
    await clock.advance(499);
    expect(statements.map(({ botIds }) => botIds.length)).toEqual([1]);
    await clock.advance(1);
    expect(statements.map(({ botIds }) => botIds.length)).toEqual([1, 3]);
    for (const { commit } of statements) commit();
    expect(await Promise.all([first, ...later])).toEqual([reply, reply, reply, reply]);
    await batches.stop();
  });

  test('of one lease are one row, however often its runner sends them', async () => {
    const { clock, statements, batches, request } = setUp();
    const botId = randomUUID();
    const both = [batches.renew(request(botId)), batches.renew(request(botId))];
    await clock.advance(0);
    expect(statements.map(({ botIds }) => botIds)).toEqual([[botId]]);
    statements[0]?.commit();
    expect(await Promise.all(both)).toEqual([reply, reply]);
    await batches.stop();
  });

  test('go on over the other connection while one statement hangs', async () => {
    const { clock, statements, batches, request } = setUp();
    const hanging = batches.renew(request());
    await clock.advance(0);
    const second = batches.renew(request());
    await clock.advance(500);
    const third = batches.renew(request());
    await clock.advance(10_000);
    expect(statements).toHaveLength(2);
    statements[1]?.commit();
    expect(await second).toEqual(reply);
    await clock.advance(0);
    await clock.advance(0);
    // It waited longer than its runner does.
    expect(await third).toBeNull();
    statements[0]?.fail();
    expect(await hanging).toBeNull();
    statements[2]?.commit();
    await batches.stop();
  });

  test('of a lease that another transaction is changing are tried again with the next batch', async () => {
    const { clock, statements, locked, batches, request } = setUp();
    const botId = randomUUID();
    locked.add(botId);
    const renewed = batches.renew(request(botId));
    await clock.advance(0);
    statements[0]?.commit();
    await clock.advance(500);
    locked.clear();
    await clock.advance(500);
    expect(statements).toHaveLength(2);
    statements[1]?.commit();
    await clock.advance(500);
    statements[2]?.commit();
    expect(await renewed).toEqual(reply);
    await batches.stop();
  });
});

test.each([3_600_000, -3_600_000])('a clock that is corrected by %s ms delays no renewal', async (byMs) => {
  const { clock, statements, batches, request } = setUp();
  const first = batches.renew(request());
  await clock.advance(0);
  statements[0]?.commit();
  expect(await first).toEqual(reply);
  clock.correct(byMs);
  const second = batches.renew(request());
  await clock.advance(500);
  statements[1]?.commit();
  expect(await second).toEqual(reply);
  await batches.stop();
});

test('stopping waits for the statement in progress', async () => {
  const { clock, statements, batches, request } = setUp();
  const renewed = batches.renew(request());
  await clock.advance(0);
  let isStopped = false;
  const stopping = batches.stop().then(() => (isStopped = true));
  await clock.advance(0);
  expect(isStopped).toBe(false);
  statements[0]?.commit();
  expect(await renewed).toEqual(reply);
  await stopping;
});

test('only what is committed counts as recorded, and a probe is enough', async () => {
  const { clock, window, statements, batches } = setUp();
  const failing = batches.probe();
  await clock.advance(0);
  statements[0]?.fail();
  expect(await failing).toBe(false);
  expect(window.beganMs()).toBe(clock.now());
  const probed = batches.probe();
  await clock.advance(500);
  const beganMs = clock.now();
  statements[1]?.commit();
  expect(await probed).toBe(true);
  await clock.advance(3_000);
  expect(window.beganMs()).toBe(beganMs);
  await batches.stop();
});
