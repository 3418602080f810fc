import { fail } from '@rapporteur/failures';

/** A place in a list sorted by time and id, and in which direction to read on from there. */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
  readonly backwards: boolean;
}

/** Base64 of `<ISO date>::<id>`; a leading `-` marks backward paging. */
export function writeCursor({ createdAt, id, backwards }: PageCursor): string {
  return Buffer.from(`${backwards ? '-' : ''}${createdAt.toISOString()}::${id}`).toString('base64url');
}

/** Throws VALIDATION for text that is no cursor. */
export function readCursor(text: string): PageCursor {
  const [, sign, date = '', id = ''] =
    /^(-?)(\d{4}-\d\d-\d\dT[\d:.]+Z)::([\w-]{1,100})$/.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  const createdAt = new Date(date);
  if (id === '' || Number.isNaN(createdAt.getTime()))
    throw fail('VALIDATION', { message: 'query/cursor is not a cursor of this list.' });
  return { createdAt, id, backwards: sign === '-' };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

/**
 * Makes a page of rows that were read in the cursor's direction, one more than `limit` if there are more.
 * Newest first, whichever way it was read.
 */
export function toPage<T extends { created_at: Date; message_id: string }>(
  rows: readonly T[],
  limit: number,
  from: PageCursor | null,
): Page<T> {
  const backwards = from?.backwards ?? false;
  const more = rows.length > limit;
  const kept = rows.slice(0, limit);
  const items = backwards ? kept.toReversed() : kept;
  const at = (row: T | undefined, direction: boolean): string | null =>
    row === undefined ? null : writeCursor({ createdAt: row.created_at, id: row.message_id, backwards: direction });
  return {
    items,
    cursor: backwards || more ? at(items.at(-1), false) : null,
    prevCursor: (backwards ? more : from !== null) ? at(items[0], true) : null,
  };
}
