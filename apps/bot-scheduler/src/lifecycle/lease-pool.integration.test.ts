import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { waitFor } from '@rapporteur/testbed';
import { createBody } from '../testing/create-body.ts';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

const poolSize = 3;
let scheduler: TestScheduler;
let bus: Bus;
beforeAll(async () => {
  scheduler = await startTestScheduler({ settings: { DATABASE_POOL_SIZE: String(poolSize) } });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  bus = await connectBus({ url: scheduler.busUrl, name: 'runner', logger });
});
afterAll(async () => {
  await bus.close();
  await scheduler.stop();
});

test('leases get a response while every other connection waits for a lock', async () => {
  const { database, sendRequest } = scheduler;
  const teamId = await addTeam(database);
  const join_at = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await sendRequest('POST', '/internal/v2/bots/scheduled', teamId, createBody({ join_at }));
  const path = `/internal/v2/bots/scheduled/${String(body.data['bot_id'])}`;
  const changes = await database.transaction(async (transaction) => {
    await transaction.query('select from scheduled_bots for update');
    const waiting = Array.from({ length: poolSize }, () => sendRequest('PATCH', path, teamId, { bot_name: 'Renamed' }));
    const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const allBlocked = async () => (await database.query(blocked)).length === poolSize;
    await waitFor(allBlocked, { what: 'all connections to wait for the lock' });
    const botId = randomUUID();
    const request = { botId, attempt: 1, fencing: 1, results: [] };
    expect(await bus.request(runnerSubjects.lease(botId), request, { timeoutMs: 20_000 })).toMatchObject({
      held: false,
    });
    return waiting;
  });
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
});
