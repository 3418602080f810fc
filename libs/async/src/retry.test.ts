import { expect, test } from '@jest/globals';
import { retry } from './retry.ts';
import { FakeClock } from './testing.ts';

const limits = { firstMs: 100, longestMs: 1_000, withinMs: 10_000 };

function failing(failures: number, error = new Error('no database')) {
  const clock = new FakeClock(0);
  const startedMs: number[] = [];
  const work = async (): Promise<string> => {
    startedMs.push(clock.now());
    if (startedMs.length <= failures) throw error;
    return 'done';
  };
  return { clock, startedMs, work };
}

/** Until the first failure waits for its next attempt. */
const asleep = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work is done again with backoff until it succeeds', async () => {
  const { clock, startedMs, work } = failing(3);
  const result = retry(work, { clock, ...limits });
  await asleep();
  await clock.advance(5_000);
  expect(await result).toBe('done');
  expect(startedMs).toEqual([0, 100, 300, 700]);
});

test('no attempt starts after the total time, and the last error is thrown', async () => {
  const { clock, startedMs, work } = failing(Infinity);
  const result = expect(retry(work, { clock, ...limits, withinMs: 500 })).rejects.toThrow('no database');
  await asleep();
  await clock.advance(5_000);
  await result;
  expect(startedMs).toEqual([0, 100, 300]);
});

test('a final error is thrown at once, and a requested time is waited for', async () => {
  const { clock, startedMs, work } = failing(1);
  await expect(retry(work, { clock, ...limits, requestedMsOf: () => null })).rejects.toThrow('no database');
  expect(startedMs).toEqual([0]);
  const requested = failing(1);
  const result = retry(requested.work, { clock: requested.clock, ...limits, requestedMsOf: () => 2_000 });
  await asleep();
  await requested.clock.advance(2_000);
  expect(await result).toBe('done');
  expect(requested.startedMs).toEqual([0, 2_000]);
});

test('an aborted signal ends the wait, and no attempt follows it', async () => {
  const { clock, startedMs, work } = failing(Infinity);
  const stop = new AbortController();
  const result = expect(retry(work, { clock, ...limits, signal: stop.signal })).rejects.toThrow('no database');
  await asleep();
  stop.abort(new Error('stop now'));
  await result;
  await expect(retry(work, { clock, ...limits, signal: stop.signal })).rejects.toThrow('no database');
  expect(startedMs).toEqual([0, 0]);
});
