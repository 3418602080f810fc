import { expect, test } from '@jest/globals';
import type { RecorderPage } from '../recorder-ports.ts';
import { PageSetup } from './page-setup.ts';

const page: RecorderPage = {
  addInitScript: () => Promise.resolve(),
  exposeBinding: () => Promise.resolve(),
  evaluate: () => Promise.resolve(),
};

test('a step is taken once, also by two at once, and the second waits for it', async () => {
  const steps = new PageSetup();
  const work = Promise.withResolvers<void>();
  let taken = 0;
  const take = () =>
    steps.take(page, async () => {
      taken += 1;
      await work.promise;
    });
  let done = 0;
  const both = [take().then(() => (done += 1)), take().then(() => (done += 1))];
  await new Promise((resolve) => setImmediate(resolve));
  expect([taken, done]).toEqual([1, 0]);
  work.resolve();
  await Promise.all(both);
  await take();
  expect(taken).toBe(1);
});

test('a step that failed is tried again', async () => {
  const steps = new PageSetup();
  await expect(steps.take(page, () => Promise.reject(new Error('navigating')))).rejects.toThrow('navigating');
  let taken = 0;
  await steps.take(page, async () => void (taken += 1));
  expect(taken).toBe(1);
});
