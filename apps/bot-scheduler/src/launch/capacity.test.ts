import { expect, test } from '@jest/globals';
import { readCapacity } from './capacity.ts';
import type { ObservedRun, StartObstacle } from './launcher.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const pending: ObservedRun = { name: 'run', botId: 'bot', attempt: 1, state: 'pending', exit: null, exitedAtMs: null };
const obstacle = { cause: 'unschedulable', message: '0/3 nodes are available.' } as const;

const read = (
  counts: { used: number; queued: number },
  runs: ObservedRun[] = [],
  perSecond = 20,
  refusal: StartObstacle | null = null,
) =>
  readCapacity({
    database: {
      query: async <T>() => [{ ...counts, oldest: counts.queued === 0 ? null : new Date(nowMs - 4_000) }] as T[],
    },
    launcher: { observe: async () => runs, pace: () => ({ perSecond, startLatencyMs: 3_000 }), refusal: () => refusal },
    maxConcurrentBots: 100,
    now: () => nowMs,
  });

test('states what is free, what waits, and when the next bot can expect to start', async () => {
  expect(await read({ used: 40, queued: 30 }, [pending])).toEqual({
    limit: 100,
    used: 40,
    free: 60,
    queued: 30,
    oldestQueuedSeconds: 4,
    pending: 1,
    unschedulable: 0,
    obstacles: [],
    launchesPerSecond: 20,
    startSeconds: 3,
    expectedPickupSeconds: 4.5,
  });
});

test('promises nothing when all places are taken or the cluster has no node', async () => {
  expect(await read({ used: 100, queued: 0 })).toMatchObject({ free: 0, expectedPickupSeconds: null });
  const blocked = await read({ used: 1, queued: 0 }, [{ ...pending, obstacle }]);
  expect(blocked).toMatchObject({ pending: 1, unschedulable: 1, expectedPickupSeconds: null });
});

test('states each obstacle with its runs, and names no bot', async () => {
  const message =
    'pods "bot-1a2b-1-x7k" is forbidden: exceeded quota: bots, requested: pods=1, used: pods=5, limited: pods=5';
  const refusal = { cause: 'quota-exceeded', message } as const;
  const blocked = { ...pending, obstacle };
  expect(await read({ used: 1, queued: 3 }, [pending, blocked, blocked], 20, refusal)).toMatchObject({
    unschedulable: 2,
    obstacles: [
      { cause: 'quota-exceeded', message: message.replace('bot-1a2b-1-x7k', 'bot-…'), runs: 0 },
      { ...obstacle, runs: 2 },
    ],
    expectedPickupSeconds: null,
  });
});

test('states each of several clusters', async () => {
  const pace = { perSecond: 20.04, startLatencyMs: null };
  const one = { name: 'one', weight: 2, drain: false, reachable: true, runs: 3, pending: 1, refusal: null };
  const launcher = {
    observe: async () => [],
    pace: () => pace,
    refusal: () => null,
    clusters: () => [{ ...one, pace }],
  };
  const database = { query: async <T>() => [{ used: 3, queued: 0, oldest: null }] as T[] };
  expect((await readCapacity({ database, launcher, maxConcurrentBots: 100, now: () => nowMs })).clusters).toEqual([
    { ...one, launchesPerSecond: 20, startSeconds: null },
  ]);
  expect(await read({ used: 0, queued: 0 })).not.toHaveProperty('clusters');
});

test('has no figure for a pace that nothing limits', async () => {
  expect(await read({ used: 0, queued: 0 }, [], Infinity)).toMatchObject({
    launchesPerSecond: null,
    oldestQueuedSeconds: null,
    expectedPickupSeconds: 3,
  });
});
