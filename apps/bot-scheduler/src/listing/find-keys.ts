import type { Executor } from '@rapporteur/database';
import type { PageCursor } from '@rapporteur/service-runtime';
import { conditionsOf, Parameters } from './conditions.ts';
import { compareKeys, foreignCursor, keyTimeSql } from './list-cursor.ts';
import type { ListKey } from './list-cursor.ts';
import type { ListFilters } from './list-filters.ts';
import { readTerms } from './search-terms.ts';
import type { SearchTerms } from './search-terms.ts';
import { searchWindows } from './search-windows.ts';
import type { SearchWindow } from './search-windows.ts';
import type { TermDensity } from './term-density.ts';

/** A bot that belongs on the page, and where it lies in the table at this moment. */
export interface FoundKey extends ListKey {
  readonly tid: string;
}

/** Which bots are wanted: up to `limit` of those behind the cursor, nearest first. */
export interface KeyRequest {
  readonly filters: ListFilters;
  readonly cursor: PageCursor | null;
  readonly limit: number;
  readonly densityOf: TermDensity;
}

/**
 * Finds bots in list order (backward: in reverse). All statements must see one state of the table: give a transaction that
 * is REPEATABLE READ. Throws VALIDATION for a cursor that names no bot of the team.
 */
export async function findKeys(executor: Executor, request: KeyRequest): Promise<FoundKey[]> {
  const { filters, cursor } = request;
  const { terms, cursorKnown } = await readTerms(executor, filters, request);
  if (!cursorKnown) throw foreignCursor();
  if (terms === null) return scanInOrder(executor, request);
  const { found, end } = await pollNearest(executor, request);
  if (end === null || found.length >= request.limit) return found.slice(0, request.limit);
  const rest = {
    ...request,
    cursor: { ...end, backward: cursor?.backward ?? false },
    limit: request.limit - found.length,
  };
  return [...found, ...(await searchBehind(executor, rest, terms))];
}

const isBackward = ({ cursor }: KeyRequest): boolean => cursor?.backward ?? false;

function orderOf(request: KeyRequest): string {
  return isBackward(request) ? 'created_at, id' : 'created_at desc, id desc';
}

function behind({ cursor }: KeyRequest, parameters: Parameters): string[] {
  if (cursor === null) return [];
  const [at, id] = [parameters.add(cursor.at, 'timestamptz'), parameters.add(cursor.id, 'uuid')];
  return [`(created_at, id) ${cursor.backward ? '>' : '<'} (${at}, ${id})`];
}

/**
 * Nothing narrows the search enough for an index of its own: the list, or the part of it that meets a condition, is read in
 * order until the page is full.
 */
function scanInOrder(executor: Executor, request: KeyRequest, ...part: readonly string[]): Promise<FoundKey[]> {
  const parameters = new Parameters();
  const where = [
    `team_id = ${parameters.add(request.filters.teamId, 'uuid')}`,
    ...part,
    ...behind(request, parameters),
    ...conditionsOf(request.filters, parameters),
  ];
  return executor.query<FoundKey>(
    `select ${keySql} from bots where ${where.join(' and ')}
     order by ${orderOf(request)} limit ${request.limit}`,
    parameters.values,
  );
}

const keySql = `${keyTimeSql} as at, id, ctid::text as tid`;

/** Read before the index is asked: when every second bot matches, these are the page. */
const nearestRows = (limit: number): number => Math.min(500, Math.max(30, 2 * limit));

async function pollNearest(
  executor: Executor,
  request: KeyRequest,
): Promise<{
  readonly found: FoundKey[];
  /** The last row looked at; null: there is nothing behind. */ readonly end: ListKey | null;
}> {
  const parameters = new Parameters();
  const where = [`team_id = ${parameters.add(request.filters.teamId, 'uuid')}`, ...behind(request, parameters)];
  const conditions = conditionsOf(request.filters, parameters);
  const rows = await executor.query<FoundKey & { matches: boolean }>(
    `select ${keySql}, ${conditions.join(' and ')} as matches
     from (select *, ctid from bots where ${where.join(' and ')}
       order by ${orderOf(request)} limit ${nearestRows(request.limit)}) as nearest`,
    parameters.values,
  );
  const end = rows.length < nearestRows(request.limit) ? null : (rows.at(-1) ?? null);
  return { found: rows.filter(({ matches }) => matches), end };
}

/** Bots that are not in the index: those that have not ended, and those that count nowhere. */
const unsearched = '(ended_at is null or team_number is null)';

