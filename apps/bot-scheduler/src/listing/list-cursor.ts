import { z } from 'zod';
import { readCursor } from '@rapporteur/service-runtime';
import type { PageCursor } from '@rapporteur/service-runtime';
import { invalid } from '../admission/create-bot-body.ts';

/** Where a bot stands in a list: newest first, and by id among those of the same instant. */
export interface ListKey {
  /** ISO 8601 in UTC with microseconds, as PostgreSQL keeps it. */
  readonly at: string;
  readonly id: string;
}

/** Throws VALIDATION for a text that no list of bots gave out. */
export function readBotCursor(text: string): PageCursor {
  const cursor = readCursor(text);
  if (cursor === null || !z.uuid().safeParse(cursor.id).success) throw foreignCursor();
  return { ...cursor, id: cursor.id.toLowerCase() };
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
