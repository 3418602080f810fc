import { inOneView, listPage, readWithMetadata } from './list-bots.ts';
import type { BotWithMetadata, ListDependencies } from './list-bots.ts';
import type { ExtraOrder, ListRequest, MetadataRequest } from './list-filters.ts';
import { findSortedKeys, readSortedCursor, writeSortedCursor } from './sorted-keys.ts';

export interface MetadataPage {
  readonly bots: readonly BotWithMetadata[];
  readonly nextCursor: string | null;
}

/** One page of the legacy list: newest first, or sorted by a field of `extra`. */
export async function listWithMetadata(
  dependencies: ListDependencies,
  request: MetadataRequest,
): Promise<MetadataPage> {
  if (request.order !== null) return listSorted(dependencies, request, request.order);
  const { bots, cursor } = await listPage(dependencies, request, readWithMetadata);
  return { bots, nextCursor: cursor };
}

async function listSorted(
  dependencies: ListDependencies,
  { filters, limit, cursor }: ListRequest,
  order: ExtraOrder,
): Promise<MetadataPage> {
  const after = cursor === undefined ? null : readSortedCursor(order, cursor);
  const densityOf = await dependencies.density();
  return inOneView(dependencies.database, async (executor) => {
    const keys = await findSortedKeys(executor, { filters, order, after, limit: limit + 1, densityOf });
    const shown = keys.slice(0, limit);
    const last = shown.at(-1);
    const more = keys.length > limit && last !== undefined;
    return { bots: await readWithMetadata(executor, shown), nextCursor: more ? writeSortedCursor(order, last) : null };
  });
}
