import { afterEach, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { LeaseLost, QueueWorker } from './index.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
let worker: QueueWorker<string> | undefined;
afterEach(() => worker?.stop());

interface Started {
  readonly clock: FakeClock;
  readonly due: string[];
  readonly running: Map<string, { readonly signal: AbortSignal; readonly end: () => void }>;
  readonly logged: string[];
}

function start(extend?: (row: string) => Promise<void>, failures = 0, correctedByMs = 0): Started {
  const clock = new FakeClock();
  const started: Started = { clock, due: [], running: new Map(), logged: [] };
  let left = failures;
  worker = new QueueWorker<string>({
    clock,
    logger: { warn: (_fields, message) => void started.logged.push(message) },
    what: 'tasks',
    concurrency: 2,
    pollMs: 1_000,
    claim: async (free) => {
      clock.correct(correctedByMs);
      if ((left -= 1) >= 0) throw new Error('no database');
      return started.due.splice(0, free);
    },
    work: async (row, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve());
      started.running.set(row, { signal, end: resolve });
      await promise;
      started.running.delete(row);
    },
    ...(extend === undefined ? {} : { lease: { ms: 900, extend, factsOf: (row) => ({ row }) } }),
  }).start();
  return started;
}

test('at most the limit is in progress, and the end of one row claims the next', async () => {
  const { due, running } = start();
  due.push('a', 'b', 'c');
  worker?.notify();
  await settle();
  expect([...running.keys()]).toEqual(['a', 'b']);
  running.get('a')?.end();
  await settle();
  await settle();
  expect([...running.keys()]).toEqual(['b', 'c']);
});

test.each([3_600_000, -3_600_000])(
  'a clock that is corrected by %s ms during a claim delays no claim',
  async (byMs) => {
    const { clock, due, running } = start(undefined, 0, byMs);
    await settle();
    due.push('a');
    await clock.advance(1_000);
    expect([...running.keys()]).toEqual(['a']);
  },
);

test('a lease is extended while its row is in progress, and its loss aborts the work', async () => {
  const extended: string[] = [];
  let lost = false;
  const { clock, due, running, logged } = start(async (row) => {
    if (lost) throw new LeaseLost();
    extended.push(row);
    if (extended.length === 2) throw new Error('no database');
  });
  due.push('a');
  worker?.notify();
  await settle();
  for (let third = 0; third < 3; third += 1) await clock.advance(300);
  expect(extended).toEqual(['a', 'a', 'a']);
  expect(logged).toEqual(['A lease of tasks could not be extended; trying again.']);
  const signal = running.get('a')?.signal;
  lost = true;
  await clock.advance(300);
  expect(signal?.reason).toBeInstanceOf(LeaseLost);
});

test('stopping aborts what is in progress and claims no more', async () => {
  const { due, running } = start();
  due.push('a');
  worker?.notify();
  await settle();
  await worker?.stop();
  expect(running.size).toBe(0);
  due.push('b');
  worker?.notify();
  await settle();
  expect(due).toEqual(['b']);
});

test('claims that fail are repeated, and the first of a row is logged', async () => {
  const { clock, due, running, logged } = start(undefined, 3);
  due.push('a');
  await settle();
  for (let poll = 0; poll < 3; poll += 1) await clock.advance(1_000);
  expect([...running.keys()]).toEqual(['a']);
  expect(logged).toEqual(['Due tasks could not be read; trying again.']);
});

test.each([
  ['a claim is followed by the rest of the least time between two', 30, 100, [0, 100, 200, 300]],
  ['a claim that takes long is followed by a pause of the same length', 50, 60, [0, 100, 200, 300]],
  ['a cheap claim is followed by the next one', 20, 0, [0, 20, 40, 60]],
])('%s', async (_what, claimMs, restMs, expected) => {
  const beganMs: number[] = [];
  let nowMs = 0;
  const stopped = Promise.withResolvers<void>();
  const claiming: QueueWorker<string> = new QueueWorker<string>({
    clock: { now: () => nowMs, monotonic: () => nowMs, sleep: async (ms) => void (nowMs += ms) },
    logger: { warn: () => undefined },
    what: 'tasks',
    concurrency: 1,
    pollMs: 0,
    restMs,
    claim: async () => {
      if (beganMs.push(nowMs) === expected.length) stopped.resolve(claiming.stop());
      nowMs += claimMs;
      return [];
    },
    work: async () => undefined,
  }).start();
  await stopped.promise;
  expect(beganMs).toEqual(expected);
});

test('stopping waits for a claim that has begun, and for the work on its rows', async () => {
  const claimed = Promise.withResolvers<string[]>();
  const steps: string[] = [];
  worker = new QueueWorker<string>({
    clock: new FakeClock(),
    logger: { warn: () => undefined },
    what: 'tasks',
    concurrency: 1,
    pollMs: 1_000,
    claim: async () => await claimed.promise,
    work: async (row) => void steps.push(`worked on ${row}`),
  }).start();
  const stopping = worker.stop().then(() => steps.push('stopped'));
  await settle();
  claimed.resolve(['a']);
  await stopping;
  expect(steps).toEqual(['worked on a', 'stopped']);
});

test('a row is in progress until the extension of its lease has ended', async () => {
  const extended = Promise.withResolvers<void>();
  const { clock, due, running } = start(async () => await extended.promise);
  due.push('a');
  worker?.notify();
  await settle();
  await clock.advance(300);
  running.get('a')?.end();
  let isIdle = false;
  const idle = worker?.idle().then(() => (isIdle = true));
  await settle();
  expect(isIdle).toBe(false);
  extended.resolve();
  await idle;
});
