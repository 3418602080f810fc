import { expect, test } from '@jest/globals';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { keepSwept } from './sweeping.ts';

test('expired rows are removed at once and every minute until none is left, whatever went wrong before', async () => {
  const clock = new FakeClock();
  const responses = [100, 40, 0, 'no database', 7, 0] as const;
  let requested = 0;
  const sweeping = keepSwept({
    sweep: async () => {
      const response = responses[requested] ?? 0;
      requested += 1;
      if (typeof response === 'string') throw new Error(response);
      return response;
    },
    clock,
    logger: createLogger('test', 'silent'),
  });
  await clock.advance(0);
  expect(requested).toBe(3);
  await clock.advance(59_999);
  expect(requested).toBe(3);
  await clock.advance(1);
  expect(requested).toBe(4);
  await clock.advance(60_000);
  expect(requested).toBe(6);
  await sweeping.stop();
  await clock.advance(60_000);
  expect(requested).toBe(6);
});

test('a table that never empties is left to the next minute', async () => {
  const clock = new FakeClock();
  let requested = 0;
  const sweep = async () => (requested += 1);
  const sweeping = keepSwept({ sweep, clock, logger: createLogger('test', 'silent') });
  await clock.advance(0);
  expect(requested).toBe(20);
  await clock.advance(60_000);
  expect(requested).toBe(40);
  await sweeping.stop();
});
