import type { Database, Executor } from '@rapporteur/database';
import { keyTimeSql } from '../reading/list-cursor.ts';
import { listBots, listWithMetadata } from '../reading/list-bots.ts';
import { listRequestOf, readMetadataQuery } from '../reading/list-filters.ts';

/** Cost of one page in PostgreSQL, for all its statements together. */
export interface PageCost {
  readonly what: string;
  readonly group: 'plain' | 'filter' | 'sort';
  readonly statements: number;
  /** Pages of 8 KiB that were accessed, cached or not. */
  readonly buffers: number;
  /** Minimum of several readings. */
  readonly serverMs: number;
  /** From the first statement to the last response, minimum of several readings. */
  readonly wallMs: number;
  readonly listed: number;
  /** Relative to the first page of the same size. */
  readonly ratio: { readonly buffers: number; readonly serverMs: number; readonly wallMs: number };
}

interface MeasuredPage {
  readonly what: string;
  readonly group: PageCost['group'];
  readonly query: Record<string, string>;
}

/** Queries over the bots of `generateBots`. Legacy queries have the member `legacy`. */
const pages: readonly MeasuredPage[] = [
  { what: 'bot_name of few', group: 'filter', query: { bot_name: 'customer 4242 weekly' } },
  { what: 'bot_name of one', group: 'filter', query: { bot_name: 'weekly 4242' } },
  { what: 'bot_name of some', group: 'filter', query: { bot_name: 'er 42' } },
  { what: 'bot_name of most', group: 'filter', query: { bot_name: 'weekly' } },
  { what: 'bot_name of none', group: 'filter', query: { bot_name: 'nothing like it' } },
  { what: 'bot_name, three letters', group: 'filter', query: { bot_name: '424' } },
  { what: 'meeting_url of few', group: 'filter', query: { meeting_url: 'google.com/abc' } },
  { what: 'meeting_url, its middle', group: 'filter', query: { meeting_url: '-fhkb-' } },
  { what: 'participant_name', group: 'filter', query: { participant_name: 'ada 17' } },
  { what: 'extra of few', group: 'filter', query: { extra: 'customer:c-4242' } },
  { what: 'extra of many', group: 'filter', query: { extra: 'region:eu' } },
  { what: 'extra of one', group: 'filter', query: { extra: 'rare:r-50000' } },
  { what: 'extra of none', group: 'filter', query: { extra: 'customer:none' } },
  { what: 'extra, two that exclude each other', group: 'filter', query: { extra: 'region:eu,customer:c-4243' } },
  { what: 'status failed', group: 'filter', query: { status: 'failed' } },
  {
    what: 'filter_by_extra (legacy)',
    group: 'filter',
    query: { legacy: '', limit: '50', filter_by_extra: 'customer:c-4242' },
  },
  { what: 'sort_by_extra', group: 'sort', query: { legacy: '', limit: '50', sort_by_extra: 'rank' } },
  { what: 'sort_by_extra, descending', group: 'sort', query: { legacy: '', limit: '50', sort_by_extra: 'rank:desc' } },
  {
    what: 'sort_by_extra, few values',
    group: 'sort',
    query: { legacy: '', limit: '50', sort_by_extra: 'region:desc' },
  },
  { what: 'sort_by_extra, a field of few', group: 'sort', query: { legacy: '', limit: '50', sort_by_extra: 'rare' } },
  {
    what: 'sort_by_extra of a filtered list',
    group: 'sort',
    query: { legacy: '', limit: '50', sort_by_extra: 'rank', filter_by_extra: 'customer:c-4242' },
  },
];

const readings = 5;

/** Measures pages of 50 with EXPLAIN (ANALYZE, BUFFERS) on a table that `generateBots` has filled. */
export async function measureLists(database: Database, teamId: string): Promise<PageCost[]> {
  const [deep] = await database.query<{ at: string; id: string }>(
    `select ${keyTimeSql('admitted_at')} as at, bots.id from bots where team_id = $1 and team_number = 60`,
    [teamId],
  );
  const cursor = Buffer.from(`${deep?.at ?? ''}::${deep?.id ?? ''}`).toString('base64');
  const all: MeasuredPage[] = [
    { what: 'first page', group: 'plain', query: {} },
    { what: 'deepest page', group: 'plain', query: { cursor } },
    ...pages,
  ];
  const costs: Omit<PageCost, 'ratio'>[] = [];
  for (const internalRequest of all) costs.push(await measure(database, teamId, internalRequest));
  const [first] = costs;
  if (first === undefined) throw new Error('Nothing was measured.');
  return costs.map((cost) => ({
    ...cost,
    ratio: {
      buffers: cost.buffers / first.buffers,
      serverMs: cost.serverMs / first.serverMs,
      wallMs: cost.wallMs / first.wallMs,
    },
  }));
}

async function measure(
  database: Database,
  teamId: string,
  { what, group, query }: MeasuredPage,
): Promise<Omit<PageCost, 'ratio'>> {
  const read = (executor: Executor): Promise<number> => readPage(executor, teamId, query);
  const listed = await read(database);
  let wallMs = Number.POSITIVE_INFINITY;
  let least = { statements: 0, buffers: 0, serverMs: Number.POSITIVE_INFINITY };
  for (let reading = 0; reading < readings; reading += 1) {
    const startedMs = performance.now();
    await read(database);
    wallMs = Math.min(wallMs, performance.now() - startedMs);
    const meter = { statements: 0, buffers: 0, serverMs: 0 };
    await read(explaining(database, meter));
    if (meter.serverMs < least.serverMs) least = meter;
  }
  return { what, group, ...least, wallMs, listed };
}

async function readPage(
  executor: Executor,
  teamId: string,
  { legacy, ...query }: Record<string, string>,
): Promise<number> {
  const page =
    legacy === undefined
      ? await listBots(executor, listRequestOf(teamId, { ...query, limit: 50 }, Date.now()))
      : await listWithMetadata(executor, readMetadataQuery(teamId, query));
  return page.bots.length;
}

interface Meter {
  statements: number;
  buffers: number;
  serverMs: number;
}

interface Explained {
  readonly 'QUERY PLAN': [
    { readonly Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }; readonly 'Execution Time': number },
  ];
}

/** The same database, with every query also explained. */
function explaining(executor: Executor, meter: Meter): Executor {
  return { query: (sql, values = []) => explain(executor, meter, { sql, values }) };
}

async function explain<T>(
  executor: Executor,
  meter: Meter,
  { sql, values }: { readonly sql: string; readonly values: readonly unknown[] },
): Promise<T[]> {
  if (/^\s*(select|with)/.test(sql)) {
    const [row] = await executor.query<Explained>(`explain (analyze, buffers, format json) ${sql}`, values);
    const [{ Plan, 'Execution Time': ms }] = row?.['QUERY PLAN'] ?? [
      { Plan: { 'Shared Hit Blocks': 0, 'Shared Read Blocks': 0 }, 'Execution Time': 0 },
    ];
    meter.statements += 1;
    meter.buffers += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
    meter.serverMs += ms;
  }
  return executor.query<T>(sql, values);
}
