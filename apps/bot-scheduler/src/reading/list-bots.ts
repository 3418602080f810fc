import type { Executor } from '@rapporteur/database';
import { pageOf } from '@rapporteur/service-runtime';
import type { BotRow } from '../schema/bot-entity.ts';
import type { BotAccessRow } from '../schema/entities.ts';
import { findBots, findSorted } from './find-bots.ts';
import type { Selection } from './find-bots.ts';
import { readBotCursor, readSortedCursor, writeSortedCursor } from './list-cursor.ts';
import type { ExtraOrder, ListRequest, MetadataRequest } from './list-filters.ts';

const listedColumns = [
  'id',
  'bot_name',
  'meeting_url',
  'meeting_platform',
  'extra',
  'duration_ms',
  'created_at',
  'joined_at',
  'exited_at',
  'ended_at',
  'status',
  'phase',
  'end_code',
  'end_message',
  'tokens',
  'integrity',
  'data_forgotten_at',
] as const satisfies readonly (keyof BotRow)[];

/** Columns of a list item. */
export type ListedBot = Pick<BotRow, (typeof listedColumns)[number]>;

const metadataColumns = [
  'id',
  'number',
  'bot_name',
  'meeting_url',
  'extra',
  'duration_ms',
  'created_at',
  'ended_at',
  'speakers',
  'artifacts_deleted',
] as const satisfies readonly (keyof BotRow)[];

/** Columns of a legacy list item. */
export interface BotWithMetadata extends Pick<BotRow, (typeof metadataColumns)[number]> {
  readonly access_count: BotAccessRow['access_count'] | null;
  readonly last_accessed_at: BotAccessRow['last_accessed_at'] | null;
  /** Name of its newest run. */
  readonly run_name: string | null;
}

const ofBots = (columns: readonly string[]): string => columns.map((name) => `bots.${name}`).join(', ');
const listed: Selection = { columns: ofBots(listedColumns), joins: '', time: 'admitted_at', listsNotStarted: false };
const withMetadata: Selection = {
  columns: `${ofBots(metadataColumns)}, access_count, last_accessed_at,
    (select run_name from leases where leases.bot_id = bots.id order by leases.attempt desc limit 1) as run_name`,
  joins: 'left join bot_access on bot_access.bot_id = bots.id',
  time: 'created_at',
  listsNotStarted: true,
};

export interface ListPage<B> {
  readonly bots: readonly B[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

/** One page of a team's started bots, the last admitted first. Throws VALIDATION for a cursor of another list. */
export function listBots(executor: Executor, request: ListRequest): Promise<ListPage<ListedBot>> {
  return listPage(executor, request, listed);
}

/** One page of the legacy list: newest first, or sorted by a field of `extra`; a sorted one has no previous cursor. */
export function listWithMetadata(executor: Executor, request: MetadataRequest): Promise<ListPage<BotWithMetadata>> {
  return request.order === null
    ? listPage(executor, request, withMetadata)
    : listSorted(executor, request, request.order);
}

async function listPage<B extends Pick<BotRow, 'id'>>(
  executor: Executor,
  { filters, limit, cursor: given }: ListRequest,
  selection: Selection,
): Promise<ListPage<B>> {
  const cursor = given === undefined ? null : readBotCursor(given);
  const found = await findBots<B>(executor, { filters, cursor, limit: limit + 1, selection });
  const page = pageOf(found, { limit, from: cursor, placeOf: ({ key_time, id }) => ({ at: key_time, id }) });
  return { bots: page.rows, cursor: page.cursor, prevCursor: page.prevCursor };
}

async function listSorted(executor: Executor, { filters, limit, cursor }: ListRequest, order: ExtraOrder) {
  const after = cursor === undefined ? null : readSortedCursor(order, cursor);
  const request = { filters, order, after, limit: limit + 1, selection: withMetadata };
  const found = await findSorted<BotWithMetadata>(executor, request);
  const bots = found.slice(0, limit);
  const last = found.length > limit ? bots.at(-1) : undefined;
  const place = last && { value: last.sort_value, at: last.key_time, id: last.id };
  return { bots, cursor: place === undefined ? null : writeSortedCursor(order, place), prevCursor: null };
}
