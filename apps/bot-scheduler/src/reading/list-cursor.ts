import { z } from 'zod';
import { dateTime, invalid, readPlace } from '@rapporteur/service-runtime';
import type { PageCursor } from '@rapporteur/service-runtime';
import type { ExtraOrder } from './list-filters.ts';

/** Position of a bot in a list: newest first, then by id. */
export interface ListKey {
  /** ISO 8601 in UTC with microseconds, the precision of PostgreSQL. */
  readonly at: string;
  readonly id: string;
}

/** Position of a bot in a list that is sorted by a field of `extra`; value null: it has no such field. */
export type SortedPlace = ListKey & { readonly value: string | null };

/** SQL for the `at` of a key in a list that is sorted by this column. */
export const keyTimeSql = (column: 'admitted_at' | 'created_at'): string =>
  `to_char(bots.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Throws VALIDATION for a text that is not a cursor. */
export function readBotCursor(text: string): PageCursor {
  const cursor = readPlace(text);
  return { ...cursor, id: cursor.id.toLowerCase() };
}

export function foreignCursor() {
  return invalid('cursor', 'It is not a cursor of this list. Leave it out to start at the beginning.');
}

const place = z.tuple([z.string(), z.string(), z.string().nullable(), dateTime, z.uuid()]);

/** A cursor of a list that is sorted by a field of `extra`: base64 of field, direction and the last bot's position. */
export function writeSortedCursor({ field, descending }: ExtraOrder, { value, at, id }: SortedPlace): string {
  return Buffer.from(JSON.stringify([field, descending ? 'desc' : 'asc', value, at, id])).toString('base64');
}

/** Throws VALIDATION for a text that is not a cursor of this list with this sorting. */
export function readSortedCursor({ field, descending }: ExtraOrder, text: string): SortedPlace {
  const [ofField, direction, value, at, id] = readSortedPlace(text);
  if (ofField !== field || direction !== (descending ? 'desc' : 'asc'))
    throw invalid('cursor', 'It belongs to a list that is sorted in another way. Leave it out to start anew.');
  return { value, at, id };
}

function readSortedPlace(text: string): z.infer<typeof place> {
  try {
    return place.parse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')));
  } catch {
    throw foreignCursor();
  }
}
