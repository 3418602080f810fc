import type { Executor } from '@rapporteur/database';
import type { PageCursor } from '@rapporteur/service-runtime';
import { conditionsOf, inProgressOnly, Parameters } from './list-filters.ts';
import type { ExtraOrder, ListFilters } from './list-filters.ts';
import { foreignCursor, keyTimeSql } from './list-cursor.ts';
import type { ListKey, SortedPlace } from './list-cursor.ts';

/**
 * Source of each column of `bots` for a scheduled bot that has not started: the columns that the legacy list reads and
 * filters by.
 */
const scheduledColumns = {
  id: 'id',
  team_id: 'team_id',
  number: 'number',
  bot_name: 'bot_name',
  meeting_url: 'meeting_url',
  created_at: 'created_at',
  ended_at: 'cancelled_at',
  duration_ms: 'null::bigint',
  extra: 'extra',
  speakers: `'[]'::jsonb`,
  artifacts_deleted: 'false',
} as const;

/** Table expressions of lists that include scheduled bots. */
const notStarted = {
  /** Scheduled bots that have not started. */
  source: `(select ${Object.entries(scheduledColumns)
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(', ')} from scheduled_bots where spawned_at is null) scheduled`,
  /** The columns that they share with `bots`. */
  columns: Object.keys(scheduledColumns).join(', '),
} as const;

/** Columns that a list reads of each bot, with their joins. */
export interface Selection {
  readonly columns: string;
  readonly joins: string;
  /** The sort column, newest first. */
  readonly time: 'admitted_at' | 'created_at';
  /** Also lists scheduled bots that have not started. */
  readonly listsNotStarted: boolean;
}

export interface FindRequest {
  readonly filters: ListFilters;
  readonly limit: number;
  readonly selection: Selection;
}

/** A row of the selection, with its position in a list that is sorted by creation. */
export type Found<B> = B & { readonly key_time: string };

/**
 * Rows that are scanned in list sequence before the search index is used: enough for a filter that one bot in 20
 * passes.
 */
const nearestRows = 1_000;

/**
 * Up to `limit` bots after the cursor, newest first; with a backward cursor, in reverse. Throws VALIDATION for a cursor
 * of a bot that the team does not have.
 */
export async function findBots<B>(
  executor: Executor,
  { cursor, ...request }: FindRequest & { readonly cursor: PageCursor | null },
): Promise<Found<B>[]> {
  const { filters, limit, selection } = request;
  const { time } = selection;
  if (cursor !== null) await refuseForeign(executor, request, cursor);
  const order = cursor?.backward === true ? `${time}, id` : `${time} desc, id desc`;
  const read = (search: Search): Promise<Found<B>[]> => {
    const parameters = new Parameters();
    const where = conditionsOf(filters, parameters);
    const behind = cursor === null ? [] : [`(${time}, id) ${cursor.backward ? '>' : '<'} ${keyOf(cursor, parameters)}`];
    const found = sourcesOf(selection).map((source) => `(${search({ source, time, where, behind, order, limit })})`);
    return executor.query<Found<B>>(
      `with page as materialized (
         select id from (${found.join(' union all ')}) found order by ${order} limit ${limit})
       select ${selection.columns}, ${keyTimeSql(time)} as key_time
       from page join ${everyBot(selection)} using (id) ${selection.joins} order by ${qualified(order)}`,
      parameters.values,
    );
  };
  if (!isFiltered(filters) || inProgressOnly(filters)) return read(inOrder);
  const nearest = await read(amongNearest);
  return nearest.length === limit ? nearest : read(everywhere);
}

const sourcesOf = ({ listsNotStarted }: Selection): readonly string[] =>
  listsNotStarted ? ['bots', notStarted.source] : ['bots'];

/** All bots of the list, under the name `bots`. */
function everyBot({ listsNotStarted }: Selection): string {
  const { source, columns } = notStarted;
  return listsNotStarted ? `(select ${columns} from bots union all select ${columns} from ${source}) bots` : 'bots';
}

