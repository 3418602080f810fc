import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { createdId, noRows, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam, testBox } from '../testing/test-scheduler.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const root = '/internal/v2/bots/scheduled';
let harness: AdmissionHarness;
let { sendRequest, database, schedule, countRows } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ sendRequest, database, schedule, countRows } = harness);
});
afterAll(() => harness.close());

const at = (inMs: number) => new Date(harness.clock.now() + inMs).toISOString();
const get = (teamId: string, botId: string) => sendRequest('GET', `${root}/${botId}`, teamId);
const patch = (teamId: string, botId: string, change: Record<string, unknown>) =>
  sendRequest('PATCH', `${root}/${botId}`, teamId, change);
const cancel = (teamId: string, botId: string) => sendRequest('DELETE', `${root}/${botId}`, teamId);
const secret = (teamId: string, botId: string, field: string) =>
  readSecret({ database, box: testBox }, { teamId, botId }, field);

describe('scheduling a bot', () => {
  test('reserves nothing and shows everything it was given, but no key and no token', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 0, tokens: 0 });
    const over = {
      extra: { customer: 'c-1' },
      callback_enabled: true,
      callback_config: { url: 'https://example.com/done', method: 'PUT', secret: 'shown-to-its-owner' },
      transcription_config: { provider: 'gladia', api_key: 'canary-1', region: null, custom_params: { a: 1 } },
      meet_config: { fallback: 'anonymous' },
      retention_hours: 72,
    };
    const botId = createdId(await schedule(teamId, dayMs, over));
    expect(await countRows(teamId)).toMatchObject({ ...noRows, scheduled: 1, secrets: 2 });
    const { body } = await get(teamId, botId);
    const { bot_name, meeting_url, recording_mode, timeout_config } = createBody();
    expect(body.data).toEqual({
      bot_id: botId,
      bot_name,
      meeting_url,
      meeting_platform: 'meet',
      join_at: at(dayMs),
      status: 'scheduled',
      extra: over.extra,
      created_at: at(0),
      updated_at: at(0),
      bot_image: null,
      bot_image_config: null,
      recording_mode,
      cancelled_at: null,
      allow_multiple_bots: true,
      ignored_participant_names: [],
      entry_message: null,
      timeout_config,
      transcription_config: {
        enabled: false,
        provider: 'gladia',
        region: null,
        fallback: null,
        custom_params: { a: 1 },
      },
      streaming_config: null,
      callback_config: { enabled: true, ...over.callback_config },
      alpha_config: null,
      meet_config: over.meet_config,
      teams_config: null,
      retention_hours: 72,
    });
    const rows = await database.query('select scheduled_bots::text from scheduled_bots where id = $1', [botId]);
    expect(JSON.stringify(rows)).not.toMatch(/canary|shown-to/);
    expect(await secret(teamId, botId, 'transcription_api_key')).toBe('canary-1');
  });

  test.each<[string, number, RegExp]>([
    ['half a minute', 0.5 * minuteMs, /at least 1 minute/],
    ['a time that is over', -minuteMs, /at least 1 minute/],
    ['91 days', 91 * dayMs, /at most 90 days/],
  ])('in %s is refused, and states why', async (_what, inMs, words) => {
    const teamId = await addTeam(database);
    const { status, body } = await schedule(teamId, inMs);
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'FST_ERR_VALIDATION' });
    expect(body['message']).toMatch(/^join_at: /);
    expect(body['message']).toMatch(words);
    expect(await countRows(teamId)).toMatchObject(noRows);
  });

  test('in a minute, or in 90 days, is taken', async () => {
    const teamId = await addTeam(database);
    for (const inMs of [minuteMs, 90 * dayMs]) createdId(await schedule(teamId, inMs));
  });

  test('refuses now what this deployment could not do then', async () => {
    const teamId = await addTeam(database);
    const refused = { status: 422, body: { code: 'FST_ERR_NOT_CONFIGURED' } };
    expect(await schedule(teamId, dayMs, { transcription_enabled: true })).toMatchObject(refused);
    expect((await schedule(teamId, dayMs, { meet_config: {} })).status).toBe(409);
    expect((await schedule(teamId, dayMs, { retention_hours: 73 })).status).toBe(400);
    expect((await schedule(teamId, dayMs, { join_at: 'tomorrow' })).status).toBe(400);
    expect((await schedule(randomUUID(), dayMs)).status).toBe(503);
    expect(await countRows(teamId)).toMatchObject(noRows);
  });

  test('through the legacy API needs no notice: a start time that is over means now', async () => {
    const teamId = await addTeam(database);
    const legacy = { webhook_url: null, api_key: 'k', deduplication_key: null };
    const botId = createdId(await schedule(teamId, -dayMs, { legacy }));
    expect((await get(teamId, botId)).body.data['join_at']).toBe(at(0));
    expect((await cancel(teamId, botId)).status).toBe(200);
  });

  test('works in batches too, one item at a time', async () => {
    const teamId = await addTeam(database);
    const items = [dayMs, 0, 2 * dayMs].map((inMs, index) => ({ index, body: createBody({ join_at: at(inMs) }) }));
    const { status, body } = await sendRequest('POST', `${root}/batch`, teamId, { items });
    expect(status).toBe(201);
    expect(body.data).toMatchObject([{ index: 0 }, { index: 2 }]);
    expect(body['errors']).toMatchObject([{ index: 1, code: 'VALIDATION_ERROR', details: 'join_at' }]);
  });
});

