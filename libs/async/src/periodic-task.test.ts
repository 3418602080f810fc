import { expect, test } from '@jest/globals';
import { startPeriodicTask } from './periodic-task.ts';
import { FakeClock } from './testing.ts';

test('a task that fails is repeated, and its first failure and its recovery are logged', async () => {
  const clock = new FakeClock();
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  let rounds = 0;
  const work = async (): Promise<void> => {
    rounds += 1;
    if (rounds === 2 || rounds === 3) throw new Error('no database');
  };
  const task = startPeriodicTask(
    { what: 'Testing', everyMs: 1_000, work },
    { clock, logger: { info: note, error: note } },
  );
  await clock.advance(0);
  for (let second = 1; second < 5; second += 1) await clock.advance(1_000);
  await task.stop();
  expect(rounds).toBe(5);
  expect(logged).toEqual(['Testing failed; trying again every 1000 ms.', 'Testing works again.']);
});
