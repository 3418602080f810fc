import { z } from 'zod';
import { fail } from '@rapporteur/failures';

/** A place between two rows of a list: after `at`, `id` in list order, or before it when the page goes backward. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
  readonly backward: boolean;
}

/** base64 of `<ISO date>::<id>`; a leading `-` inside marks a page back. */
export function writeCursor({ at, id, backward }: PageCursor): string {
  return Buffer.from(`${backward ? '-' : ''}${at.toISOString()}::${id}`).toString('base64');
}

/** Throws VALIDATION for a text that no list of ours gave out. */
export function readCursor(text: string): PageCursor {
  const match = /^(-?)(.+)::(.+)$/.exec(Buffer.from(text, 'base64').toString('utf8'));
  const [, backward, time = '', id = ''] = match ?? [];
  if (!z.iso.datetime().safeParse(time).success || !z.uuid().safeParse(id).success) {
    throw fail('VALIDATION', {
      message: '/query/cursor: It is not a cursor of this list. Leave it out to start at the beginning.',
      details: '/query/cursor',
    });
  }
  return { at: new Date(time), id, backward: backward === '-' };
}