describe('changing a scheduled bot', () => {
  test('replaces what is given as a whole, and leaves the rest', async () => {
    const teamId = await addTeam(database);
    const callback_config = { url: 'https://example.com/one', method: 'PUT', secret: 'first' };
    const botId = createdId(
      await schedule(teamId, dayMs, { extra: { a: 1, b: 2 }, entry_message: 'Hello', callback_config }),
    );
    await harness.clock.advance(1_000);
    const change = {
      bot_name: 'Renamed',
      extra: { c: 3 },
      timeout_config: { silence_timeout: 900 },
      join_at: at(dayMs),
    };
    expect(await patch(teamId, botId, { ...change, callback_enabled: true })).toMatchObject({
      status: 200,
      body: { success: true, data: { message: 'The scheduled bot was changed.' } },
    });
    expect((await get(teamId, botId)).body.data).toMatchObject({
      bot_name: 'Renamed',
      extra: { c: 3 },
      entry_message: 'Hello',
      join_at: at(dayMs),
      updated_at: at(0),
      created_at: at(-1_000),
      timeout_config: { waiting_room_timeout: 600, silence_timeout: 900, grace_period: 0 },
      callback_config: { enabled: true, ...callback_config },
    });
    expect((await get(teamId, botId)).body.data['extra']).toEqual({ c: 3 });
    await patch(teamId, botId, { callback_config: { url: 'https://example.com/two' }, extra: null });
    expect((await get(teamId, botId)).body.data).toMatchObject({
      extra: null,
      callback_config: { enabled: true, url: 'https://example.com/two', method: 'POST', secret: null },
    });
    expect(await countRows(teamId)).toMatchObject({ secrets: 0 });
  });

  test('is checked as a whole, and a refused change changes nothing', async () => {
    const teamId = await addTeam(database);
    const botId = createdId(await schedule(teamId, dayMs));
    const before = await get(teamId, botId);
    const attempts: [Record<string, unknown>, number, string][] = [
      [{ bot_name: 'X', callback_enabled: true }, 400, 'callback_config'],
      [{ bot_name: 'X', join_at: at(0) }, 400, 'join_at'],
      [{ bot_name: 'X', alpha_config: { obf_token: 'x' } }, 400, 'alpha_config'],
      [{ bot_name: 'X', meeting_url: 'https://example.com' }, 400, 'meeting_url'],
      [{ bot_name: 'X', transcription_enabled: true }, 422, 'transcription_enabled'],
      [{ bot_name: 7 }, 400, 'bot_name'],
    ];
    for (const [change, status, words] of attempts) {
      const response = await patch(teamId, botId, change);
      expect([response.status, String(response.body['message'])]).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await get(teamId, botId)).toEqual(before);
    expect((await patch(teamId, botId, { meeting_url: 'https://meet.google.com/zzz-zzzz-zzz' })).status).toBe(200);
    expect((await get(teamId, botId)).body.data['meeting_url']).toBe('https://meet.google.com/zzz-zzzz-zzz');
  });

  test('ends four minutes before it joins; cancelling does not', async () => {
    const teamId = await addTeam(database);
    const botId = createdId(await schedule(teamId, 10 * minuteMs));
    await harness.clock.advance(6 * minuteMs);
    expect((await patch(teamId, botId, { bot_name: 'In time' })).status).toBe(200);
    await harness.clock.advance(1);
    const refused = await patch(teamId, botId, { bot_name: 'Too late', join_at: at(dayMs) });
    expect(refused).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
    expect(refused.body['message']).toMatch(/less than 4 minutes/);
    expect((await cancel(teamId, botId)).status).toBe(200);
    expect(await patch(teamId, botId, { bot_name: 'Gone' })).toMatchObject({ status: 409 });
  });
});

describe('cancelling a scheduled bot', () => {
  test('keeps its record, forgets its secrets, and works once', async () => {
    const teamId = await addTeam(database);
    const legacy = { webhook_url: null, api_key: 'k', deduplication_key: null };
    const botId = createdId(await schedule(teamId, dayMs, { legacy }));
    const responses = await Promise.all(Array.from({ length: 5 }, () => cancel(teamId, botId)));
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(['200', '409', '409', '409', '409']);
    expect((await get(teamId, botId)).body.data).toMatchObject({ status: 'cancelled', cancelled_at: at(0) });
    expect(await countRows(teamId)).toMatchObject({ ...noRows, scheduled: 1 });
    await harness.clock.advance(2 * dayMs);
    await harness.runDue();
    expect(await countRows(teamId)).toMatchObject({ bots: 0 });
  });
});

