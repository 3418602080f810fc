import { expect, test } from '@jest/globals';
import { rewrapRows } from './rewrap-rows.ts';
import { rewrapTable } from './rewrap-table.ts';

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

test('a table is read by its key, and a row is saved only while its sealed columns are what was read', async () => {
  const [old, fresh] = [Buffer.from('old'), Buffer.from('fresh')];
  const rows = ['1', '2', '3'].map((id) => ({ id, secret: old, token: id === '2' ? old : null }));
  const statements: [string, unknown[]][] = [];
  const database = {
    query: async <T>(statement: string, parameters: unknown[]): Promise<T[]> => {
      statements.push([statement.replaceAll(/\s+/g, ' '), parameters]);
      if (statement.startsWith('select')) return (parameters[0] === null ? rows : []) as T[];
      // The second row was changed concurrently.
      return parameters[0] === '2' ? [] : ([1] as T[]);
    },
  };
  const done = await rewrapTable<(typeof rows)[number]>(database, {
    name: 'things',
    id: 'id',
    where: 'deleted_at is null',
    rewrap: ({ id, token }) => (id === '3' ? {} : { secret: fresh, ...(token && { token: fresh }) }),
    onUnreadable: () => undefined,
  });
  expect(done).toEqual({ rewrapped: 1, unreadable: 0 });
  const select =
    'select * from things where deleted_at is null and ($1::uuid is null or id > $1) order by id limit 200';
  expect(statements).toEqual([
    [select, [null]],
    [
      'update things set secret = $2 where id = $1 and deleted_at is null and secret = $3 returning 1',
      ['1', fresh, old],
    ],
    [
      'update things set secret = $2, token = $4 where id = $1 and deleted_at is null and secret = $3 and token = $5 returning 1',
      ['2', fresh, old, fresh, old],
    ],
    [select, ['3']],
  ]);
});

test('a row that could not be saved is no row that cannot be opened', async () => {
  const { rewrapping, unreadable } = table(() => Promise.reject(new Error('no database')));
  await expect(rewrapping).rejects.toThrow('no database');
  expect(unreadable).toEqual([]);
});
