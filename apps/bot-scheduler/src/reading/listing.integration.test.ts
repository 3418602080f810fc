import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateBots } from '../testing/generated-bots.ts';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { measureLists } from '../testing/list-cost.ts';
import { createSearchIndex } from './search-index.ts';

let harness: AdmissionHarness;
let teamId: string;
/** Every bot of the team as stored, newest first. */
let rows: Row[] = [];

interface Row {
  readonly id: string;
  readonly bot_name: string;
  readonly meeting_url: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly status: string;
  readonly participants: { name: string }[];
  readonly extra: Record<string, string | number | boolean> | null;
}

const count = 6_000;

beforeAll(async () => {
  harness = await openAdmissionHarness();
  teamId = await addTeam(harness.database, { tokens: 36_000_000, dailyBotCap: 10_000 });
  await generateBots(harness.database, { count, teamId, newest: new Date(harness.clock.now() - 60_000) });
  // Bots in progress, in addition to ended ones.
  for (let number = 0; number < 12; number += 1) {
    const extra = { customer: 'c-1', region: number % 2 === 0 ? 'eu' : 'us' };
    createdId(await harness.create(teamId, { bot_name: `Live ${number}`, extra }));
  }
  // Many bots with the same time: the id decides.
  await harness.database.query(
    `update bots set (created_at, admitted_at) =
       (select created_at, admitted_at from bots where team_id = $1 and team_number = 3000)
     where team_id = $1 and team_number between 3000 and 3060`,
    [teamId],
  );
  rows = await harness.database.query<Row>(
    'select * from bots where team_id = $1 order by bots.created_at desc, bots.id desc',
    [teamId],
  );
}, 120_000);
afterAll(() => harness.close());

interface Listed {
  readonly ids: string[];
  readonly cursor: string | null;
  readonly previous: string | null;
}

async function list(query: Record<string, string>, team = teamId): Promise<Listed> {
  const path = `/internal/v2/bots?${new URLSearchParams(query).toString()}`;
  const { status, body } = await harness.sendRequest('GET', path, team);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const page = body as unknown as { data: { bot_id: string }[]; cursor: string | null; prev_cursor: string | null };
  return { ids: page.data.map(({ bot_id }) => bot_id), cursor: page.cursor, previous: page.prev_cursor };
}

async function listAll(query: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Listed = await list({ limit: '250', ...query, ...(cursor === null ? {} : { cursor }) });
    ids.push(...page.ids);
    cursor = page.cursor;
  } while (cursor !== null);
  return ids;
}

const idsOf = (wanted: (row: Row) => boolean): string[] => rows.filter(wanted).map(({ id }) => id);
const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

