import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createInternalAuth, Secret } from '@rapporteur/service-runtime';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { createdId, noRows, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam, internalSecret, testBox } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
let { clock, database, create, createMany, countRows, sendRequest } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ clock, database, create, createMany, countRows, sendRequest } = harness);
});
afterAll(() => harness.close());
afterEach(() => clock.advance(25 * 3_600_000));

describe('a bot that is admitted', () => {
  test('is queued with its history, its events and its reservation', async () => {
    const teamId = await addTeam(database, { tokens: 36_000 });
    const reply = await create(teamId, { extra: { a: 1 } });
    expect(reply).toEqual({
      status: 201,
      body: { success: true, data: { bot_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
    });
    const rows = { bots: 1, history: 1, ledger: 1, events: 1, secrets: 0, scheduled: 0, counted: 1 };
    expect(await countRows(teamId)).toEqual({ ...rows, balance: 36_000, reserved: 1_800 });
    const details = await sendRequest('GET', `/internal/v2/bots/${String(reply.body.data['bot_id'])}`, teamId);
    expect(details.body.data).toMatchObject({
      status: 'queued',
      extra: { a: 1 },
      joined_at: null,
      tokens: null,
      participants: [],
      video: null,
    });
  });

  test('may be sent to a simulator of this deployment', async () => {
    const teamId = await addTeam(database);
    const { status, body } = await create(teamId, {
      meeting_url: 'https://meet.simulator.localhost:8443/abc-defg-hij',
    });
    expect(status).toBe(201);
    const [bot] = await database.query<Record<string, unknown>>('select * from bots where id = $1', [
      body.data['bot_id'],
    ]);
    expect(bot).toMatchObject({
      simulated: true,
      join_url: 'https://meet.google.com/abc-defg-hij',
      meeting_url: 'https://meet.simulator.localhost:8443/abc-defg-hij',
    });
  });

  test('publishes its events in the order of its life, as the outbox itself would have written them', async () => {
    const teamId = await addTeam(database);
    const legacy = { webhook_url: 'https://example.com/hook', api_key: null, deduplication_key: null };
    const botId = createdId(await create(teamId, { extra: { a: 1 }, legacy }));
    const rows = await database.query<Record<string, unknown>>(
      `select type, data, trace, consumers, settled_by, settled_at, notifications, occurred_at <= now() as past
       from outbox where data->>'botId' = $1 order by position`,
      [botId],
    );
    const fresh = {
      trace: expect.stringMatching(/^00-[0-9a-f]{32}-/),
      settled_by: [],
      settled_at: null,
      notifications: 0,
      past: true,
    };
    const status = { code: 'queued', created_at: new Date(clock.now()).toISOString() };
    expect(rows).toEqual([
      {
        ...fresh,
        type: 'bots.v1.status-changed',
        consumers: ['delivery'],
        data: {
          botId,
          teamId,
          sequence: 1,
          order: { sequence: 1, at: status.created_at, event: 'bot.status_change', previous: {} },
          calendarEventId: null,
          status,
          extra: { a: 1 },
          legacy: { webhookUrl: legacy.webhook_url },
        },
      },
    ]);
  });

  test('is stored with everything it was created with, and its secrets only sealed', async () => {
    const teamId = await addTeam(database);
    const callback_config = { url: 'https://example.com/done', method: 'PUT', secret: 'canary-callback' };
    const legacy = { webhook_url: null, api_key: 'canary-key', deduplication_key: 'one' };
    const shown = { callback_enabled: true, ignored_participant_names: ['Otter'] };
    const botId = createdId(await create(teamId, { ...shown, callback_config, legacy }));
    const [row] = await database.query<Record<string, unknown>>('select * from bots where id = $1', [botId]);
    expect(row).toMatchObject({
      request: {
        ...createBody(),
        ...shown,
        callback_config: { url: callback_config.url, method: 'PUT' },
      },
      callback: { url: callback_config.url, method: 'PUT', secretField: 'callback_secret' },
      legacy: { webhookUrl: null },
      deduplication_key: 'one',
      number: expect.stringMatching(/^\d+$/),
      team_number: '1',
      join_at: null,
    });
    const secrets = await database.query<{ field: string }>('select * from bot_secrets where bot_id = $1', [botId]);
    expect(secrets.map(({ field }) => field).sort()).toEqual(['callback_secret', 'legacy_api_key']);
    const dump = await database.query(
      'select bots::text, (select string_agg(outbox::text, $2) from outbox) from bots where id = $1',
      [botId, ' '],
    );
    expect(JSON.stringify([dump, secrets.map((secret) => JSON.stringify(secret))])).not.toContain('canary');
    expect(await readSecret({ database, box: testBox }, { teamId, botId }, 'callback_secret')).toBe('canary-callback');
    expect(await readSecret({ database, box: testBox }, { teamId, botId }, 'legacy_api_key')).toBe('canary-key');
  });

  test('keeps no secret of a feature that is off', async () => {
    const teamId = await addTeam(database);
    const callback_config = { url: 'https://example.com', method: 'POST', secret: 'canary-secret' };
    await create(teamId, { callback_config });
    const rows = await database.query('select * from bots where team_id = $1', [teamId]);
    expect(JSON.stringify(rows)).not.toContain('canary-secret');
    expect(await countRows(teamId)).toMatchObject({ bots: 1, secrets: 0 });
    expect(rows[0]).toMatchObject({ callback: null, request: { callback_config: { url: 'https://example.com' } } });
  });
});

describe('a bot that is refused', () => {
  test.each<[string, Record<string, unknown>, number, string, RegExp]>([
    [
      'a link that is no meeting',
      { meeting_url: 'https://example.com/x' },
      400,
      'FST_ERR_INVALID_MEETING_URL',
      /meeting_url: The meeting link is not on/,
    ],
    [
      'an http link',
      { meeting_url: 'http://meet.google.com/abc-defg-hij' },
      400,
      'FST_ERR_VALIDATION',
      /^meeting_url: /,
    ],
    [
      'a simulator that is not this one',
      { meeting_url: 'https://meet.simulator.localhost:1/abc-defg-hij' },
      400,
      'FST_ERR_INVALID_MEETING_URL',
      /not on/,
    ],
    [
      'tokens for Zoom',
      { meeting_url: 'https://zoom.us/j/12345678901', alpha_config: { obf_token: 'x' } },
      422,
      'FST_ERR_NOT_CONFIGURED',
      /Zoom/,
    ],
    ['a transcript', { transcription_enabled: true }, 422, 'FST_ERR_NOT_CONFIGURED', /transcribe/],
    ['a login', { meet_config: { fallback: 'fail' } }, 409, 'MEET_LOGIN_UNAVAILABLE', /login/],
    ['a number for a name', { bot_name: 7 }, 400, 'FST_ERR_VALIDATION', /^bot_name: /],
  ])('because it requests %s gets an error and leaves no rows behind', async (_what, over, status, code, message) => {
    const teamId = await addTeam(database);
    const reply = await create(teamId, over);
    expect(reply).toMatchObject({ status, body: { success: false, code, statusCode: status } });
    expect(reply.body['message']).toMatch(message);
    expect(await countRows(teamId)).toMatchObject(noRows);
  });

  test('because its team is not known here yet may try again in a moment', async () => {
    const reply = await create(randomUUID());
    expect(reply).toMatchObject({ status: 503, body: { code: 'FST_ERR_UNAVAILABLE', retryAfter: 1 } });
  });

  test('because tokens are short leaves no rows behind', async () => {
    const teamId = await addTeam(database, { tokens: 1_440 });
    const reply = await create(teamId);
    expect(reply).toMatchObject({ status: 402, body: { code: 'FST_ERR_INSUFFICIENT_TOKENS' } });
    expect(reply.body['message']).toContain('1440 left');
    expect(await countRows(teamId)).toMatchObject({ ...noRows, balance: 1_440 });
  });
});

describe('any number of parallel requests', () => {
  test('to one meeting with allow_multiple_bots false gives exactly one bot', async () => {
    const teamId = await addTeam(database);
    const responses = await createMany(100, teamId, { allow_multiple_bots: false });
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ body }) => body['code'] === ('FST_ERR_BOT_ALREADY_EXISTS' as unknown))).toHaveLength(99);
    expect(await countRows(teamId)).toMatchObject({ bots: 1, history: 1, ledger: 1, events: 1, reserved: 1_800 });
  });

  test('at a daily cap gives exactly as many bots as the cap', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 75 });
    const responses = await createMany(200, teamId);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(75);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(125);
    expect(await countRows(teamId)).toMatchObject({ bots: 75, history: 75, ledger: 75, events: 75, reserved: 135_000 });
  });

  test('never reserves more tokens than there are', async () => {
    const teamId = await addTeam(database, { tokens: 18_720 });
    const responses = await createMany(40, teamId);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(30);
    expect(await countRows(teamId)).toMatchObject({ bots: 10, balance: 18_720, reserved: 18_000 });
  });

  test('of different teams do not wait for each other', async () => {
    const teams = await Promise.all(Array.from({ length: 5 }, () => addTeam(database, { dailyBotCap: 3 })));
    const responses = await Promise.all(
      teams.flatMap((teamId) => Array.from({ length: 6 }, () => create(teamId, { allow_multiple_bots: true }))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(15);
  });
});