interface SearchParts {
  readonly source: string;
  readonly time: Selection['time'];
  readonly where: readonly string[];
  readonly behind: readonly string[];
  readonly order: string;
  readonly limit: number;
}

/** SQL for ids and times of one page of a source's bots that meet all conditions. */
type Search = (parts: SearchParts) => string;

const inOrder: Search = ({ source, time, where, behind, order, limit }) =>
  `select id, ${time} from ${source} where ${[...where, ...behind].join(' and ')} order by ${order} limit ${limit}`;

const amongNearest: Search = ({ source, time, where: [ofTeam = 'false', ...filters], behind, order, limit }) =>
  `select id, ${time} from (
     select * from ${source} where ${[ofTeam, ...behind].join(' and ')} order by ${order} limit ${nearestRows}
   ) nearest where ${filters.join(' and ')} order by ${order} limit ${limit}`;

/**
 * All matches are found before they are sorted: with a limit PostgreSQL may scan the whole list in sort sequence
 * instead.
 */
const everywhere: Search = ({ source, time, where, behind, order, limit }) =>
  `with matches as materialized (${matchesOf(source, `id, ${time}`, [...where, ...behind])})
   select id, ${time} from matches order by ${order} limit ${limit}`;

/** Ended bots and bots in progress are read separately, because the search index contains only the former. */
function matchesOf(source: string, columns: string, where: readonly string[]): string {
  const part = (condition: string): string =>
    `select ${columns} from ${source} where ${[condition, ...where].join(' and ')}`;
  return `${part('ended_at is not null')} union all ${part('ended_at is null')}`;
}

/** The compared prefix of values, in characters. */
const comparedCharacters = 200;

/**
 * Up to `limit` bots after a position, sorted by the text of one field of `extra` in code point sequence: bots with the
 * field first, newest first among equals. Reads all bots that pass the filters. Throws VALIDATION for the position of a
 * bot that the team does not have.
 */
export async function findSorted<B>(
  executor: Executor,
  request: FindRequest & { readonly order: ExtraOrder; readonly after: SortedPlace | null },
): Promise<(Found<B> & { readonly sort_value: string | null })[]> {
  const { filters, order, after, limit, selection } = request;
  if (after !== null) await refuseForeign(executor, request, after);
  const parameters = new Parameters();
  const where = conditionsOf(filters, parameters);
  const value = `left(extra->>${parameters.add(order.field, 'text')}, ${comparedCharacters}) collate "C"`;
  const direction = order.descending ? 'desc' : 'asc';
  const sorting = (key: string): string => `${key} ${direction} nulls last, created_at desc, id desc`;
  const behind =
    after === null ? 'true' : behindPlace(after, { value, parameters, operator: order.descending ? '<' : '>' });
  const matches = sourcesOf(selection).map((source) =>
    matchesOf(source, `id, created_at, ${value} as sort_value`, [...where, behind]),
  );
  return executor.query(
    `with matches as (${matches.join(' union all ')}),
     page as materialized (select id, sort_value from matches order by ${sorting('sort_value')} limit ${limit})
     select ${selection.columns}, ${keyTimeSql('created_at')} as key_time, sort_value
     from page join ${everyBot(selection)} using (id) ${selection.joins} order by ${qualified(sorting('sort_value'))}`,
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

async function refuseForeign(
  executor: Executor,
  { filters, selection }: FindRequest,
  { at, id }: ListKey,
): Promise<void> {
  const sql = `select 1 from ${everyBot(selection)} where id = $1 and team_id = $2 and ${selection.time} = $3`;
  const known = await executor.query(sql, [id, filters.team_id, at]);
  if (known.length === 0) throw foreignCursor();
}

function isFiltered({ team_id: _team, ...filters }: ListFilters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined);
}

/** Columns of `bots` where joined tables have columns of the same name. */
const qualified = (order: string): string => order.replaceAll(/\b(admitted_at|created_at|id)\b/g, 'bots.$1');
