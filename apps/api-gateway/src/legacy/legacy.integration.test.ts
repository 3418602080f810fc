import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { checkOf } from '../testing/check-of.ts';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import { meetingDataOf } from '../testing/meeting-data.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const smallest = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
const fitsCreateBot = checkOf(publicDocument, 'CreateBot');

let edge: Edge;
let url = '';
let key = '';
let teamId = '';

beforeAll(async () => {
  edge = await startEdge();
  url = await edge.startGateway();
});
afterAll(() => edge.stop());
beforeEach(async () => {
  teamId = await edge.createTeam();
  key = await edge.createKey(teamId, 'full');
  edge.scheduler.calls.length = 0;
  edge.scheduler.nextResponses.length = 0;
  edge.scheduler.response = { status: 200, body: { success: true, data: { message: 'Done.', data_deletion: null } } };
});

const created = { status: 201, body: { success: true, data: { bot_id: botId } } };
const refusal = (status: number, code: string, message: string, details: string | null = null) => ({
  status,
  body: { success: false, error: 'Refused', code, statusCode: status, message, details },
});
const join = (body: unknown, path = '/bots/') => send('post', `${url}${path}`, { key, body });
const forwarded = () =>
  edge.scheduler.calls.map(({ method, path, body }) => ({ method, path: path.replace('/internal', ''), body }));

describe('POST /bots/', () => {
  beforeEach(() => {
    edge.scheduler.response = created;
  });

  test.each(['/bots/', '/bots'])('as %s sends a bot of v2 and responds with its id alone', async (path) => {
    const response = await join({ ...smallest, extra: 7, webhook_url: 'https://a.example/hook' }, path);
    expect([response.status, response.body]).toEqual([200, { bot_id: botId }]);
    const [call] = forwarded();
    expect(call).toMatchObject({ method: 'POST', path: '/v2/bots' });
    const { legacy, ...body } = (call?.body ?? {}) as Record<string, unknown>;
    expect(legacy).toMatchObject({ webhook_url: 'https://a.example/hook', api_key: key, deduplication_key: null });
    expect(await fitsCreateBot(body)).toBeNull();
    expect(body).toMatchObject({ ...smallest, extra: { legacy_extra: 7 } });
    expect(edge.scheduler.calls[0]?.token).toMatchObject({ team: teamId });
  });

  test('does not forward a key that no owner requires', async () => {
    await join(smallest);
    expect(edge.scheduler.calls[0]?.text).not.toContain(key);
  });

  test('with a start_time ahead schedules the bot for that second', async () => {
    const start_time = Math.floor(Date.now() / 1_000) + 3_600;
    expect((await join({ ...smallest, start_time })).body).toEqual({ bot_id: botId });
    expect(forwarded()[0]).toMatchObject({
      path: '/v2/bots/scheduled',
      body: { join_at: new Date(start_time * 1_000).toISOString() },
    });
  });

  test('is done once under one Idempotency-Key', async () => {
    const once = () => send('post', `${url}/bots/`, { key, body: smallest, headers: { 'idempotency-key': 'one' } });
    const [first, second] = [await once(), await once()];
    expect([first.body, second.body]).toEqual([{ bot_id: botId }, { bot_id: botId }]);
    expect(edge.scheduler.calls).toHaveLength(1);
    expect(edge.scheduler.calls[0]?.headers['x-idempotency-id']).toEqual(expect.any(String));
  });

  test.each<[string, unknown, string]>([
    ['without a name', { meeting_url: smallest.meeting_url }, 'bot_name: is required'],
    ['with a field of v2', { ...smallest, alpha_config: {} }, 'alpha_config: must NOT have additional properties'],
    ['with a negative start_time', { ...smallest, start_time: -1 }, 'start_time: must be >= 0'],
    ['with a fraction of it', { ...smallest, start_time: 1.5 }, 'start_time'],
    ['with one too large to be exact', { ...smallest, start_time: 2 ** 53 }, 'start_time: is an integer beyond 2^53'],
    ['with another scheme', { ...smallest, webhook_url: 'ftp://a.example' }, 'must be an http:// or https:// address'],
    ['with a foreign provider', { ...smallest, speech_to_text: 'deepgram' }, 'speech_to_text'],
    ['with a day and a second', { ...smallest, automatic_leave: { silence_timeout: 86_401 } }, 'must be <= 86400'],
  ])('%s is refused with 400', async (_what, body, message) => {
    const response = await join(body);
    expect(response.body).toMatchObject({ success: false, statusCode: 400, code: 'FST_ERR_VALIDATION' });
    expect(response.body['message']).toContain(message);
    expect(edge.scheduler.calls).toEqual([]);
  });

  test.each<[string, object, object]>([
    ['half of the SDK credentials', { alpha_sdk_id: 'x' }, { statusCode: 400, code: 'SET_ALPHA_ID_AND_PWD_TOGETHER' }],
    ['the other half', { alpha_sdk_pwd: 'x' }, { statusCode: 400, code: 'SET_ALPHA_ID_AND_PWD_TOGETHER' }],
    ['Runpod', { speech_to_text: 'Runpod' }, { statusCode: 422, details: 'speech_to_text' }],
  ])('with %s is refused before the owner is called', async (_what, fields, refused) => {
    expect((await join({ ...smallest, ...fields })).body).toMatchObject(refused);
    expect(edge.scheduler.calls).toEqual([]);
  });

  test("returns the owner's refusal in the names of this generation", async () => {
    edge.scheduler.response = refusal(
      422,
      'FST_ERR_NOT_CONFIGURED',
      'This deployment does not transcribe yet. Send transcription_enabled false.',
      'transcription_enabled',
    );
    expect((await join({ ...smallest, speech_to_text: 'Default' })).body).toMatchObject({
      statusCode: 422,
      message: 'This deployment does not transcribe yet. Leave speech_to_text out.',
      details: 'speech_to_text',
    });
  });
});