describe('GET /v2/bots', () => {
  test('gives every bot once, newest first, and the same pages backward', async () => {
    expect(await listAll({})).toEqual(rows.map(({ id }) => id));
    const pages: Listed[] = [await list({ limit: '40' })];
    while (pages.length < 5) pages.push(await list({ limit: '40', cursor: pages.at(-1)?.cursor ?? '' }));
    expect(pages[0]?.previous).toBeNull();
    let page = pages[4];
    for (const before of [3, 2, 1, 0]) {
      page = await list({ limit: '40', cursor: page?.previous ?? '' });
      expect(page.ids).toEqual(pages[before]?.ids);
    }
    expect(page?.previous).toBeNull();
  });

  const filters: [string, Record<string, string>, (row: Row) => boolean][] = [
    ['a name that few have', { bot_name: 'customer 4242 w' }, (row) => has(row.bot_name, 'customer 4242 w')],
    ['a name that many have', { bot_name: 'WEEKLY 1' }, (row) => has(row.bot_name, 'weekly 1')],
    ['a name of no participant', { bot_name: 'daily standup' }, () => false],
    ['a short part of a name', { bot_name: 'e 1' }, (row) => has(row.bot_name, 'e 1')],
    ['three letters', { bot_name: '417' }, (row) => has(row.bot_name, '417')],
    ['a meeting link', { meeting_url: 'GOOGLE.com/a' }, (row) => has(row.meeting_url, 'google.com/a')],
    [
      'a participant',
      { participant_name: 'ada 11' },
      (row) => row.participants.some(({ name }) => has(name, 'ada 11')),
    ],
    ['a name as JSON text holds it', { participant_name: '", "' }, () => false],
    ['a field of extra', { extra: 'region:eu' }, (row) => row.extra?.['region'] === 'eu'],
    [
      'two fields of extra',
      { extra: 'region:eu,customer:c-1' },
      (row) => row.extra?.['region'] === 'eu' && row.extra['customer'] === 'c-1',
    ],
    ['a number in extra', { extra: 'rank:15' }, (row) => row.extra?.['rank'] === 15],
    ['a boolean in extra', { extra: 'seen:true' }, (row) => row.extra?.['seen'] === true],
    ['extra in another case', { extra: 'region:EU' }, () => false],
    ['a status', { status: 'failed' }, (row) => row.status === 'failed'],
    ['several statuses', { status: 'queued,failed' }, (row) => ['queued', 'failed'].includes(row.status)],
    ['another platform', { meeting_platform: 'zoom,teams' }, () => false],
    [
      'all of it',
      { bot_name: 'weekly', extra: 'seen:true', status: 'failed', meeting_platform: 'meet' },
      (row) => has(row.bot_name, 'weekly') && row.extra?.['seen'] === true && row.status === 'failed',
    ],
  ];
  test.each(filters)('finds exactly the bots with %s, on small pages and large ones', async (_what, query, wanted) => {
    const expected = idsOf(wanted);
    expect(await listAll(query)).toEqual(expected);
    const first = await list({ ...query, limit: '7' });
    expect(first.ids).toEqual(expected.slice(0, 7));
    if (first.cursor === null) return;
    const second = await list({ ...query, limit: '7', cursor: first.cursor });
    expect(second.ids).toEqual(expected.slice(7, 14));
    expect((await list({ ...query, limit: '7', cursor: second.previous ?? '' })).ids).toEqual(expected.slice(0, 7));
  });

  test('finds ids by a part of them, long or short', async () => {
    const { id } = rows[4_321] ?? { id: '' };
    expect(await listAll({ bot_id: id })).toEqual([id]);
    expect(await listAll({ bot_id: id.slice(0, 8).toUpperCase() })).toEqual(
      idsOf((row) => row.id.includes(id.slice(0, 8))),
    );
    expect(await listAll({ bot_id: id.slice(7, 20) })).toEqual([id]);
    expect(await listAll({ bot_id: id.slice(0, 3) })).toEqual(idsOf((row) => row.id.includes(id.slice(0, 3))));
  });

  test('takes times as bounds that are included', async () => {
    const [newer, older] = [rows[100], rows[400]];
    const created = {
      created_after: older?.created_at.toISOString() ?? '',
      created_before: newer?.created_at.toISOString() ?? '',
    };
    const between = (row: Row): boolean =>
      row.created_at >= (older?.created_at ?? new Date(0)) && row.created_at <= (newer?.created_at ?? new Date(0));
    expect(await listAll(created)).toEqual(idsOf(between));
    expect(await listAll({ ...created, extra: 'region:us' })).toEqual(
      idsOf((row) => between(row) && row.extra?.['region'] === 'us'),
    );
    const ended = older?.ended_at ?? new Date();
    expect(await listAll({ ended_after: ended.toISOString() })).toEqual(
      idsOf((row) => row.ended_at !== null && row.ended_at >= ended),
    );
  });

  test('reads wildcards of patterns as plain text', async () => {
    const special = createdId(await harness.create(teamId, { bot_name: '100%_sure \\ "yes"' }));
    for (const part of ['100%_s', '%_', '\\ "', '%', '_sure'])
      expect((await list({ bot_name: part })).ids).toEqual([special]);
    expect((await list({ bot_name: '100__s' })).ids).toEqual([]);
    const umlaut = createdId(await harness.create(teamId, { bot_name: 'ÄRZTETAG Übersicht' }));
    expect((await list({ bot_name: 'ärztetag ü' })).ids).toEqual([umlaut]);
    rows = await harness.database.query<Row>(
      'select * from bots where team_id = $1 order by created_at desc, id desc',
      [teamId],
    );
  });

  test('stays in its place while bots are created', async () => {
    const first = await list({ limit: '20' });
    await harness.clock.advance(1_000);
    const added = createdId(await harness.create(teamId, { bot_name: 'Live and new' }));
    const second = await list({ limit: '20', cursor: first.cursor ?? '' });
    expect(second.ids).toEqual(rows.slice(20, 40).map(({ id }) => id));
    expect((await list({ limit: '20', cursor: second.previous ?? '' })).ids).toEqual(first.ids);
    expect((await list({ limit: '1' })).ids).toEqual([added]);
  });

  test('shows another team nothing, and takes no cursor from it', async () => {
    const stranger = await addTeam(harness.database);
    expect(await list({ bot_name: 'customer' }, stranger)).toEqual({ ids: [], cursor: null, previous: null });
    const { cursor } = await list({ limit: '1' });
    const path = `/internal/v2/bots?${new URLSearchParams({ cursor: cursor ?? '' }).toString()}`;
    expect((await harness.sendRequest('GET', path, stranger)).status).toBe(400);
  });

  test.each([
    ['2016-12-31T08:00:00-16:00', '2017-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['2016-12-31t23:59:60z', '2017-01-01T00:00:00Z'],
  ])('takes %s, a date-time of RFC 3339, for %s', async (given, same) => {
    const { ids } = await list({ ended_after: given });
    expect(ids).toEqual((await list({ ended_after: same })).ids);
    expect(ids).not.toEqual([]);
  });

  const day = 86_400_000;
  test.each([
    ['cursor', () => 'nonsense'],
    ['cursor', () => Buffer.from(`2026-01-01T00:00:00.000Z::${randomUUID()}`).toString('base64')],
    ['limit', () => '0'],
    ['limit', () => '251'],
    ['created_after', () => 'yesterday'],
    ['created_after', () => new Date(harness.clock.now() - 91 * day).toISOString()],
    ['created_before', () => new Date(harness.clock.now() + day).toISOString()],
    ['ended_after', () => '2026-02-31T00:00:00Z'],
    ['ended_after', () => '0000-01-01T00:00:00Z'],
    ['cursor', () => Buffer.from(`0000-01-01T00:00:00Z::${randomUUID()}`).toString('base64')],
    ['extra', () => 'customer'],
  ])('refuses a wrong %s and names it', async (field, value) => {
    const response = await harness.sendRequest(
      'GET',
      `/internal/v2/bots?${new URLSearchParams({ [field]: value() }).toString()}`,
      teamId,
    );
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'FST_ERR_VALIDATION',
      message: expect.stringContaining(`${field}: `),
    });
  });
});

