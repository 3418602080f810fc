import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from './client.ts';
import type { RapporteurClient } from './client.ts';
import type { ClientOptions } from './call.ts';
import { operations } from './generated/operations.ts';
import { createRapporteurClient, RapporteurError } from './index.ts';
import { runtimeSurroundings } from './surroundings.ts';
import { responded, refused, startStubService } from './testing/stub-service.ts';
import type { StubService } from './testing/stub-service.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const body = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
let service: StubService;
/** Pauses between attempts, in milliseconds; the test does not wait for them. */
let pauses: number[];
let client: RapporteurClient;

beforeAll(async () => {
  service = await startStubService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.received.length = 0;
  service.replies = [];
  pauses = [];
  client = startClient();
});

function startClient(options: Partial<ClientOptions> = {}): RapporteurClient {
  return createClient(
    { baseUrl: service.url, apiKey: 'rap_test', ...options },
    {
      now: () => pauses.reduce((sum, pause) => sum + pause, 0),
      pause: async (milliseconds) => void pauses.push(milliseconds),
      random: () => 1,
    },
  );
}

async function refusalOf(call: Promise<unknown>): Promise<RapporteurError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(RapporteurError);
  return thrown as RapporteurError;
}

describe('a call', () => {
  test('carries the key, the body and an Idempotency-Key of its own, and gives the data', async () => {
    service.replies = [responded({ data: { bot_id: botId } }, 201)];
    const bot = await client.createBot({ body });
    const id: string = bot.bot_id;
    expect(id).toBe(botId);
    await client.createBot({ body });
    const [first, second] = service.received;
    expect(first).toMatchObject({ method: 'POST', path: '/v2/bots', text: JSON.stringify(body) });
    expect(first?.headers).toMatchObject({
      'x-service-api-key': 'rap_test',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^sdk-[0-9a-f]{32}$/),
    });
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  test('works with what the runtime has, and with a slash too many', async () => {
    service.replies = [refused(503, 'FST_ERR_UNAVAILABLE'), responded({ data: { status: 'queued' } })];
    const own = createRapporteurClient({ baseUrl: `${service.url}/`, apiKey: 'rap_test' });
    expect(await own.getBotStatus({ bot_id: botId })).toMatchObject({ status: 'queued' });
    expect(service.received[0]?.path).toBe(`/v2/bots/${botId}/status`);
  });

  test('may carry a key of the caller instead', async () => {
    service.replies = [responded({ data: { message: 'Leaving.' } })];
    await client.leaveBot({ bot_id: botId }, { idempotencyKey: 'mine' });
    expect(service.received[0]).toMatchObject({ path: `/v2/bots/${botId}/leave`, text: '' });
    expect(service.received[0]?.headers).toMatchObject({ 'idempotency-key': 'mine' });
    expect(service.received[0]?.headers).not.toHaveProperty('content-type');
  });

  test('puts parameters where they belong, encoded', async () => {
    service.replies = [responded({ data: [], cursor: null, prev_cursor: null })];
    const page = await client.listBots({ bot_name: 'a & b/ü', limit: 5, extra: 'k:v' });
    expect(page).toEqual({ data: [], cursor: null, prev_cursor: null });
    expect(new URL(service.received[0]?.path ?? '', service.url).searchParams.toString()).toBe(
      'limit=5&bot_name=a+%26+b%2F%C3%BC&extra=k%3Av',
    );
    await client.getBot({ bot_id: '../x' });
    expect(service.received[1]?.path).toBe('/v2/bots/..%2Fx');
    await expect(client.getBot({ bot_id: '' })).rejects.toThrow('bot_id is missing');
  });

  test('gives more than the data where there is more', async () => {
    const errors = [{ index: 1, code: 'VALIDATION_ERROR', message: 'No.', details: null, extra: null }];
    service.replies = [responded({ data: [{ index: 0, bot_id: botId, extra: null }], errors }, 201)];
    const response = await client.createBots({ body: [body, body] });
    expect(response).toEqual({ data: [{ index: 0, bot_id: botId, extra: null }], errors });
    expect(response.errors[0]?.code).toBe('VALIDATION_ERROR');
  });

  test.each(Object.entries(operations))('%s can be made', async (id, facts) => {
    service.replies = [responded({ data: [], cursor: null, prev_cursor: null, errors: [] })];
    const method = client[id as keyof typeof operations] as (input: object) => Promise<unknown>;
    const names = [...facts.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    await method(Object.fromEntries(names.map((name) => [name, name === 'message_id' ? 'msg_1' : botId])));
    const { pathname } = new URL(service.received[0]?.path ?? '', service.url);
    expect(service.received[0]?.method).toBe(facts.method);
    expect(pathname).toBe(facts.path.replace(/\{message_id\}/, 'msg_1').replaceAll(/\{\w+\}/g, botId));
    expect('idempotency-key' in (service.received[0]?.headers ?? {})).toBe(facts.method === 'POST');
  });
});

describe('a refusal', () => {
  test('is an error with the code, the status and the request to ask about', async () => {
    service.replies = [refused(409, 'FST_ERR_BOT_STATUS', { details: 'completed' })];
    const error = await refusalOf(client.leaveBot({ bot_id: botId }));
    expect(error).toMatchObject({
      message: 'Not now.',
      code: 'FST_ERR_BOT_STATUS',
      statusCode: 409,
      requestId: 'r-1',
      details: 'completed',
      retryAfter: null,
    });
    expect(service.received).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['a page of something else', () => client.getBot({ bot_id: botId }), '<html>'],
    ['a list', () => client.getBot({ bot_id: botId }), []],
    ['a success that is none', () => client.getBot({ bot_id: botId }), { success: false }],
  ])('by %s is distinguished from the service', async (_what, call, response) => {
    service.replies = [{ status: 200, body: response }];
    expect(await refusalOf(call())).toMatchObject({ code: 'SDK_UNEXPECTED_RESPONSE', statusCode: 200 });
  });

  test('is never followed elsewhere', async () => {
    service.replies = [{ status: 307, body: '', headers: { location: 'https://example.com' } }];
    expect(await refusalOf(startClient({ retries: 0 }).getBot({ bot_id: botId }))).toMatchObject({
      code: 'SDK_NETWORK',
    });
  });
});

describe('a repetition', () => {
  test('of a POST has the same Idempotency-Key and the same body', async () => {
    service.replies = ['cut', refused(503, 'FST_ERR_UNAVAILABLE'), responded({ data: { bot_id: botId } }, 201)];
    expect(await client.createBot({ body })).toEqual({ bot_id: botId });
    expect(new Set(service.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(service.received.map(({ text }) => text)).size).toBe(1);
    expect(pauses).toEqual([250, 500]);
  });

  test('waits as long as the service asks', async () => {
    service.replies = [
      refused(429, 'FST_ERR_TOO_MANY_REQUESTS', { retryAfter: 3 }),
      responded({ data: { message: 'Done.' } }),
    ];
    await client.deleteScheduledBot({ bot_id: botId });
    expect(pauses).toEqual([3_000]);
  });

  test('waits for an earlier try that is still at work', async () => {
    service.replies = [
      'cut',
      refused(409, 'FST_ERR_IDEMPOTENCY_IN_PROGRESS'),
      responded({ data: { bot_id: botId } }, 201),
    ];
    expect(await client.createBot({ body })).toEqual({ bot_id: botId });
  });

  test('ends after the retries that were allowed', async () => {
    service.replies = [refused(503, 'FST_ERR_UNAVAILABLE')];
    expect(await refusalOf(client.getBot({ bot_id: botId }))).toMatchObject({ statusCode: 503 });
    expect(service.received).toHaveLength(3);
    await refusalOf(startClient({ retries: 0 }).getBot({ bot_id: botId }));
    expect(service.received).toHaveLength(4);
  });

  test.each<[string, () => Promise<unknown>, number, string, Record<string, unknown>]>([
    ['a daily cap', () => client.createBot({ body }), 429, 'FST_ERR_DAILY_BOT_CAP_REACHED', { retryAfter: 7_200 }],
    ['a wait of hours', () => client.createBot({ body }), 503, 'FST_ERR_UNAVAILABLE', { retryAfter: 7_200 }],
    ['a fault of the service', () => client.getBot({ bot_id: botId }), 500, 'FST_ERR_INTERNAL', {}],
    ['a wrong request', () => client.createBot({ body }), 400, 'FST_ERR_VALIDATION', {}],
    [
      'a PATCH that may have been done',
      () => client.updateBotConfig({ bot_id: botId, body: { extra: null } }),
      503,
      'FST_ERR_UNAVAILABLE',
      {},
    ],
    ['a DELETE that may have been done', () => client.deleteBotData({ bot_id: botId }), 503, 'FST_ERR_UNAVAILABLE', {}],
  ])('is not made after %s', async (_what, call, status, code, more) => {
    service.replies = [refused(status, code, more)];
    expect(await refusalOf(call())).toMatchObject({ code });
    expect(service.received).toHaveLength(1);
  });

  test('is not waited for beyond the deadline', async () => {
    service.replies = [refused(429, 'FST_ERR_TOO_MANY_REQUESTS', { retryAfter: 30 })];
    expect(await refusalOf(client.leaveBot({ bot_id: botId }, { timeoutMs: 10_000 }))).toMatchObject({
      retryAfter: 30,
    });
    expect(pauses).toEqual([]);
  });
});

describe('a call that takes too long', () => {
  test('ends at its deadline', async () => {
    service.replies = ['hang'];
    expect(await refusalOf(client.getBot({ bot_id: botId }, { timeoutMs: 50 }))).toMatchObject({
      code: 'SDK_TIMEOUT',
      statusCode: null,
    });
    expect(await refusalOf(startClient({ timeoutMs: 50 }).listBots())).toMatchObject({ code: 'SDK_TIMEOUT' });
  });

  test('can be given up, also between two tries', async () => {
    service.replies = ['hang'];
    const giveUp = new AbortController();
    const call = client.getBot({ bot_id: botId }, { signal: giveUp.signal });
    giveUp.abort();
    expect(await refusalOf(call)).toMatchObject({ code: 'SDK_ABORTED' });

    service.replies = [refused(429, 'FST_ERR_TOO_MANY_REQUESTS', { retryAfter: 30 })];
    const between = new AbortController();
    const patient = createClient(
      { baseUrl: service.url, apiKey: 'rap_test' },
      {
        ...runtimeSurroundings,
        pause: (milliseconds, signal) => {
          const paused = runtimeSurroundings.pause(milliseconds, signal);
          between.abort();
          return paused;
        },
      },
    );
    const waiting = patient.getBot({ bot_id: botId }, { signal: between.signal });
    expect(await refusalOf(waiting)).toMatchObject({ code: 'SDK_ABORTED' });
  });

  test('without a service is an error of the network', async () => {
    const nowhere = startClient({ baseUrl: 'http://127.0.0.1:1' });
    expect(await refusalOf(nowhere.getBot({ bot_id: botId }))).toMatchObject({ code: 'SDK_NETWORK', requestId: null });
    expect(pauses).toHaveLength(2);
  });
});

describe('a paginated list', () => {
  const item = (message_id: string) => ({ message_id });

  test('gives every item of every page, in order, and fetches no page too many', async () => {
    service.replies = [
      responded({ data: [item('1'), item('2')], cursor: 'b==', prev_cursor: null }),
      responded({ data: [], cursor: 'c', prev_cursor: 'a' }),
      responded({ data: [item('3')], cursor: null, prev_cursor: 'b' }),
    ];
    const found: string[] = [];
    for await (const message of client.all.listWebhookMessages({ endpoint_id: botId, state: 'failed' })) {
      found.push(message.message_id);
    }
    expect(found).toEqual(['1', '2', '3']);
    const queries = service.received.map(({ path }) => Object.fromEntries(new URL(path, service.url).searchParams));
    expect(queries).toEqual([
      { state: 'failed' },
      { state: 'failed', cursor: 'b==' },
      { state: 'failed', cursor: 'c' },
    ]);
  });

  test('can be left in the middle', async () => {
    service.replies = [responded({ data: [{ bot_id: '1' }, { bot_id: '2' }], cursor: 'more', prev_cursor: null })];
    for await (const bot of client.all.listBots()) {
      expect(bot.bot_id).toBe('1');
      break;
    }
    expect(service.received).toHaveLength(1);
  });

  test('ends when the service repeats itself', async () => {
    service.replies = [responded({ data: [{ bot_id: '1' }], cursor: 'same', prev_cursor: null })];
    const found: string[] = [];
    for await (const bot of client.all.listBots()) found.push(bot.bot_id);
    expect(found).toEqual(['1', '1']);
  });
});

describe('the life of a bot', () => {
  test('is a method each, with the same calls', async () => {
    service.replies = [responded({ data: { bot_id: botId } }, 201), responded({ data: { message: 'Done.' } })];
    const { bot_id } = await client.bots.create(body);
    await client.bots.schedule({ ...body, join_at: '2031-05-04T09:00:00Z' });
    await client.bots.sendChatMessage(bot_id, 'Good morning');
    await client.bots.renameSpeaker(bot_id, { speaker: 'Sam', name: 'Uma' });
    for (const name of ['get', 'status', 'leave', 'pause', 'resume', 'cancel', 'retranscribe', 'deleteData'] as const)
      await client.bots[name](bot_id);
    expect(service.received.map(({ method, path }) => `${method} ${path.replace(botId, 'ID')}`)).toEqual([
      'POST /v2/bots',
      'POST /v2/bots/scheduled',
      'POST /v2/bots/ID/send-chat-message',
      'PATCH /v2/bots/ID/speakers',
      'GET /v2/bots/ID',
      'GET /v2/bots/ID/status',
      'POST /v2/bots/ID/leave',
      'POST /v2/bots/ID/pause-recording',
      'POST /v2/bots/ID/resume-recording',
      'DELETE /v2/bots/scheduled/ID',
      'POST /v2/bots/ID/retranscribe',
      'DELETE /v2/bots/ID/delete-data',
    ]);
  });

  test('lists with filters that are checked by their types', async () => {
    service.replies = [responded({ data: [{ bot_id: botId }], cursor: null, prev_cursor: null })];
    const found: string[] = [];
    for await (const bot of client.bots.list({ status: ['completed', 'failed'], meeting_platform: 'meet' }))
      found.push(bot.bot_id);
    // @ts-expect-error: no status of a bot.
    client.bots.list({ status: 'fialed' });
    // @ts-expect-error: no status of a bot.
    client.all.listBots({ status: 'fialed' });
    // @ts-expect-error: no platform.
    client.all.listBots({ meeting_platform: ['meet', 'webex'] });
    // @ts-expect-error: no status of a scheduled bot.
    client.all.listScheduledBots({ status: ['in_waiting_room'] });
    // @ts-expect-error: no filter.
    client.all.listBots({ stauts: 'failed' });
    expect(found).toEqual([botId]);
    expect(new URL(service.received[0]?.path ?? '', service.url).search).toBe(
      '?meeting_platform=meet&status=completed%2Cfailed',
    );
  });

  test('is waited for until its end, or until the deadline', async () => {
    const status = (name: string) => responded({ data: { status: name } });
    service.replies = [status('in_call_recording'), status('transcribing'), status('completed'), status('completed')];
    expect(await client.bots.waitUntilDone(botId, { pollMs: 700 })).toEqual({ status: 'completed' });
    expect(service.received.at(-1)?.path).toBe(`/v2/bots/${botId}`);
    expect(pauses).toEqual([700, 700]);
    service.replies = [status('in_waiting_room')];
    expect(await refusalOf(client.bots.waitUntilDone(botId, { timeoutMs: 12_000 }))).toMatchObject({
      code: 'SDK_TIMEOUT',
      message: 'The bot did not end within 12000 ms; its status is in_waiting_room.',
    });
    const controller = new AbortController();
    const waiting = createRapporteurClient({ baseUrl: service.url, apiKey: 'rap_test' }).bots.waitUntilDone(botId, {
      signal: controller.signal,
    });
    controller.abort();
    expect(await refusalOf(waiting)).toMatchObject({ code: 'SDK_ABORTED' });
  });

  test('gives its transcript as JSON or as text, or states why there is none', async () => {
    const result = {
      languages: ['en'],
      utterances: [{ speaker: 'Ann', text: 'Good morning.', start: 0, end: 1, words: [] }],
    };
    service.replies = [
      responded({ data: result }),
      { status: 200, headers: { 'content-type': 'text/vtt; charset=utf-8' }, body: 'WEBVTT\n' },
      { status: 409, body: { success: false, code: 'FST_ERR_BOT_STATUS', message: 'No transcript was requested.' } },
    ];
    expect(await client.bots.transcript(botId)).toEqual(result);
    expect(await client.bots.transcriptText(botId, 'vtt')).toBe('WEBVTT\n');
    expect(service.received.at(-1)?.path).toBe(`/v2/bots/${botId}/transcript?format=vtt`);
    expect(await refusalOf(client.bots.transcript(botId))).toMatchObject({
      code: 'FST_ERR_BOT_STATUS',
      message: 'No transcript was requested.',
    });
  });
});

test.each([
  ['expired', 'The API key has expired. Use another one.'],
  ['constructor', 'Not now.'],
])('a refused key (%s) is explained where the service names its problem', async (problem, message) => {
  const refusal = refused(403, 'FST_ERR_FORBIDDEN') as Exclude<ReturnType<typeof refused>, string>;
  service.replies = [{ ...refusal, headers: { 'x-service-key-problem': problem } }];
  const client = createRapporteurClient({ baseUrl: service.url, apiKey: 'rap_test' });
  await expect(client.listDailyUsage()).rejects.toMatchObject({ code: 'FST_ERR_FORBIDDEN', message });
});

test('a client without an address or a key is refused at once', () => {
  const create = (options: unknown) => () =>
    createRapporteurClient(options as Parameters<typeof createRapporteurClient>[0]);
  expect(create({ apiKey: 'rap_test' })).toThrow('baseUrl is missing');
  expect(create({ baseUrl: service.url, apiKey: '' })).toThrow('apiKey is missing');
  expect(create({ baseUrl: `${service.url}/v2/`, apiKey: 'rap_test' })).toThrow('leave out the version at its end');
});
