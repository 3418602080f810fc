import { expect, test } from '@jest/globals';
import type { Logger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { startSweep } from './sweep.ts';

test('a sweep that fails goes on, says so once, and says when it works again', async () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const note = (_fields: object, sentence: string) => void said.push(sentence);
  let rounds = 0;
  const sweep = startSweep({
    what: 'Testing',
    everyMs: 1_000,
    work: () => {
      rounds += 1;
      return rounds === 2 || rounds === 3 ? Promise.reject(new Error('no database')) : Promise.resolve();
    },
    clock,
    logger: { info: note, error: note } as unknown as Logger,
  });
  await clock.advance(0);
  for (let second = 1; second < 5; second += 1) await clock.advance(1_000);
  await sweep.stop();
  expect(rounds).toBe(5);
  expect(said).toEqual(['Testing failed; trying again every 1000 ms.', 'Testing works again.']);
});