describe('the legacy list', () => {
  interface Page {
    readonly ids: string[];
    readonly next: string | null;
  }
  const metadata = async (query: Record<string, string>): Promise<Page> => {
    const path = `/internal/v1/bots-with-metadata?${new URLSearchParams(query).toString()}`;
    const { status, body } = await harness.sendRequest('GET', path, teamId);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const data = body.data as unknown as { items: { bot_id: string }[]; next_cursor: string | null };
    return { ids: data.items.map(({ bot_id }) => bot_id), next: data.next_cursor };
  };
  const pages = async (query: Record<string, string>, most: number): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await metadata({ limit: '50', ...query, ...(cursor === null ? {} : { cursor }) });
      ids.push(...page.ids);
      cursor = page.next;
    } while (cursor !== null && ids.length < most);
    return ids.slice(0, most);
  };
  const text = (row: Row, field: string): string | null => {
    const value = row.extra?.[field];
    return value === undefined ? null : String(value);
  };
  const sorted = (field: string, descending: boolean, wanted: (row: Row) => boolean): string[] => {
    const all = rows.filter(wanted);
    const withField = all.filter((row) => text(row, field) !== null);
    // A stable sort of the list, newest first.
    withField.sort((a, b) => {
      const [left, right] = [text(a, field) ?? '', text(b, field) ?? ''];
      const order = left < right ? -1 : left > right ? 1 : 0;
      return descending ? -order : order;
    });
    return [...withField, ...all.filter((row) => text(row, field) === null)].map(({ id }) => id);
  };

  beforeAll(async () => {
    rows = await harness.database.query<Row>(
      'select * from bots where team_id = $1 order by created_at desc, id desc',
      [teamId],
    );
  });

  test('has ten items on a page, newest first, and goes on', async () => {
    const first = await metadata({});
    expect(first.ids).toEqual(rows.slice(0, 10).map(({ id }) => id));
    expect((await metadata({ cursor: first.next ?? '' })).ids).toEqual(rows.slice(10, 20).map(({ id }) => id));
  });

  test.each([
    ['region', false, {}, () => true],
    ['region', true, {}, () => true],
    ['rank', false, {}, () => true],
    ['customer', true, { filter_by_extra: 'seen:true' }, (row: Row) => row.extra?.['seen'] === true],
    ['rank', false, { filter_by_extra: 'customer:c-1' }, (row: Row) => row.extra?.['customer'] === 'c-1'],
    ['region', false, { bot_name: 'weekly 59' }, (row: Row) => has(row.bot_name, 'weekly 59')],
  ] as [string, boolean, Record<string, string>, (row: Row) => boolean][])(
    'sorted by %s (descending: %s) filtered by %j is a stable sort of what the filter lets through',
    async (field, descending, query, wanted) => {
      const found = await pages({ ...query, sort_by_extra: `${field}:${descending ? 'desc' : 'asc'}` }, 600);
      expect(found).toEqual(sorted(field, descending, wanted).slice(0, 600));
    },
  );

  test('sorted by a field that few have shows those first and then all others, each once', async () => {
    const found = await pages({ sort_by_extra: 'seen' }, rows.length + 1);
    expect(found).toEqual(sorted('seen', false, () => true));
    expect((await metadata({ sort_by_extra: 'unheard_of' })).ids).toEqual(rows.slice(0, 10).map(({ id }) => id));
  });

  test('finds speakers by a part of their name', async () => {
    const { ids } = await metadata({ speaker_name: 'ADA 117', limit: '50' });
    expect(ids).toEqual(idsOf((row) => row.participants.some(({ name }) => has(name, 'ada 117'))).slice(0, 50));
  });

  test.each([
    ['cursor', 'nonsense'],
    ['cursor', Buffer.from(`0000-01-01T00:00:00Z::${randomUUID()}`).toString('base64')],
    ['created_after', '0000-01-01T00:00:00Z'],
  ])('refuses %s %s and names it', async (field, value) => {
    await expect(metadata({ [field]: value })).rejects.toThrow(`${field}: `);
  });

  test('takes no cursor of a list that was sorted otherwise', async () => {
    const { next } = await metadata({ sort_by_extra: 'region' });
    await expect(metadata({ sort_by_extra: 'region:desc', cursor: next ?? '' })).rejects.toThrow('cursor: ');
    await expect(metadata({ cursor: next ?? '' })).rejects.toThrow('cursor: ');
  });
});

