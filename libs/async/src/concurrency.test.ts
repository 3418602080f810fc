import { expect, test } from '@jest/globals';
import { KeyedMutex, mapConcurrently, together } from './concurrency.ts';

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

test('calls are worked on together: those of one turn at once, those that arrive meanwhile in the next run, at most so many', async () => {
  const runs: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const double = together(3, async (numbers: readonly number[]) => {
    runs.push([...numbers]);
    await gate.promise;
    return numbers.map((number) => 2 * number);
  });
  const early = [1, 2].map(double);
  await settle();
  const late = [3, 4, 5, 6].map(double);
  gate.resolve();
  expect(await Promise.all([...early, ...late])).toEqual([2, 4, 6, 8, 10, 12]);
  expect(runs).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(await double(7)).toBe(14);
});

test('where a run of several fails, each is worked on alone, and only the faulty one fails', async () => {
  const runs: number[][] = [];
  const work = together(10, async (numbers: readonly number[]) => {
    runs.push([...numbers]);
    if (numbers.includes(2)) throw new Error('2 is faulty');
    return numbers;
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(work));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual([[1, 2, 3], [1], [2], [3]]);
});
