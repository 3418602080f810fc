import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const smallest = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
let edge: Edge;
let url = '';
let key = '';

beforeAll(async () => {
  edge = await startEdge();
  // No rate limit: this file does not test limits.
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  key = await edge.createKey(await edge.createTeam('unlimited'), 'full');
  url = await edge.startGateway();
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.scheduler.calls.length = 0;
  edge.delivery.calls.length = 0;
  edge.ssoIdp.calls.length = 0;
  edge.scheduler.response = { status: 201, body: { success: true, data: { bot_id: botId } } };
});

const create = (body: unknown) => send('post', `${url}/v2/bots`, { key, body });

describe('an address', () => {
  test('is taken without blanks around it, with an international host, and as it is in `extra`', async () => {
    const link = ' https://meet.google.com/abc-defg-hij\n';
    const callback_config = { url: 'https://b\u00fccher.example/hook?a=\u00fc' };
    const extra = { customer_url: ' as it is ' };
    expect(
      (await create({ ...smallest, meeting_url: link, callback_config, callback_enabled: true, extra })).body,
    ).toMatchObject({ success: true });
    expect(edge.scheduler.calls[0]?.body).toMatchObject({
      meeting_url: link.trim(),
      callback_config: { url: 'https://xn--bcher-kva.example/hook?a=%C3%BC' },
      extra,
    });
  });
});

