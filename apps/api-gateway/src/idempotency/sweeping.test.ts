import { expect, test } from '@jest/globals';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { keepSwept } from './sweeping.ts';

test('expired rows are removed at once and every minute until none is left, whatever went wrong before', async () => {
  const clock = new FakeClock();
  const answers = [100, 40, 0, 'no database', 7, 0] as const;
  let asked = 0;
  const sweeping = keepSwept({
    sweep: async () => {
      const answer = answers[asked] ?? 0;
      asked += 1;
      if (typeof answer === 'string') throw new Error(answer);
      return answer;
    },
    clock,
    logger: createLogger('test', 'silent'),
  });
  await clock.advance(0);
  expect(asked).toBe(3);
  await clock.advance(59_999);
  expect(asked).toBe(3);
  await clock.advance(1);
  expect(asked).toBe(4);
  await clock.advance(60_000);
  expect(asked).toBe(6);
  await sweeping.stop();
  await clock.advance(60_000);
  expect(asked).toBe(6);
});

test('a table that never empties is left to the next minute', async () => {
  const clock = new FakeClock();
  let asked = 0;
  const sweep = async () => (asked += 1);
  const sweeping = keepSwept({ sweep, clock, logger: createLogger('test', 'silent') });
  await clock.advance(0);
  expect(asked).toBe(20);
  await clock.advance(60_000);
  expect(asked).toBe(40);
  await sweeping.stop();
});