describe('the search index', () => {
  const messages: string[] = [];
  const note = (_fields: unknown, message: string): void => void messages.push(message);
  const logger = { info: note, warn: note };
  const indexes = () =>
    harness.database.query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('bots_search')`);

  test('is created where it is missing, once, and again after an interrupted build', async () => {
    await harness.database.query('drop index bots_search');
    await Promise.all([createSearchIndex(harness.database, logger), createSearchIndex(harness.database, logger)]);
    expect(messages).toEqual(['search index of bots created']);
    await harness.database.query(
      `update pg_index set indisvalid = false where indexrelid = to_regclass('bots_search')`,
    );
    await createSearchIndex(harness.database, logger);
    await createSearchIndex(harness.database, logger);
    expect(messages).toHaveLength(2);
    expect(await indexes()).toEqual([{ valid: true }]);
  });

  test('is announced as missing, with the remedy, where its extensions may not be created; filters work without it', async () => {
    await harness.database.query('drop index bots_search; drop extension pg_trgm; drop extension btree_gin');
    const role = `lists_${randomUUID().slice(0, 8)}`;
    await harness.database.query(`create role ${role}; grant usage on schema bots to ${role}`);
    const source = Object.create(harness.database.source) as typeof harness.database.source;
    source.createQueryRunner = () => {
      const runner = harness.database.source.createQueryRunner();
      const query = runner.query.bind(runner);
      let asRole = false;
      runner.query = async (...given: Parameters<typeof query>) => {
        if (!asRole) await query(`set role ${role}`);
        asRole = true;
        return query(...given);
      };
      const release = runner.release.bind(runner);
      runner.release = async () => {
        await query('reset role');
        await release();
      };
      return runner;
    };
    await createSearchIndex({ ...harness.database, source }, logger);
    expect(messages.at(-1)).toContain('create extension pg_trgm');
    expect(await indexes()).toEqual([]);
    expect(await listAll({ bot_name: 'customer 4242 w' })).toEqual(
      idsOf((row) => has(row.bot_name, 'customer 4242 w')),
    );
    await createSearchIndex(harness.database, logger);
    expect(await indexes()).toEqual([{ valid: true }]);
    await harness.database.query(`drop owned by ${role}; drop role ${role}`);
  });
});

describe('the cost of a page', () => {
  test('hardly grows with depth, and filters and sorting read a bounded multiple of an unfiltered page', async () => {
    const costs = await measureLists(harness.database, teamId);
    const buffersOf = (what: string): number => costs.find((cost) => cost.what === what)?.buffers ?? Number.NaN;
    const first = buffersOf('first page');
    expect(buffersOf('deepest page') / first).toBeLessThanOrEqual(1.5);
    for (const { what, buffers, ratio } of costs.filter(({ group }) => group === 'filter')) {
      expect({ what, within: buffers <= 60 * first, ratio: ratio.buffers }).toMatchObject({ within: true });
    }
    for (const { what, buffers } of costs.filter(({ group }) => group === 'sort')) {
      expect({ what, within: buffers <= 500 * first }).toMatchObject({ within: true });
    }
  });
});
