import type { Executor } from '@rapporteur/database';
import { pageOf } from '@rapporteur/service-runtime';
import type { BotRow } from '../schema/rows.ts';
import { findBots } from './find-bots.ts';
import type { Selection } from './find-bots.ts';
import { readBotCursor } from './list-cursor.ts';
import type { ListRequest } from './list-filters.ts';

/** What lists show of a bot. */
export type ListedBot = Pick<
  BotRow,
  | 'id'
  | 'number'
  | 'bot_name'
  | 'meeting_url'
  | 'meeting_platform'
  | 'extra'
  | 'duration_ms'
  | 'created_at'
  | 'joined_at'
  | 'exited_at'
  | 'ended_at'
  | 'status'
  | 'phase'
  | 'end_code'
  | 'end_message'
  | 'tokens'
  | 'speakers'
  | 'artifacts_deleted'
>;

export const listedColumns = `
  bots.id, number, bot_name, meeting_url, meeting_platform, extra, duration_ms, bots.created_at, joined_at, exited_at, ended_at,
  status, phase, end_code, end_message, tokens, speakers, artifacts_deleted`;

export interface ListPage<B> {
  readonly bots: readonly B[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

/** One page of a team's bots, newest first. Throws VALIDATION for a cursor of another list. */
export function listBots(executor: Executor, request: ListRequest): Promise<ListPage<ListedBot>> {
  return listPage(executor, request, { columns: listedColumns, joins: '' });
}

/** `listBots` with another selection. */
export async function listPage<B extends { readonly id: string }>(
  executor: Executor,
  { filters, limit, cursor: given }: ListRequest,
  selection: Selection,
): Promise<ListPage<B>> {
  const cursor = given === undefined ? null : readBotCursor(given);
  const found = await findBots<B>(executor, { filters, cursor, limit: limit + 1, selection });
  const page = pageOf(found, { limit, from: cursor, placeOf: ({ key_time, id }) => ({ at: key_time, id }) });
  return { bots: page.rows, cursor: page.cursor, prevCursor: page.prevCursor };
}
