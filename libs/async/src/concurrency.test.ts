import { expect, test } from '@jest/globals';
import { KeyedMutex, mapConcurrently } from './concurrency.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('work for one key runs in the order given, past failures, beside work for another key', async () => {
  const mutex = new KeyedMutex();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.run('a', async () => {
    events.push('a1 starts');
    await gate.promise;
    throw new Error('a1 failed');
  });
  const second = mutex.run('a', async () => events.push('a2 starts'));
  await mutex.run('b', async () => events.push('b1 starts'));
  expect(events).toEqual(['a1 starts', 'b1 starts']);
  gate.resolve();
  await expect(first).rejects.toThrow('a1 failed');
  await second;
  expect(events.at(-1)).toBe('a2 starts');
  await settle();
  expect(mutex.size).toBe(0);
});

test('a mutex runs at most one piece of work per key while more of it arrives', async () => {
  const mutex = new KeyedMutex();
  let [running, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await settle();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, () => mutex.run('a', work).then(() => mutex.run('a', work))));
  expect(most).toBe(1);
});

test('work on a list runs concurrently up to the limit and gives results in the order of the list', async () => {
  let [running, most] = [0, 0];
  const results = await mapConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, (running += 1));
    await settle();
    running -= 1;
    return 10 * item;
  });
  expect(results).toEqual([10, 20, 30, 40, 50]);
  expect(most).toBe(2);
});