describe('a request that does not fit the contract', () => {
  test.each([
    ['an unknown field', { ...smallest, bot_nmae: 'x' }, 'bot_nmae: must NOT have additional properties'],
    ['an unknown nested field', { ...smallest, timeout_config: { silense: 1 } }, 'timeout_config.silense: must NOT'],
    ['a wrong type', { ...smallest, allow_multiple_bots: 'yes' }, 'allow_multiple_bots: must be boolean'],
    [
      'a number as text',
      { ...smallest, timeout_config: { silence_timeout: '600' } },
      'timeout_config.silence_timeout: must be integer',
    ],
    [
      'an http link',
      { ...smallest, meeting_url: 'http://meet.google.com/abc-defg-hij' },
      'meeting_url: must be an https:// address',
    ],
    ['no link at all', { ...smallest, meeting_url: 'meet me' }, 'meeting_url: must match format "uri"'],
    [
      'a name of 256 characters',
      { ...smallest, bot_name: 'x'.repeat(256) },
      'bot_name: must NOT have more than 255 characters',
    ],
    ['an empty name', { ...smallest, bot_name: '' }, 'bot_name: must NOT have fewer than 1 characters'],
    ['a blank name', { ...smallest, bot_name: ' \u00a0\t' }, 'bot_name: must not be blank'],
    ['no link field', { bot_name: 'Rapporteur' }, 'meeting_url: is required'],
    ['null where none is allowed', { ...smallest, bot_name: null }, 'bot_name: must be string'],
    ['a list instead of an object', [smallest], 'body: must be object'],
    ['null', null, 'body: must be object'],
    ['a text', 'hello', 'body: must be object'],
    [
      'a long entry message',
      { ...smallest, entry_message: 'x'.repeat(4097) },
      'entry_message: must NOT have more than 4096',
    ],
    [
      'six images',
      { ...smallest, bot_image: Array(6).fill('https://a.example/b.png') },
      'bot_image: must NOT have more than 5 items',
    ],
    ['no images', { ...smallest, bot_image: [] }, 'bot_image: must NOT have fewer than 1 items'],
    ['an http image', { ...smallest, bot_image: 'http://a.example/b.png' }, 'bot_image: must be an https:// address'],
    [
      'an image shown too briefly',
      { ...smallest, bot_image_config: { image_duration: 9 } },
      'bot_image_config.image_duration: must be >= 10',
    ],
    [
      'an unknown recording mode',
      { ...smallest, recording_mode: 'hologram' },
      'recording_mode: must be equal to one of the allowed values: audio_only',
    ],
    [
      'a short waiting room',
      { ...smallest, timeout_config: { waiting_room_timeout: 119 } },
      'waiting_room_timeout: must be >= 120',
    ],
    ['a long waiting room', { ...smallest, timeout_config: { waiting_room_timeout: 1801 } }, 'must be <= 1800'],
    [
      'a long wait for participants',
      { ...smallest, timeout_config: { no_one_joined_timeout: 1801 } },
      'must be <= 1800',
    ],
    ['a short silence', { ...smallest, timeout_config: { silence_timeout: 299 } }, 'silence_timeout: must be >= 300'],
    ['a long silence', { ...smallest, timeout_config: { silence_timeout: 3601 } }, 'silence_timeout: must be <= 3600'],
    ['a long grace period', { ...smallest, timeout_config: { grace_period: 601 } }, 'grace_period: must be <= 600'],
    ['a short wait for a return', { ...smallest, timeout_config: { everyone_left_timeout: 9 } }, 'must be >= 10'],
    ['half a second', { ...smallest, timeout_config: { grace_period: 0.5 } }, 'grace_period: must be integer'],
    ['a short ceiling', { ...smallest, timeout_config: { max_recording_duration: 7199 } }, 'must be >= 7200'],
    ['timeouts of null', { ...smallest, timeout_config: null }, 'timeout_config: must be object'],
    [
      'a bad credential id',
      { ...smallest, alpha_config: { credential_id: '7' } },
      'alpha_config.credential_id: must match format "uuid"',
    ],
    ['a bad group', { ...smallest, meet_config: { email_group: 'not an address' } }, 'meet_config.email_group: '],
    ['extra that is a list', { ...smallest, extra: [] }, 'extra: must be object'],
    [
      'a stream over https',
      { ...smallest, streaming_config: { output_url: 'https://a.example' } },
      'output_url: must be a ws:// or wss:// address',
    ],
    [
      'an odd frequency',
      { ...smallest, streaming_config: { audio_frequency: 44100 } },
      'audio_frequency: must be equal to one of',
    ],
    [
      'a streaming-only provider',
      { ...smallest, transcription_config: { provider: 'elevenlabs' } },
      'transcription_config.provider: must be',
    ],
    [
      'a callback without address',
      { ...smallest, callback_config: { method: 'PUT' } },
      'callback_config.url: is required',
    ],
    [
      'a callback by GET',
      { ...smallest, callback_config: { url: 'https://a.example', method: 'GET' } },
      'callback_config.method: must be',
    ],
    ['a NUL character', { ...smallest, bot_name: 'a\0b' }, 'bot_name: contains a NUL character'],
    [
      'half a character in extra',
      { ...smallest, extra: { note: '\ud800' } },
      'extra.note: contains half of a character',
    ],
  ])('%s gets 400 and the field, and goes nowhere', async (_what, body, message) => {
    const response = await create(body);
    expect(response.body).toMatchObject({
      success: false,
      error: 'Bad Request',
      code: 'FST_ERR_VALIDATION',
      statusCode: 400,
    });
    expect(response.status).toBe(400);
    expect(response.body['message']).toContain(message);
    expect(edge.scheduler.calls).toEqual([]);
  });

  test('gets all errors in one response, up to a limit', async () => {
    const response = await create({ bot_name: '', meeting_url: 7, extra: 1 });
    expect(response.body['message']).toBe(
      'meeting_url: must be string, bot_name: must NOT have fewer than 1 characters, bot_name: must not be blank, extra: must be object,null',
    );
    const many = await create({
      ...smallest,
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, 1])),
    });
    expect(many.body['message']).toMatch(/x9: must NOT have additional properties, and 20 more$/);
  });

  test.each([
    ['text that is not JSON', { text: '{"bot_name":' }, 400, 'FST_ERR_VALIDATION'],
    ['no body', {}, 400, 'FST_ERR_VALIDATION'],
    ['an empty body', { text: '' }, 400, 'FST_ERR_VALIDATION'],
    [
      'a form',
      { text: 'bot_name=x', type: 'application/x-www-form-urlencoded' },
      415,
      'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    ],
    ['plain text', { text: JSON.stringify(smallest), type: 'text/plain' }, 415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE'],
    [
      'an odd character set',
      { text: JSON.stringify(smallest), type: 'application/json; charset=nonsense' },
      415,
      'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    ],
    [
      'a body over 1 MiB',
      { body: { ...smallest, extra: { text: 'x'.repeat(1024 * 1024) } } },
      413,
      'FST_ERR_CTP_BODY_TOO_LARGE',
    ],
    [
      'nesting beyond any use',
      { text: `{"extra":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
      400,
      'FST_ERR_VALIDATION',
    ],
  ])('%s is refused in the envelope', async (_what, call, status, code) => {
    const response = await send('post', `${url}/v2/bots`, { key, ...call });
    expect(response.body).toMatchObject({ success: false, code, statusCode: status });
    expect(response.status).toBe(status);
    expect(edge.scheduler.calls).toEqual([]);
  });

  test.each([
    ['get', '/v2/bots/not-a-uuid', 400, 'bot_id: must match format "uuid"'],
    [
      'get',
      '/v2/bots?meeting_platform=meet,webex',
      400,
      'meeting_platform: must be one or several, joined by commas, of zoom, meet, teams',
    ],
    ['get', '/v2/bots/urn:uuid:c56a4180-65aa-42ec-a945-5fd21dec0538', 400, 'bot_id: must match format "uuid"'],
    ['get', `/v2/bots/${botId}?unknown=1`, 400, 'unknown: is not a parameter of this operation'],
    [
      'get',
      '/v2/webhooks/endpoints/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11/messages?limit=101',
      400,
      'limit: must be <= 100',
    ],
    [
      'get',
      '/v2/webhooks/endpoints/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11/messages?cursor=a%00',
      400,
      'cursor: contains a NUL character',
    ],
    ['get', '/v2/nothing', 404, 'There is nothing at this path.'],
    ['get', '/v2/bots/batch', 405, 'This path does not support this method.'],
    ['get', '/v2/bots/%E0%A4%A', 400, 'The path is not valid.'],
  ])('%s %s gets %d in the envelope', async (method, path, status, message) => {
    const response = await send(method, `${url}${path}`, { key });
    expect(response.body).toMatchObject({ success: false, statusCode: status, message });
    expect(response.status).toBe(status);
    expect([...edge.scheduler.calls, ...edge.delivery.calls, ...edge.ssoIdp.calls]).toEqual([]);
  });

  test('a wrong method gets the allowed ones', async () => {
    const allowOf = async (method: string, path: string) => (await send(method, url + path, { key })).get('allow');
    expect(await allowOf('delete', `/v2/bots/${botId}/status`)).toBe('GET, HEAD, OPTIONS');
    expect(await allowOf('get', '/v2/bots/batch')).toBe('POST, OPTIONS');
  });
});

describe('a request that fits', () => {
  test('reaches the owner with every default filled in', async () => {
    expect((await create(smallest)).status).toBe(201);
    expect(edge.scheduler.calls[0]?.body).toEqual({
      ...smallest,
      bot_image: null,
      bot_image_config: null,
      allow_multiple_bots: true,
      ignored_participant_names: [],
      recording_mode: 'speaker_view',
      entry_message: null,
      timeout_config: {
        waiting_room_timeout: 600,
        no_one_joined_timeout: 600,
        silence_timeout: 600,
        grace_period: 0,
        max_recording_duration: null,
        everyone_left_timeout: 60,
        empty_meeting_timeout: 1_800,
      },
      alpha_config: null,
      meet_config: null,
      teams_config: null,
      extra: null,
      streaming_enabled: false,
      streaming_config: null,
      transcription_enabled: false,
      transcription_config: null,
      callback_enabled: false,
      callback_config: null,
      retention_hours: null,
    });
  });

  test('gets the defaults inside the objects it gives in part', async () => {
    await create({
      ...smallest,
      timeout_config: { silence_timeout: 300 },
      bot_image: ['https://a.example/1.png', 'https://a.example/2.png'],
      bot_image_config: {},
      meet_config: { email_group: '' },
      streaming_config: { transcription: {} },
      transcription_config: {},
      callback_config: { url: 'https://a.example/done' },
    });
    expect(edge.scheduler.calls[0]?.body).toMatchObject({
      timeout_config: {
        waiting_room_timeout: 600,
        no_one_joined_timeout: 600,
        silence_timeout: 300,
        grace_period: 0,
        max_recording_duration: null,
      },
      bot_image_config: { loop_mode: 'auto', image_duration: 30 },
      meet_config: { email_group: '', fallback: 'fail' },
      streaming_config: {
        mode: 'audio',
        input_url: null,
        output_url: null,
        audio_frequency: 24000,
        transcription: { api_key: null, region: null, custom_params: null },
      },
      transcription_config: { api_key: null, region: null, fallback: null, custom_params: null },
      callback_config: { url: 'https://a.example/done', method: 'POST', secret: null },
    });
  });

  test('keeps extra and custom_params exactly as they were given', async () => {
    const free = {
      '': 0,
      nested: { list: [1, 'two', null, { three: 3.5 }], empty: {} },
      'a/b~c': '日本語 🎉',
      bot_name: 'own',
    };
    await create({ ...smallest, extra: free, transcription_config: { custom_params: free } });
    expect(edge.scheduler.calls[0]?.body).toMatchObject({ extra: free, transcription_config: { custom_params: free } });
    expect(JSON.parse(edge.scheduler.calls[0]?.text ?? '')).toHaveProperty('extra', free);
  });

  test.each([
    ['the longest name', { bot_name: 'x'.repeat(255) }],
    ['one image', { bot_image: 'https://a.example/b.png' }],
    ['five images', { bot_image: Array(5).fill('https://a.example/b.png') }],
    [
      'a link with a port and a query',
      { meeting_url: 'https://meet.simulator.localhost:8443/abc-defg-hij?authuser=1#x' },
    ],
    ['a group', { meet_config: { email_group: 'bots@example.com' } }],
    ['the shortest recording ceiling', { timeout_config: { max_recording_duration: 7200 } }],
    ['no timeouts of an empty room', { timeout_config: { everyone_left_timeout: null, empty_meeting_timeout: null } }],
    ['a null frequency', { streaming_config: { audio_frequency: null } }],
  ])('%s passes', async (_what, fields) => {
    expect(await create({ ...smallest, ...fields })).toMatchObject({ status: 201 });
    expect(edge.scheduler.calls[0]?.body).toMatchObject(fields);
  });

  test('may spell its content type in many ways without making the gateway remember each', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;x=1']) {
      expect((await send('post', `${url}/v2/bots`, { key, text: JSON.stringify(smallest), type })).status).toBe(201);
    }
  });

  test('hands query parameters on, with their defaults', async () => {
    edge.delivery.response = { status: 200, body: { success: true, data: [], cursor: null, prev_cursor: null } };
    const path = `/v2/webhooks/endpoints/${botId}/messages`;
    expect((await send('get', `${url}${path}?cursor=a%2Bb%3D%3D&state=failed`, { key })).status).toBe(200);
    const forwarded = new URL(edge.delivery.calls[0]?.path ?? '', 'http://owner');
    expect(forwarded.pathname).toBe(`/internal${path}`);
    expect(Object.fromEntries(forwarded.searchParams)).toEqual({ cursor: 'a+b==', state: 'failed', limit: '50' });
  });

  test('may send a body where none is read', async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: { message: 'Leaving.' } } };
    for (const call of [{}, { body: {} }, { text: '{', type: 'application/json' }]) {
      expect((await send('post', `${url}/v2/bots/${botId}/leave`, { key, ...call })).status).toBe(200);
    }
    expect(edge.scheduler.calls.map((forwarded) => forwarded.text)).toEqual(['', '', '']);
  });
});

describe('the contract', () => {
  test('bounds every free-form member that is kept', () => {
    const unbounded: string[] = [];
    for (const [name, document] of Object.entries({ publicDocument, legacyDocument })) {
      const { schemas } = (document as { components: { schemas: Record<string, Record<string, unknown>> } }).components;
      for (const [schema, { properties = {} }] of Object.entries(schemas)) {
        if (!/^(?:CreateBot|ScheduleBot|UpdateScheduledBot|UpdateBotConfig|JoinRequest)$/.test(schema)) continue;
        const { extra } = properties as Record<string, { $ref?: string; 'x-max-json-bytes'?: number }>;
        const kept = schemas[extra?.$ref?.split('/').at(-1) ?? ''] ?? extra;
        if (kept?.['x-max-json-bytes'] === undefined) unbounded.push(`${name} ${schema}`);
      }
    }
    expect(unbounded).toEqual([]);
  });

  test('is served as it is', async () => {
    const response = await send('get', `${url}/openapi.json`);
    expect(response.body).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '2.0.0' } });
  });

  test('that cannot be used for validation stops the start', async () => {
    const broken = {
      openapi: '3.1.0',
      info: { title: 'broken', version: '1' },
      paths: { '/x': { get: { operationId: 'x', 'x-owner': 'delivery', 'x-permission': 'full', responses: 7 } } },
    };
    // The validator library prints its findings; they are suppressed here.
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await expect(edge.startGateway({ document: broken })).rejects.toThrow('cannot be used for validation');
    printed.mockRestore();
  });

  test('also binds the owners, where responses are checked', async () => {
    edge.scheduler.response = { status: 201, body: { success: true, data: { bot_id: 'not a uuid' } } };
    expect((await create(smallest)).body).toMatchObject({ statusCode: 500, code: 'FST_ERR_INTERNAL' });
    edge.scheduler.response = { status: 418, body: { success: true } };
    expect((await create(smallest)).body).toMatchObject({ statusCode: 500, code: 'FST_ERR_INTERNAL' });
  });
});