/** Bots that the index knows, window after window, merged with the few it does not know. */
async function searchBehind(executor: Executor, request: KeyRequest, terms: SearchTerms): Promise<FoundKey[]> {
  const backward = isBackward(request);
  const found = await scanInOrder(executor, request, unsearched);
  const range = await findRange(executor, request);
  let searched = 0;
  for (const window of range === null ? [] : searchWindows({ ...range, backward }, () => searched)) {
    const rows = await searchWindow(executor, request, { terms, window });
    searched += rows.length;
    found.push(...rows);
    const boundary = rows[0]?.boundary ?? null;
    // Bots of one instant may lie on both sides of the boundary: only those before it are known to be the nearest.
    const settled = found.filter(({ at }) => boundary !== null && (backward ? at < boundary : at > boundary));
    if (settled.length >= request.limit) break;
  }
  return found.sort((a, b) => (backward ? compareKeys(b, a) : compareKeys(a, b))).slice(0, request.limit);
}

/** Numbers of the team's bots that can be on the page: the nearest one behind the cursor, and the last in either direction. */
interface NumberRange {
  readonly start: number;
  readonly last: number;
  readonly first: number;
}

async function findRange(executor: Executor, request: KeyRequest): Promise<NumberRange | null> {
  const { filters } = request;
  const parameters = new Parameters();
  const team = parameters.add(filters.teamId, 'uuid');
  const places = behind(request, parameters).map((condition) => ` and ${condition}`);
  const [extreme, direction] = isBackward(request) ? ['min', ''] : ['max', 'desc'];
  const after = parameters.add(filters.createdAfter ?? '-infinity', 'timestamptz');
  const before = parameters.add(filters.createdBefore ?? 'infinity', 'timestamptz');
  const numbered = `select created_at from bots where team_id = ${team} and team_number is not null
    and created_at between ${after} and ${before}`;
  const ofInstant = (instant: string, pick: string): string =>
    `(select ${pick}(team_number)::float8 from bots where team_id = ${team} and created_at = (${instant}))`;
  const [row] = await executor.query<Record<keyof NumberRange, number | null>>(
    `select ${ofInstant(`${numbered}${places.join('')} order by created_at ${direction}, id ${direction} limit 1`, extreme)} as start,
       ${ofInstant(`${numbered} order by created_at desc, id desc limit 1`, 'max')} as last,
       ${filters.createdAfter === undefined ? '0' : ofInstant(`${numbered} order by created_at, id limit 1`, 'min')} as first`,
    parameters.values,
  );
  if (row === undefined || row.start === null) return null;
  return { start: row.start, last: row.last ?? 0, first: row.first ?? 0 };
}

const indexed =
  'search_terms(id, team_id, team_number, status, meeting_platform, bot_name, meeting_url, participants, speakers, extra)';

interface WindowRow extends FoundKey {
  /** Instant of the window's farthest bot; null: there is none beyond. */
  readonly boundary: string | null;
}

/**
 * The nearest matches of one window. The inner select holds what the index answers and nothing that tempts the planner to another
 * way; the outer one makes it exact.
 */
function searchWindow(
  executor: Executor,
  request: KeyRequest,
  { terms, window }: { readonly terms: SearchTerms; readonly window: SearchWindow },
): Promise<WindowRow[]> {
  const parameters = new Parameters();
  const team = parameters.add(request.filters.teamId, 'uuid');
  const blocks = (names: readonly string[]): string =>
    `array(select search_term(${team}, 'block', name) from unnest(${parameters.add(names, 'text[]')}) as name)`;
  const requested = [
    'ended_at is not null',
    ...(window.blocks === null ? [] : [`${indexed} && ${blocks(window.blocks)}`]),
    ...(terms.all.length === 0 ? [] : [`${indexed} @> ${parameters.add(terms.all, 'integer[]')}`]),
    ...terms.oneOf.map((oneOf) => `${indexed} && ${parameters.add(oneOf, 'integer[]')}`),
  ];
  const exact = [
    `team_id = ${team}`,
    `team_number between ${parameters.add(window.from, 'bigint')} and ${parameters.add(window.until, 'bigint')}`,
    ...behind(request, parameters),
    ...conditionsOf(request.filters, parameters),
  ];
  const far = parameters.add(isBackward(request) ? window.until : window.from, 'bigint');
  return executor.query<WindowRow>(
    `select ${keySql},
       (select ${keyTimeSql} from bots where team_id = ${team} and team_number = ${far}) as boundary
     from (select id, created_at, ctid
       from (select *, ctid from bots where ${requested.join(' and ')} offset 0) as bots
       where ${exact.join(' and ')} order by ${orderOf(request)} limit ${request.limit}) as bots`,
    parameters.values,
  );
}
