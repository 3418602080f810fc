import type { Executor } from '@rapporteur/database';
import type { PageCursor } from '@rapporteur/service-runtime';
import { conditionsOf, inProgressOnly, Parameters } from './conditions.ts';
import { foreignCursor, keyTimeSql } from './list-cursor.ts';
import type { ListKey, SortedPlace } from './list-cursor.ts';
import type { ExtraOrder, ListFilters } from './list-filters.ts';

/** What a list reads of each bot: columns over `bots` and what is joined to it. */
export interface Selection {
  readonly columns: string;
  readonly joins: string;
}

export interface FindRequest {
  readonly filters: ListFilters;
  readonly limit: number;
  readonly selection: Selection;
}

/** A row of the selection, and its place in a list that is sorted by creation. */
export type Found<B> = B & { readonly key_time: string };

/** Rows that are read in list order before the search index is used: a filter that one bot in 20 passes ends there. */
const nearestRows = 1_000;

/**
 * Up to `limit` bots behind the cursor, newest first; with a backward cursor, in reverse. Throws VALIDATION for a cursor that
 * names no bot of the team.
 */
export async function findBots<B>(
  executor: Executor,
  { cursor, ...request }: FindRequest & { readonly cursor: PageCursor | null },
): Promise<Found<B>[]> {
  if (cursor !== null) await refuseForeign(executor, request.filters.team_id, cursor);
  const order = cursor?.backward === true ? 'created_at, id' : 'created_at desc, id desc';
  const read = (search: Search): Promise<Found<B>[]> => {
    const parameters = new Parameters();
    const where = conditionsOf(request.filters, parameters);
    const behind =
      cursor === null ? [] : [`(created_at, id) ${cursor.backward ? '>' : '<'} ${keyOf(cursor, parameters)}`];
    return executor.query<Found<B>>(
      `with page as materialized (${search(where, behind, order, request.limit)})
       select ${request.selection.columns}, ${keyTimeSql} as key_time
       from page join bots using (id) ${request.selection.joins} order by ${qualified(order)}`,
      parameters.values,
    );
  };
  if (!isFiltered(request.filters) || inProgressOnly(request.filters)) return read(inOrder);
  const nearest = await read(amongNearest);
  return nearest.length === request.limit ? nearest : read(everywhere);
}

/** SQL for the ids of a page of bots for which all conditions hold. */
type Search = (where: readonly string[], behind: readonly string[], order: string, limit: number) => string;

const inOrder: Search = (where, behind, order, limit) =>
  `select id from bots where ${[...where, ...behind].join(' and ')} order by ${order} limit ${limit}`;

const amongNearest: Search = ([ofTeam = 'false', ...filters], behind, order, limit) =>
  `select id from (
     select * from bots where ${[ofTeam, ...behind].join(' and ')} order by ${order} limit ${nearestRows}
   ) nearest where ${filters.join(' and ')} order by ${order} limit ${limit}`;

/** All matches are found before they are sorted: with a limit in sight PostgreSQL may read the whole list in order instead. */
const everywhere: Search = (where, behind, order, limit) =>
  `with matches as materialized (${matchesOf('id, created_at', [...where, ...behind])})
   select id from matches order by ${order} limit ${limit}`;

/** Bots that ended and bots in progress are read apart, because only the former are in the search index. */
function matchesOf(columns: string, where: readonly string[]): string {
  const part = (condition: string): string =>
    `select ${columns} from bots where ${[condition, ...where].join(' and ')}`;
  return `${part('ended_at is not null')} union all ${part('ended_at is null')}`;
}

/** Values are compared by their first characters only. */
const comparedCharacters = 200;

/**
 * Up to `limit` bots behind a place, sorted by the text of one field of `extra` in code point order: those that have it first,
 * newest first among equals. Reads all bots that the filters let through. Throws VALIDATION for a place of no bot of the team.
 */
export async function findSorted<B>(
  executor: Executor,
  request: FindRequest & { readonly order: ExtraOrder; readonly after: SortedPlace | null },
): Promise<(Found<B> & { readonly sort_value: string | null })[]> {
  const { filters, order, after, limit, selection } = request;
  if (after !== null) await refuseForeign(executor, filters.team_id, after);
  const parameters = new Parameters();
  const where = conditionsOf(filters, parameters);
  const value = `left(extra->>${parameters.add(order.field, 'text')}, ${comparedCharacters}) collate "C"`;
  const direction = order.descending ? 'desc' : 'asc';
  const sorting = (key: string): string => `${key} ${direction} nulls last, created_at desc, id desc`;
  const behind =
    after === null ? 'true' : behindPlace(after, { value, parameters, operator: order.descending ? '<' : '>' });
  return executor.query(
    `with matches as (${matchesOf(`id, created_at, ${value} as sort_value`, [...where, behind])}),
     page as materialized (select id, sort_value from matches order by ${sorting('sort_value')} limit ${limit})
     select ${selection.columns}, ${keyTimeSql} as key_time, sort_value
     from page join bots using (id) ${selection.joins} order by ${qualified(sorting('sort_value'))}`,
    parameters.values,
  );
}

function behindPlace(
  after: SortedPlace,
  { value, parameters, operator }: { value: string; parameters: Parameters; operator: '<' | '>' },
): string {
  const older = `(created_at, id) < ${keyOf(after, parameters)}`;
  if (after.value === null) return `(${value} is null and ${older})`;
  const place = parameters.add(after.value, 'text');
  return `(${value} ${operator} ${place} or ${value} is null or (${value} = ${place} and ${older}))`;
}

const keyOf = ({ at, id }: ListKey, parameters: Parameters): string =>
  `(${parameters.add(at, 'timestamptz')}, ${parameters.add(id, 'uuid')})`;

async function refuseForeign(executor: Executor, teamId: string, { at, id }: ListKey): Promise<void> {
  const sql = 'select 1 from bots where id = $1 and team_id = $2 and created_at = $3';
  const known = await executor.query(sql, [id, teamId, at]);
  if (known.length === 0) throw foreignCursor();
}

function isFiltered({ team_id: _team, ...filters }: ListFilters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined);
}

/** Columns of `bots` where joined tables have columns of the same name. */
const qualified = (order: string): string => order.replaceAll(/\b(created_at|id)\b/g, 'bots.$1');
