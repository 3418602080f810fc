import type { Executor } from '@rapporteur/database';
import { dateTime } from '@rapporteur/service-runtime';
import { invalid } from '../admission/create-bot-body.ts';
import { z } from 'zod';
import { conditionsOf, Parameters } from './conditions.ts';
import { findKeys } from './find-keys.ts';
import type { FoundKey } from './find-keys.ts';
import { compareKeys, foreignCursor, keyTimeSql } from './list-cursor.ts';
import type { ListKey } from './list-cursor.ts';
import type { ExtraOrder, ListFilters } from './list-filters.ts';
import type { TermDensity } from './term-density.ts';

/** A bot's place in a list that is sorted by a field of `extra`; value null: it has no such field. */
export interface SortedKey extends FoundKey {
  readonly value: string | null;
}

export interface SortedRequest {
  readonly filters: ListFilters;
  readonly order: ExtraOrder;
  /** The last bot of the page before. */
  readonly after: SortedPlace | null;
  readonly limit: number;
  readonly densityOf: TermDensity;
}

export type SortedPlace = ListKey & { readonly value: string | null };

const place = z.tuple([z.string(), z.string(), z.string().nullable(), dateTime, z.uuid()]);

export function writeSortedCursor({ field, descending }: ExtraOrder, { value, at, id }: SortedPlace): string {
  return Buffer.from(JSON.stringify([field, descending ? 'desc' : 'asc', value, at, id])).toString('base64');
}

