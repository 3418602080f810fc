import { z } from 'zod';
import { invalid } from '../admission/create-bot-body.ts';

/** Where a bot stands in a list: newest first, and by id among those of the same instant. */
export interface ListKey {
  /** ISO 8601 in UTC with microseconds, as PostgreSQL keeps it. */
  readonly at: string;
  readonly id: string;
}

/** A place between two bots of a list: the page goes on after it, or back before it. */
export interface ListCursor extends ListKey {
  readonly backward: boolean;
}

/** base64 of `<ISO date>::<id>`; a leading `-` inside marks a page back. */
export function writeCursor({ at, id, backward }: ListCursor): string {
  return Buffer.from(`${backward ? '-' : ''}${at}::${id}`).toString('base64');
}

/** Throws VALIDATION for a text that no list of ours gave out. */
export function readCursor(text: string): ListCursor {
  const [, backward, at = '', id = ''] = /^(-?)(.+)::(.+)$/.exec(Buffer.from(text, 'base64').toString('utf8')) ?? [];
  if (!z.iso.datetime().safeParse(at).success || !z.uuid().safeParse(id).success) throw foreignCursor();
  return { at, id: id.toLowerCase(), backward: backward === '-' };
}

export function foreignCursor() {
  return invalid('/query/cursor', 'It is not a cursor of this list. Leave it out to start at the beginning.');
}

/** SQL for the `at` of a key. */
export const keyTimeSql = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Below zero when `a` comes first in a list. */
export function compareKeys(a: ListKey, b: ListKey): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1;
}
