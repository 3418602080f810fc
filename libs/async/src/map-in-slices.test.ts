import { expect, test } from '@jest/globals';
import { mapInSlices } from './index.ts';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a long list lets other work run between its items, and keeps its order', async () => {
  const seen: string[] = [];
  const mapped = mapInSlices([1, 2, 3], (item) => {
    busyFor(11);
    seen.push(`item ${item}`);
    return item * 2;
  });
  setImmediate(() => seen.push('other work'));
  expect(await mapped).toEqual([2, 4, 6]);
  expect(seen.indexOf('other work')).toBeLessThan(seen.indexOf('item 3'));
});

test('an error of an item rejects the whole', async () => {
  const failing = mapInSlices([1], () => {
    throw new Error('no such item');
  });
  await expect(failing).rejects.toThrow('no such item');
});