/** Throws VALIDATION for a text that this list, sorted like this, did not give out. */
export function readSortedCursor({ field, descending }: ExtraOrder, text: string): SortedPlace {
  const read = place.safeParse(parsed(Buffer.from(text, 'base64').toString('utf8')));
  if (!read.success) throw foreignCursor();
  const [ofField, direction, value, at, id] = read.data;
  if (ofField !== field || direction !== (descending ? 'desc' : 'asc'))
    throw invalid('/query/cursor', 'It belongs to a list that is sorted in another way. Leave it out to start anew.');
  return { value, at, id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** So many matches are sorted as they are; a filter that lets more through is checked while the sorted list is read. */
const sortedAtOnce = 2_000;

/**
 * Finds bots sorted by the text of one field of `extra`: those that have it first, newest first among equals. All statements
 * must see one state of the table.
 */
export async function findSortedKeys(executor: Executor, request: SortedRequest): Promise<SortedKey[]> {
  const { filters, after, limit } = request;
  await refuseForeign(executor, request);
  if (isFiltered(filters)) {
    const matches = await findKeys(executor, { ...request, cursor: null, limit: sortedAtOnce + 1 });
    if (matches.length <= sortedAtOnce) return sortMatches(executor, request, matches);
  }
  const found: SortedKey[] = [];
  if (after?.value !== null) {
    found.push(...(await readUnsearched(executor, request)));
    if (after !== null) found.push(...(await readValues(executor, request, 'equal')));
    if (found.length < limit) found.push(...(await readValues(executor, request, 'beyond')));
    sortKeys(found, request.order);
  }
  if (found.length < limit) found.push(...(await readWithout(executor, request, limit - found.length)));
  return found.slice(0, limit);
}

async function refuseForeign(executor: Executor, { after, filters }: SortedRequest): Promise<void> {
  if (after === null) return;
  const known = await executor.query('select 1 from bots where id = $1 and team_id = $2 and created_at = $3', [
    after.id,
    filters.teamId,
    after.at,
  ]);
  if (known.length === 0) throw foreignCursor();
}

function isFiltered({ teamId: _teamId, extra, ...others }: ListFilters): boolean {
  return extra.length > 0 || Object.values(others).some((filter) => filter !== undefined);
}

function sortKeys(keys: SortedKey[], { descending }: ExtraOrder): SortedKey[] {
  const bytes = new Map(keys.map(({ value }) => [value, value === null ? null : Buffer.from(value)]));
  return keys.sort((a, b) => {
    const [left, right] = [bytes.get(a.value) ?? null, bytes.get(b.value) ?? null];
    if (left === null || right === null) return left === right ? compareKeys(a, b) : left === null ? 1 : -1;
    const order = Buffer.compare(left, right);
    return order === 0 ? compareKeys(a, b) : descending ? -order : order;
  });
}

/** True when `key` comes after the place where the page begins. */
function isBehind(key: SortedKey, after: SortedPlace | null, order: ExtraOrder): boolean {
  if (after === null) return true;
  const [first] = sortKeys([{ ...after, tid: '' }, key], order);
  return first !== undefined && first.id === after.id && key.id !== after.id;
}

async function sortMatches(
  executor: Executor,
  { order, after, limit }: SortedRequest,
  matches: readonly FoundKey[],
): Promise<SortedKey[]> {
  const rows = await executor.query<{ id: string; value: string | null }>(
    'select id, extra_value(extra->>$2) as value from bots where ctid = any($1::tid[])',
    [matches.map(({ tid }) => tid), order.field],
  );
  const values = new Map(rows.map(({ id, value }) => [id, value]));
  const keys = matches.map((match) => ({ ...match, value: values.get(match.id) ?? null }));
  return sortKeys(keys, order)
    .filter((key) => isBehind(key, after, order))
    .slice(0, limit);
}

const keySql = `${keyTimeSql} as at, bots.id, bots.ctid::text as tid`;

/** Of the bots whose values are kept in order: those with the value of the place itself, or those beyond it. */
function readValues(executor: Executor, request: SortedRequest, part: 'equal' | 'beyond'): Promise<SortedKey[]> {
  const { filters, order, after } = request;
  const parameters = new Parameters();
  const where = [
    `sorted.team_id = ${parameters.add(filters.teamId, 'uuid')}`,
    `sorted.field = extra_field(${parameters.add(order.field, 'text')})`,
  ];
  if (after !== null) {
    const operator = part === 'equal' ? '=' : order.descending ? '<' : '>';
    where.push(`sorted.value ${operator} ${parameters.add(after.value, 'text')}`);
    if (part === 'equal') {
      const [at, id] = [parameters.add(after.at, 'timestamptz'), parameters.add(after.id, 'uuid')];
      where.push(`(sorted.created_at, sorted.bot_id) < (${at}, ${id})`);
    }
  }
  const conditions = conditionsOf(filters, parameters).map((condition) => ` and ${condition}`);
  const direction = order.descending ? 'desc' : 'asc';
  return executor.query<SortedKey>(
    `select sorted.value, ${keySql.replace('created_at', 'bots.created_at')} from bot_extra_values sorted
       cross join lateral (select * , ctid from bots where id = sorted.bot_id${conditions.join('')} offset 0) as bots
     where ${where.join(' and ')}
     order by sorted.value ${direction}, sorted.created_at desc, sorted.bot_id desc limit ${request.limit}`,
    parameters.values,
  );
}

/** Bots that have not ended: their values are in no order yet. */
async function readUnsearched(executor: Executor, request: SortedRequest): Promise<SortedKey[]> {
  const { filters, order, after } = request;
  const parameters = new Parameters();
  const value = `extra_value(extra->>${parameters.add(order.field, 'text')})`;
  const where = [
    `team_id = ${parameters.add(filters.teamId, 'uuid')}`,
    'ended_at is null',
    `${value} is not null`,
    ...conditionsOf(filters, parameters),
  ];
  const rows = await executor.query<SortedKey>(
    `select ${value} as value, ${keySql} from bots where ${where.join(' and ')}`,
    parameters.values,
  );
  return rows.filter((key) => isBehind(key, after, order));
}

async function readWithout(executor: Executor, request: SortedRequest, limit: number): Promise<SortedKey[]> {
  const { filters, order, after } = request;
  const parameters = new Parameters();
  const where = [
    `team_id = ${parameters.add(filters.teamId, 'uuid')}`,
    `extra->>${parameters.add(order.field, 'text')} is null`,
    ...conditionsOf(filters, parameters),
  ];
  if (after?.value === null) {
    where.push(`(created_at, id) < (${parameters.add(after.at, 'timestamptz')}, ${parameters.add(after.id, 'uuid')})`);
  }
  return executor.query<SortedKey>(
    `select null as value, ${keySql} from bots where ${where.join(' and ')}
     order by created_at desc, id desc limit ${limit}`,
    parameters.values,
  );
}