test('a scheduled bot of another team is as unknown as one that never was', async () => {
  const teamId = await addTeam(database);
  const stranger = await addTeam(database);
  const botId = createdId(await schedule(teamId, dayMs));
  for (const act of [get, cancel, (team: string, id: string) => patch(team, id, { bot_name: 'Mine' })]) {
    const foreign = await act(stranger, botId);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'FST_ERR_BOT_NOT_FOUND_BY_ID' } });
    expect(await act(stranger, randomUUID())).toEqual(foreign);
  }
  expect((await get(teamId, botId)).body.data).toMatchObject({ status: 'scheduled' });
});

describe('the list of scheduled bots', () => {
  interface Page {
    readonly ids: string[];
    readonly cursor: string | null;
    readonly prev: string | null;
    readonly total: number;
  }
  const list = async (teamId: string, query: Record<string, string> = {}): Promise<Page> => {
    const { status, body } = await sendRequest('GET', `${root}?${new URLSearchParams(query).toString()}`, teamId);
    expect([status, body]).toEqual([200, expect.objectContaining({ success: true })]);
    const { cursor, prev_cursor, total } = body as unknown as Record<string, string | null>;
    const ids = (body.data as unknown as { bot_id: string }[]).map(({ bot_id }) => bot_id);
    return { ids, cursor: cursor ?? null, prev: prev_cursor ?? null, total: Number(total) };
  };

  test('is paged in both directions in the order of join times, also where they are equal', async () => {
    const teamId = await addTeam(database);
    const made: { id: string; inMs: number }[] = [];
    for (const days of [5, 1, 3, 3, 3, 2, 4]) {
      made.push({ id: createdId(await schedule(teamId, days * dayMs)), inMs: days * dayMs });
    }
    const order = made.toSorted((a, b) => a.inMs - b.inMs || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    const first = await list(teamId, { limit: '3' });
    expect(first).toMatchObject({ ids: order.slice(0, 3), prev: null, total: 7 });
    const second = await list(teamId, { limit: '3', cursor: first.cursor ?? '' });
    expect(second.ids).toEqual(order.slice(3, 6));
    const third = await list(teamId, { limit: '3', cursor: second.cursor ?? '' });
    expect(third).toMatchObject({ ids: order.slice(6), cursor: null, total: 7 });
    const back = await list(teamId, { limit: '3', cursor: third.prev ?? '' });
    expect(back.ids).toEqual(second.ids);
    expect(await list(teamId, { limit: '3', cursor: back.prev ?? '' })).toMatchObject({ ids: first.ids, prev: null });
    expect((await list(teamId)).ids).toEqual(order);
    expect((await list(teamId, { limit: '7' })).cursor).toBeNull();
  });

  test('has all its filters, and takes their text as it is', async () => {
    const teamId = await addTeam(database);
    const percent = createdId(await schedule(teamId, dayMs, { bot_name: '100% Bot', extra: { n: 1, region: 'eu' } }));
    const other = createdId(
      await schedule(teamId, 2 * dayMs, { meeting_url: 'https://meet.google.com/zzz-zzzz-zzz', extra: { n: 2 } }),
    );
    await cancel(teamId, other);
    const only: [Record<string, string>, string[]][] = [
      [{ bot_name: '0% BO' }, [percent]],
      [{ bot_name: '_' }, []],
      [{ bot_name: String.raw`\ ` }, []],
      [{ bot_id: other.slice(3, 20).toUpperCase() }, [other]],
      [{ meeting_url: 'ZZZ-zzzz' }, [other]],
      [{ scheduled_after: at(2 * dayMs) }, [other]],
      [{ scheduled_before: at(dayMs) }, [percent]],
      [{ scheduled_after: '2016-12-31T23:59:60Z' }, [percent, other]],
      [{ status: 'cancelled,failed' }, [other]],
      [{ status: 'scheduled' }, [percent]],
      [{ meeting_platform: 'meet,zoom' }, [percent, other]],
      [{ meeting_platform: 'teams' }, []],
      [{ extra: 'n:1,region:eu' }, [percent]],
      [{ extra: 'n:2,region:eu' }, []],
      [{ extra: 'missing:1' }, []],
    ];
    for (const [query, ids] of only)
      expect([query, await list(teamId, query)]).toMatchObject([query, { ids, total: ids.length }]);
    expect((await list(await addTeam(database))).ids).toEqual([]);
  });

  test.each([
    { cursor: 'nonsense' },
    { cursor: Buffer.from('2026-13-01::x').toString('base64') },
    { limit: '101' },
    { scheduled_after: 'soon' },
    { scheduled_after: '0000-01-01T00:00:00Z' },
    { cursor: Buffer.from(`0000-01-01T00:00:00Z::${randomUUID()}`).toString('base64') },
  ])('refuses a query like %j by name', async (query) => {
    const { status, body } = await sendRequest('GET', `${root}?${new URLSearchParams(query).toString()}`, randomUUID());
    expect([status, body]).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
    expect(String(body['message'])).toContain(`${Object.keys(query)[0] ?? ''}: `);
  });
});