describe('a bot of the legacy API', () => {
  test('leaves', async () => {
    const response = await send('delete', `${url}/bots/${botId}`, { key });
    expect([response.status, response.body]).toEqual([200, { ok: true }]);
    expect(forwarded()).toEqual([{ method: 'POST', path: `/v2/bots/${botId}/leave`, body: null }]);
  });

  test('that is gone already reports it', async () => {
    edge.scheduler.response = refusal(409, 'FST_ERR_BOT_STATUS', 'Too late.');
    const response = await send('delete', `${url}/bots/${botId}`, { key });
    expect(response).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
  });

  test.each([
    ['', 'true'],
    ['&include_transcripts=false', 'false'],
  ])('shows its meeting data (requested with "%s")', async (query, included) => {
    edge.scheduler.response = { status: 200, body: { success: true, data: meetingDataOf() } };
    const response = await send('get', `${url}/bots/meeting_data?bot_id=${botId}${query}`, { key });
    expect(response).toMatchObject({
      status: 200,
      body: { mp4: '', duration: 61, bot_data: { bot: { uuid: botId, account_id: teamId }, transcripts: [] } },
    });
    expect(forwarded()[0]?.path).toBe(`/v1/meeting-data/${botId}?include_transcripts=${included}`);
  });

  test('is listed under both names', async () => {
    const { request: _request, ...row } = meetingDataOf();
    const item = { ...row, access_count: 3, last_accessed_at: null, speakers: ['Ada'], artifacts_deleted: true };
    const data = { items: [item], next_cursor: null, last_updated: '2026-11-21T09:10:00.000Z' };
    edge.scheduler.response = { status: 200, body: { success: true, data } };
    const response = await send('get', `${url}/bots/bots_with_metadata?sort_by_extra=customer:desc`, { key });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      bots: [{ id: 1042, uuid: botId, extra: 7, content_deleted: true }],
      recent_bots: [{ id: botId, uuid: botId }],
      last_updated: '2026-11-21T09:10:00.000Z',
    });
    expect(forwarded()[0]?.path).toBe('/v1/bots-with-metadata?sort_by_extra=customer%3Adesc&limit=10');
  });

  test.each([
    'limit=51',
    'limit=0',
    'filter_by_extra=customer',
    'sort_by_extra=a:b',
    'created_after=yesterday',
    'page=2',
  ])('is not listed with %s', async (query) => {
    const response = await send('get', `${url}/bots/bots_with_metadata?${query}`, { key });
    expect(response).toMatchObject({ status: 400, body: { code: 'FST_ERR_VALIDATION' } });
  });

  test('shows every screenshot, page after page', async () => {
    const video = (second: number) => ({
      screenshot_id: second,
      url: `https://s.example/${second}.png`,
      taken_at: `2026-11-21T09:00:0${second}.000Z`,
    });
    edge.scheduler.nextResponses.push(
      { status: 200, body: { success: true, data: [video(1), video(2)], cursor: 'n&1', prev_cursor: null } },
      { status: 200, body: { success: true, data: [video(3)], cursor: null, prev_cursor: 'p' } },
    );
    const response = await send('get', `${url}/bots/${botId}/screenshots`, { key });
    expect(response.body).toEqual(
      [1, 2, 3].map((second) => ({
        date: `2026-11-21T09:00:0${second}.000Z`,
        url: `https://s.example/${second}.png`,
      })),
    );
    expect(forwarded().map(({ path }) => path)).toEqual([
      `/v2/bots/${botId}/screenshots?limit=250`,
      `/v2/bots/${botId}/screenshots?limit=250&cursor=n%261`,
    ]);
  });

  test('is transcribed again, with a webhook to an address of its own', async () => {
    const body = { bot_uuid: botId, speech_to_text: { provider: 'Gladia', api_key: 'k' } };
    const response = await send('post', `${url}/bots/retranscribe`, { key, body });
    expect([response.status, response.body]).toEqual([200, { ok: true }]);
    await send('post', `${url}/bots/retranscribe`, {
      key,
      body: { bot_uuid: botId, webhook_url: 'https://a.example/again' },
    });
    const path = `/v2/bots/${botId}/retranscribe`;
    expect(forwarded()).toEqual([
      {
        method: 'POST',
        path,
        body: {
          transcription: { provider: 'gladia', api_key: 'k', region: null, fallback: null, custom_params: null },
        },
      },
      {
        method: 'POST',
        path,
        body: { transcription: null, legacy: { webhook_url: 'https://a.example/again', api_key: key } },
      },
    ]);
  });
});

