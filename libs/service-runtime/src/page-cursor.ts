import { z } from 'zod';
import { parseDateTime } from './date-time.ts';
import { invalid } from './read-input.ts';

/** A position between two rows of a list sorted by a time and an id: the page continues after it, or back before it. */
export interface PageCursor {
  /** ISO 8601 in UTC, with as many digits as the list compares. */
  readonly at: string;
  readonly id: string;
  readonly backward: boolean;
}

/** base64 of `<ISO date>::<id>`; a leading `-` inside marks a page back. */
export function writeCursor({ at, id, backward }: PageCursor): string {
  return Buffer.from(`${backward ? '-' : ''}${at}::${id}`).toString('base64');
}

/** Null for a text that is not a cursor. The list itself validates the id. */
export function readCursor(text: string): PageCursor | null {
  const [, sign, at = '', id = ''] =
    /^(-?)(.+)::([\w-]{1,100})$/.exec(Buffer.from(text, 'base64').toString('utf8')) ?? [];
  const instant = parseDateTime(at);
  return instant === null ? null : { at: instant, id, backward: sign === '-' };
}

/** A position in a list whose ids are UUIDs. Throws VALIDATION for a text that is not a cursor. */
export function readPlace(text: string): PageCursor {
  const cursor = readCursor(text);
  if (cursor !== null && z.uuid().safeParse(cursor.id).success) return cursor;
  throw invalid('cursor', 'It is not a cursor of this list. Leave it out to start at the beginning.');
}

export interface Page<T> {
  /** In list order, whatever the direction of the query. */
  readonly rows: readonly T[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

export interface PageRead<T> {
  readonly limit: number;
  /** Start of the page; null: the beginning of the list. */
  readonly from: Pick<PageCursor, 'backward'> | null;
  readonly placeOf: (row: T) => Omit<PageCursor, 'backward'>;
}

/** Makes a page of rows read in the cursor's direction, one more than `limit` if there are more. */
export function pageOf<T>(found: readonly T[], { limit, from, placeOf }: PageRead<T>): Page<T> {
  const more = found.length > limit;
  const backward = from?.backward ?? false;
  const rows = backward ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const at = (row: T | undefined, back: boolean): string | null =>
    row === undefined ? null : writeCursor({ ...placeOf(row), backward: back });
  return {
    rows,
    cursor: backward || more ? at(rows.at(-1), false) : null,
    prevCursor: (backward ? more : from !== null) ? at(rows[0], true) : null,
  };
}
