import { beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { findDelayReason } from '../lifecycle/bots.store.ts';
import { claimRuns } from './runs.store.ts';
import type { ObservedRun, StartObstacle } from './launcher.ts';
import { reportDelays } from './report-delays.ts';

let database: Database;
let clock: FakeClock;
let reported: {
  readonly botId: string;
  readonly code: string;
  readonly expected: unknown;
  readonly reason?: string;
}[] = [];
/** Null: they cannot be listed. */
let runs: ObservedRun[] | null = [];
let refusal: StartObstacle | null = null;

useBotsDatabase((opened) => void (database = opened));
beforeEach(async () => {
  await database.query(`update leases set state = 'lost'`);
  await database.query(`update bots set wants_run = null, due_at = '2100-01-01'`);
  clock = new FakeClock(Date.now());
  reported = [];
  runs = [];
  refusal = null;
});

interface ReportedStatus {
  readonly code: string;
  readonly expected_pickup_at?: string;
  readonly delay_reason?: string;
}

const silent = { add: async () => undefined, notify: () => undefined };
const events = {
  add: async (_transaction: unknown, _type: unknown, data: unknown) => {
    const { botId, status } = data as { botId: string; status: ReportedStatus };
    const { code, expected_pickup_at: at, delay_reason: reason } = status;
    const expected = at === undefined ? null : (Date.parse(at) - clock.now()) / 1_000;
    reported.push({ botId, code, expected, ...(reason === undefined ? {} : { reason }) });
  },
  notify: () => undefined,
};

async function admit(): Promise<string> {
  const botId = await admitDirectly({ database, events: silent, now: () => clock.now() }, await addTeam(database));
  await clock.advance(1_000);
  return botId;
}

async function report(maxConcurrentBots: number): Promise<void> {
  const launcher = {
    observe: async () => runs ?? Promise.reject(new Error('The Jobs of bots could not be listed yet.')),
    pace: () => ({ perSecond: 2, startLatencyMs: 4_000 }),
    refusal: () => refusal,
  };
  const settings = { maxConcurrentBots, pickupDelayedAfterMs: 30_000 };
  const logger = createLogger('test', 'silent');
  await reportDelays({ database, events: events as never, launcher, clock, logger, settings });
}

const delayed = (botId: string, expected: number | null, reason?: string) => ({
  botId,
  code: 'pickup_delayed',
  expected,
  ...(reason === undefined ? {} : { reason }),
});

test('a bot that waits too long is reported once, with the time at which it can be expected to start', async () => {
  const bots = [await admit(), await admit(), await admit()];
  await report(10);
  expect(reported).toEqual([]);
  await clock.advance(40_000);
  await report(10);
  await report(10);
  expect(reported).toEqual(bots.map((botId, index) => delayed(botId, 4 + index / 2)));
});

test('no estimate is made for bots that start only when another one ends', async () => {
  const [first, second] = [await admit(), await admit()];
  await clock.advance(40_000);
  await report(1);
  expect(reported).toEqual([delayed(first, 4), delayed(second, null, 'at_capacity')]);
});

test('no estimate is made while the cluster has no node', async () => {
  const botId = await admit();
  const message = '0/3 nodes are available: 3 Insufficient memory.';
  const obstacle = { cause: 'unschedulable', message } as const;
  const run = { name: 'run', botId, attempt: 1, state: 'pending', exit: null, exitedAtMs: null, obstacle } as const;
  await claimRuns(database, { limit: 10, ticketTtlMs: 60_000, at: new Date(clock.now()) });
  runs = [run];
  const queued = await admit();
  await clock.advance(40_000);
  await report(10);
  expect(reported).toEqual([delayed(botId, null, 'no_machine'), delayed(queued, null, 'no_machine')]);
});

test('bots that are launched or wait while the API server is away show that, and no time is expected', async () => {
  const launched = await admit();
  await claimRuns(database, { limit: 10, ticketTtlMs: 60_000, at: new Date(clock.now()) });
  const queued = await admit();
  refusal = { cause: 'api-unavailable', message: 'connect ECONNREFUSED 10.0.0.1:443' };
  await clock.advance(40_000);
  await report(10);
  expect(reported).toEqual([launched, queued].map((botId) => delayed(botId, null, 'cluster_unavailable')));
});

test('while runs cannot be listed the reason is shown too', async () => {
  const botId = await admit();
  refusal = { cause: 'api-refused', message: 'jobs.batch is forbidden' };
  runs = null;
  await clock.advance(40_000);
  await report(10);
  expect(reported).toEqual([delayed(botId, null, 'refused_by_cluster')]);
});

test('a bot whose launches the cluster refuses shows the reason, in its status as well', async () => {
  const botId = await admit();
  refusal = { cause: 'quota-exceeded', message: 'exceeded quota: bots' };
  await clock.advance(40_000);
  await report(10);
  expect(reported).toEqual([delayed(botId, null, 'quota_exceeded')]);
  expect(await findDelayReason(database, botId, 'pickup_delayed')).toBe('quota_exceeded');
});