describe('POST /bots/{uuid}/delete_data', () => {
  const links = { video: null, audio: null, transcription: null, raw_transcription: null, diarization: null };
  const details = (over: object) => ({
    status: 200,
    body: {
      success: true,
      data: { ...links, chat_messages: null, artifacts_deleted: false, data_deletion: null, ...over },
    },
  });
  const remove = (base = url, with_ = key) => send('post', `${base}/bots/${botId}/delete_data`, { key: with_ });

  const frames = (...data: unknown[]) => ({
    status: 200,
    body: { success: true, data, cursor: null, prev_cursor: null },
  });

  test.each([
    ['a recording', [details({ video: 'https://s.example/v.mp4' })], 'deleted'],
    ['pictures alone', [details({}), frames({})], 'deleted'],
    ['data that was deleted before', [details({ artifacts_deleted: true })], 'alreadyDeleted'],
    ['nothing', [details({}), frames()], 'noDataFound'],
  ])('of a bot with %s', async (_what, found, status) => {
    edge.scheduler.nextResponses.push(...found);
    const response = await remove();
    expect([response.status, response.body]).toEqual([200, { ok: true, status }]);
    expect(forwarded().map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /v2/bots/${botId}`,
      ...(found.length === 2 ? [`GET /v2/bots/${botId}/screenshots?limit=1`] : []),
      `DELETE /v2/bots/${botId}/delete-data?delete_from_provider=false`,
    ]);
  });

  test.each([
    ['for the first time', details({ video: 'https://s.example/v.mp4' })],
    ['again', details({ data_deletion: { status: 'pending' } })],
  ])('that the object store does not confirm, requested %s, is partial', async (_what, found) => {
    const unconfirmed = { message: 'Not yet.', data_deletion: { status: 'pending' } };
    edge.scheduler.nextResponses.push(found, { status: 200, body: { success: true, data: unconfirmed } });
    expect((await remove()).body).toEqual({ ok: true, status: 'partiallyDeleted' });
  });

  test('of a bot in progress is refused', async () => {
    edge.scheduler.nextResponses.push(details({}), frames(), refusal(409, 'FST_ERR_BOT_STATUS', 'Not yet.'));
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
  });

  test('passes five times a minute with one key, on however many replicas', async () => {
    const other = await edge.startGateway();
    edge.scheduler.response = details({ artifacts_deleted: true });
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => remove(index % 2 === 0 ? url : other)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'FST_ERR_TOO_MANY_REQUESTS', statusCode: 429 });
    const seconds = Number(refused?.body['retryAfter']);
    // The limit is per minute, of which the requests took some.
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused?.get('retry-after')).toBe(String(seconds));
    expect((await remove(url, await edge.createKey(teamId, 'full'))).status).toBe(200);
  });

  test('passes again when a minute is over', async () => {
    edge.scheduler.response = details({ artifacts_deleted: true });
    for (let count = 0; count < 5; count += 1) await remove();
    await edge.database.query(
      'update deletion_windows set passed = array(select stamp - 60000000 from unnest(passed) as stamp)',
    );
    expect((await remove()).status).toBe(200);
  });
});

describe('the legacy generation', () => {
  test.each(['/bots/webhooks', '/bots/webhooks/bot'])('explains its events at %s', async (path) => {
    const response = await send('get', `${url}${path}`, { key });
    expect(response.status).toBe(200);
    const { events } = response.body as { events: { event: string; sample: { event: string } }[] };
    expect(events.map(({ event }) => event)).toEqual([
      'complete',
      'failed',
      'transcription_complete',
      'bot.status_change',
    ]);
    expect(events.map(({ sample }) => sample.event)).toEqual(events.map(({ event }) => event));
  });

  test('is closed to Sending Access, in the words of specification 5.4', async () => {
    const sending = await edge.createKey(teamId, 'sending');
    const response = await send('post', `${url}/bots/`, { key: sending, body: smallest });
    expect(response.text).toBe(
      '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}',
    );
    expect((await send('get', `${url}/bots/meeting_data?bot_id=${botId}`)).status).toBe(403);
  });

  test('refuses what it does not have', async () => {
    const response = await send('get', `${url}/bots/`, { key });
    expect(response).toMatchObject({ status: 405, body: { code: 'FST_ERR_METHOD_NOT_ALLOWED' } });
    const wrongMethod = await send('delete', `${url}/bots/meeting_data`, { key });
    expect([wrongMethod.status, wrongMethod.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await send('get', `${url}/bots/nothing/here`, { key })).status).toBe(404);
  });

  test('responds with 503 while the owner is away, and a bland 500 when it responds with something else', async () => {
    const lonely = await edge.startGateway({ schedulerUrl: 'http://127.0.0.1:1' });
    expect(await send('delete', `${lonely}/bots/${botId}`, { key })).toMatchObject({
      status: 503,
      body: { code: 'FST_ERR_UNAVAILABLE' },
    });
    edge.scheduler.response = { status: 200, body: { success: true, data: { number: 'secret table' } } };
    const response = await send('get', `${url}/bots/meeting_data?bot_id=${botId}`, { key });
    expect(response.body).toMatchObject({ statusCode: 500, code: 'FST_ERR_INTERNAL' });
    expect(response.text).not.toContain('secret table');
  });

  test('counts against the rate of the team like v2', async () => {
    expect((await send('delete', `${url}/bots/${botId}`, { key })).get('x-ratelimit-limit')).toBe('50');
    expect((await send('get', `${url}/bots/webhooks`, { key })).get('x-ratelimit-limit')).toBeUndefined();
  });

  test('shows its document', async () => {
    const response = await send('get', `${url}/openapi.legacy.json`);
    expect(response.body).toMatchObject({ info: { version: '1.1' } });
  });
});
