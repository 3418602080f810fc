import type { Executor } from '@rapporteur/database';
import type { BotAccessRow } from '../schema/rows.ts';
import { findSorted } from './find-bots.ts';
import { listedColumns, listPage } from './list-bots.ts';
import type { ListedBot } from './list-bots.ts';
import { readSortedCursor, writeSortedCursor } from './list-cursor.ts';
import type { ExtraOrder, ListRequest, MetadataRequest } from './list-filters.ts';

/** What the legacy list shows of a bot. */
export interface BotWithMetadata extends ListedBot {
  readonly access_count: BotAccessRow['access_count'] | null;
  readonly last_accessed_at: BotAccessRow['last_accessed_at'] | null;
  /** Name of its newest run. */
  readonly run_name: string | null;
}

export interface MetadataPage {
  readonly bots: readonly BotWithMetadata[];
  readonly nextCursor: string | null;
}

const selection = {
  columns: `${listedColumns}, access_count, last_accessed_at,
    (select run_name from leases where leases.bot_id = bots.id order by leases.attempt desc limit 1) as run_name`,
  joins: 'left join bot_access on bot_access.bot_id = bots.id',
};

/** One page of the legacy list: newest first, or sorted by a field of `extra`. */
export async function listWithMetadata(executor: Executor, request: MetadataRequest): Promise<MetadataPage> {
  if (request.order !== null) return listSorted(executor, request, request.order);
  const { bots, cursor } = await listPage<BotWithMetadata>(executor, request, selection);
  return { bots, nextCursor: cursor };
}

async function listSorted(
  executor: Executor,
  { filters, limit, cursor }: ListRequest,
  order: ExtraOrder,
): Promise<MetadataPage> {
  const after = cursor === undefined ? null : readSortedCursor(order, cursor);
  const found = await findSorted<BotWithMetadata>(executor, { filters, order, after, limit: limit + 1, selection });
  const bots = found.slice(0, limit);
  const last = bots.at(-1);
  const more = found.length > limit && last !== undefined;
  const place = (bot: (typeof found)[number]) => ({ value: bot.sort_value, at: bot.key_time, id: bot.id });
  return { bots, nextCursor: more ? writeSortedCursor(order, place(last)) : null };
}
