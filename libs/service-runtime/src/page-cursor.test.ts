import { expect, test } from '@jest/globals';
import { pageOf, readCursor, writeCursor } from './page-cursor.ts';

const at = '2026-11-21T09:00:00.000001Z';
const rows = ['a', 'b', 'c', 'd'];
const placeOf = (id: string) => ({ at, id });
const placeIn = (text: string | null) => (text === null ? null : readCursor(text));

test('a cursor is read as it was written, in both directions and without its padding', () => {
  for (const backward of [true, false]) {
    const cursor = { at, id: '0192-abc_D', backward };
    expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    expect(readCursor(writeCursor(cursor).replaceAll('=', ''))).toEqual(cursor);
  }
});

test.each([
  '',
  'nonsense',
  `${at}`,
  `${at}::`,
  `yesterday::id`,
  '0000-01-01T00:00:00Z::id',
  `${at}::two words`,
  `${at}::${'x'.repeat(101)}`,
])('what no list gave out is no cursor: %s', (text) => {
  expect(readCursor(text)).toBeNull();
  expect(readCursor(Buffer.from(text).toString('base64'))).toBeNull();
});

test('the first page has no page before it, and one behind it only when a row more was found', () => {
  const first = pageOf(rows, { limit: 3, from: null, placeOf });
  expect(first.rows).toEqual(['a', 'b', 'c']);
  expect(placeIn(first.cursor)).toEqual({ at, id: 'c', backward: false });
  expect(first.prevCursor).toBeNull();
  expect(pageOf(rows, { limit: 4, from: null, placeOf })).toEqual({ rows, cursor: null, prevCursor: null });
});

test('a page back is shown in list order, with a next cursor', () => {
  const back = pageOf(['c', 'b', 'a'], { limit: 2, from: { backward: true }, placeOf });
  expect(back.rows).toEqual(['b', 'c']);
  expect([placeIn(back.cursor)?.id, placeIn(back.prevCursor)?.id]).toEqual(['c', 'b']);
  const start = pageOf(['b', 'a'], { limit: 2, from: { backward: true }, placeOf });
  expect(start.prevCursor).toBeNull();
});

test('an empty page leads nowhere', () => {
  expect(pageOf([], { limit: 2, from: { backward: false }, placeOf })).toEqual({
    rows: [],
    cursor: null,
    prevCursor: null,
  });
});
