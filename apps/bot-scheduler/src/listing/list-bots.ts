import type { Database, Executor } from '@rapporteur/database';
import { pageOf } from '@rapporteur/service-runtime';
import type { BotAccessRow, BotRow } from '../schema/rows.ts';
import { findKeys } from './find-keys.ts';
import type { FoundKey } from './find-keys.ts';
import { readBotCursor } from './list-cursor.ts';
import type { ListRequest } from './list-filters.ts';
import type { TermDensity } from './term-density.ts';

export interface ListDependencies {
  readonly database: Database;
  readonly density: () => Promise<TermDensity>;
}

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

/** What the legacy list shows besides. */
export interface BotWithMetadata extends ListedBot {
  readonly access_count: BotAccessRow['access_count'] | null;
  readonly last_accessed_at: BotAccessRow['last_accessed_at'] | null;
  /** Name of its newest run. */
  readonly run_name: string | null;
}

export interface ListPage<B> {
  readonly bots: readonly B[];
  readonly cursor: string | null;
  readonly prevCursor: string | null;
}

/** One page of a team's bots, newest first. Throws VALIDATION for a cursor of another list. */
export function listBots(dependencies: ListDependencies, request: ListRequest): Promise<ListPage<ListedBot>> {
  return listPage(dependencies, request, (executor, keys) => readInOrder(executor, keys, listedSql));
}

/** `listBots` with what `read` makes of the bots' keys. */
export async function listPage<B>(
  dependencies: ListDependencies,
  { filters, limit, cursor: given }: ListRequest,
  read: (executor: Executor, keys: readonly FoundKey[]) => Promise<B[]>,
): Promise<ListPage<B>> {
  const cursor = given === undefined ? null : readBotCursor(given);
  const densityOf = await dependencies.density();
  return inOneView(dependencies.database, async (executor) => {
    const keys = await findKeys(executor, { filters, cursor, limit: limit + 1, densityOf });
    const page = pageOf(keys, { limit, from: cursor, placeOf: ({ at, id }) => ({ at, id }) });
    return { bots: await read(executor, page.rows), cursor: page.cursor, prevCursor: page.prevCursor };
  });
}

/**
 * Runs several statements over one state of the table. Each of them reads a few hundred rows at most: compiling it or
 * starting workers for it would take longer than running it.
 */
export function inOneView<T>(database: Database, work: (executor: Executor) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.query(
      `set transaction isolation level repeatable read, read only;
       set local jit = off; set local max_parallel_workers_per_gather = 0;
       set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off`,
    );
    return work(transaction);
  });
}

const columns = `
  bots.id, number, bot_name, meeting_url, meeting_platform, extra, duration_ms, created_at, joined_at, exited_at, ended_at,
  status, phase, end_code, end_message, tokens, speakers, artifacts_deleted`;

const listedSql = `select ${columns} from bots where ctid = any($1::tid[])`;

const metadataSql = `
  select ${columns}, access_count, last_accessed_at,
    (select run_name from leases where leases.bot_id = bots.id order by leases.attempt desc limit 1) as run_name
  from bots left join bot_access on bot_access.bot_id = bots.id
  where bots.ctid = any($1::tid[])`;

export function readWithMetadata(executor: Executor, keys: readonly FoundKey[]): Promise<BotWithMetadata[]> {
  return readInOrder(executor, keys, metadataSql);
}

/** The bots of these keys, in their order; in the view in which the keys were found. */
async function readInOrder<B extends { readonly id: string }>(
  executor: Executor,
  keys: readonly FoundKey[],
  sql: string,
): Promise<B[]> {
  if (keys.length === 0) return [];
  const rows = await executor.query<B>(sql, [keys.map(({ tid }) => tid)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return keys.map(({ id }) => byId.get(id)).filter((bot) => bot !== undefined);
}