describe('a queued bot', () => {
  test('that is requested to leave ends at once, gives its tokens back and has one final event', async () => {
    const teamId = await addTeam(database, { tokens: 36_000 });
    const { body } = await create(teamId);
    const path = `/internal/v2/bots/${String(body.data['bot_id'])}`;
    const left = await sendRequest('POST', `${path}/leave`, teamId);
    expect(left).toMatchObject({
      status: 200,
      body: { data: { message: 'The bot was cancelled before it joined the meeting.' } },
    });
    const details = await sendRequest('GET', path, teamId);
    expect(details.body.data).toMatchObject({
      status: 'failed',
      error_code: 'EXITING_MEETING_BEFORE_RECORD',
      error_message: expect.stringContaining('No tokens were used'),
      tokens: { total: 0 },
    });
    expect((await sendRequest('POST', `${path}/leave`, teamId)).status).toBe(409);
    expect(await countRows(teamId)).toMatchObject({ balance: 36_000, reserved: 0 });
    const finals = await database.query(`select 1 from outbox where type = 'bots.v1.ended' and data->>'botId' = $1`, [
      body.data['bot_id'],
    ]);
    expect(finals).toHaveLength(1);
  });

  test('that many requests end at the same time ends once', async () => {
    const teamId = await addTeam(database);
    const { body } = await create(teamId);
    const path = `/internal/v2/bots/${String(body.data['bot_id'])}/leave`;
    const responses = await Promise.all(Array.from({ length: 20 }, () => sendRequest('POST', path, teamId)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

test('only the gateway may create bots', async () => {
  const stranger = createInternalAuth('delivery', new Secret(internalSecret));
  const teamId = await addTeam(database);
  const token = await stranger.sign({ audience: 'bot-scheduler', teamId });
  const response = await fetch(`${harness.url}/internal/v2/bots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(createBody()),
  });
  expect(response.status).toBe(401);
  expect(await countRows(teamId)).toMatchObject(noRows);
});
