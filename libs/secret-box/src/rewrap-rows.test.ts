import { expect, test } from '@jest/globals';
import { oneByOne, rewrapRows } from './rewrap-rows.ts';

/** Rows 1 to 7, three a page. Even ones are wrapped with the current key, and no key opens 5. */
function table(save: (changes: readonly number[]) => Promise<number>) {
  const unreadable: number[] = [];
  const rewrapping = rewrapRows<number, number>({
    pageAfter: async (row) => [1, 2, 3, 4, 5, 6, 7].filter((each) => each > (row ?? 0)).slice(0, 3),
    rewrap: (row) => {
      if (row === 5) throw new Error('no key');
      return row % 2 === 0 ? null : row * 10;
    },
    save,
    onUnreadable: (row) => void unreadable.push(row),
  });
  return { rewrapping, unreadable };
}

test('every page is read, rewrapped and saved together; what no key opens is reported and left', async () => {
  const saved: (readonly number[])[] = [];
  const { rewrapping, unreadable } = table(async (changes) => {
    saved.push(changes);
    return changes.length;
  });
  expect(await rewrapping).toEqual({ rewrapped: 3, unreadable: 1 });
  expect(saved).toEqual([[10, 30], [70]]);
  expect(unreadable).toEqual([5]);
});

test('rows that are saved one by one are counted together', async () => {
  const { rewrapping } = table(oneByOne(async (change) => (change === 30 ? 0 : 1)));
  expect(await rewrapping).toEqual({ rewrapped: 2, unreadable: 1 });
});

test('a row that could not be saved is no row that cannot be opened', async () => {
  const { rewrapping, unreadable } = table(() => Promise.reject(new Error('no database')));
  await expect(rewrapping).rejects.toThrow('no database');
  expect(unreadable).toEqual([]);
});
