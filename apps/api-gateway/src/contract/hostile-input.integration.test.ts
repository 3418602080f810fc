import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { batchRequest } from '@rapporteur/contracts';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const smallest = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
let edge: Edge;
let url = '';
let key = '';

beforeAll(async () => {
  edge = await startEdge();
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  key = await edge.createKey(await edge.createTeam('unlimited'), 'full');
  url = await edge.startGateway();
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.scheduler.calls.length = 0;
});

const create = (body: unknown) => send('post', `${url}/v2/bots`, { key, body });

describe('hostile input', () => {
  const mib = 1024 * 1024;
  const batch = (text: string) => ({ path: '/v2/bots/batch', text });
  test.each([
    ['1 MiB of nesting', { path: '/v2/bots', text: '['.repeat(mib) }, 400],
    ['1 MiB of nested objects', { path: '/v2/bots', text: '{"a":'.repeat(mib / 5) }, 400],
    ['1 MiB of values', { path: '/v2/bots', text: `[${'0,'.repeat(mib / 2 - 8)}0]` }, 400],
    ['more than 1 MiB', { path: '/v2/bots', text: 'x'.repeat(mib + 1) }, 413],
    ['5 MiB of nesting', batch('['.repeat(5 * mib)), 400],
    ['5 MiB of values', batch(`[${'0,'.repeat(2.5 * mib - 8)}0]`), 400],
    ['1 MiB of digits', { path: '/v2/bots', text: `{"extra":{"x":${'1'.repeat(mib - 32)}}}` }, 400],
    ['more than 5 MiB', batch('x'.repeat(5 * mib + 1)), 413],
  ])('%s are refused', async (_what, { path, text }, status) => {
    const reply = await send('post', `${url}${path}`, { key, text, type: 'application/json' });
    expect(reply.status).toBe(status);
    expect(edge.scheduler.calls).toEqual([]);
  });

  test.each([
    ['addresses', { meeting_url: `https://${'a-'.repeat(30_000)}` }],
    ['addresses with credentials', { meeting_url: `https://${'a:@'.repeat(20_000)}` }],
    ['mail addresses', { meet_config: { email_group: `${'a.'.repeat(30_000)}@` } }],
    ['ids', { meet_config: { credential_id: '0'.repeat(60_000) } }],
    ['headers', { callback_config: { url: 'https://a.example', secret: `${'x'.repeat(60_000)}\n` } }],
  ])('the worst %s take no time', async (_what, fields) => {
    // CPU time of this process, in which the gateway runs: load on the machine does not count. The minimum of three
    // runs excludes garbage collection and compilation.
    const took: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const before = process.cpuUsage();
      expect((await create({ ...smallest, ...fields })).status).toBe(400);
      took.push(process.cpuUsage(before).user / 1_000);
    }
    expect(Math.min(...took)).toBeLessThan(500);
  });

  test.each([
    ['extra', { extra: { text: 'x'.repeat(16 * 1024) } }, 'extra: must NOT be longer than 16384 bytes as JSON'],
    ['a prototype', { extra: JSON.parse('{"__proto__":{"admin":true}}') as unknown }, 'a member called __proto__'],
  ])('%s beyond what is kept is refused with its name', async (_what, fields, message) => {
    const reply = await create({ ...smallest, ...fields });
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toContain(message);
  });

  test('one item of a batch that cannot be kept is refused alone', async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: [], errors: [] } };
    const items = ['{"a":"\\u0000"}', '{"a":12345678901234567890}', '{"__proto__":{}}', '{"a":1}'].map((extra) =>
      JSON.stringify({ ...smallest, extra: 'here' }).replace('"here"', extra),
    );
    await send('post', `${url}/v2/bots/batch`, { key, text: `[${items.join(',')}]`, type: 'application/json' });
    const handedOn = batchRequest.parse(edge.scheduler.calls[0]?.body).items;
    expect(handedOn.map((item) => ('error' in item ? item.error.message : 'accepted'))).toEqual([
      'extra.a: contains a NUL character',
      'extra.a: is an integer beyond 2^53, which JSON readers round: send it as a text',
      'extra: must not have a member called __proto__',
      'accepted',
    ]);
  });

  test.each([
    ['a query that is no percent-encoding', '/v2/webhooks/endpoints?limit=%E0%A4%A'],
    ['a query that is no UTF-8', '/v2/webhooks/endpoints?limit=%FF'],
    ['a path that is no UTF-8, even where nothing is', '/v2/%FF/x'],
  ])('%s is 400', async (_what, path) => {
    const reply = await send('get', `${url}${path}`, { key });
    expect(reply.body).toMatchObject({ statusCode: 400, code: 'FST_ERR_VALIDATION' });
  });

  test('a body in chunks without end is cut off at the limit', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024));
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += chunk.byteLength;
        if (sent > 2 * mib) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${url}/v2/bots`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
  });

  test('a hostile body within the limit does not hold the others up', async () => {
    const before = process.cpuUsage();
    const names = Array.from({ length: 49_000 }, () => 1);
    expect((await create({ ...smallest, ignored_participant_names: names })).status).toBe(400);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});

describe('every response', () => {
  test.each([
    ['a success', 'get', `/v2/bots/${botId}/status`],
    ['a refusal', 'delete', '/v2/bots'],
    ['nothing', 'get', '/nothing'],
    ['the documentation', 'get', '/docs'],
  ])('carries a request id and not the name of a framework: %s', async (_what, method, path) => {
    edge.scheduler.response = { status: 404, body: {} };
    const { headers } = await send(method, `${url}${path}`, { key });
    expect(headers).toMatchObject({ 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('to HEAD is the one to GET without its body; to OPTIONS, which methods there are', async () => {
    edge.scheduler.response = {
      status: 200,
      body: {
        success: true,
        data: {
          bot_id: botId,
          status: 'queued',
          transcription_status: 'not-applicable',
          captions: null,
          transcription_progress: null,
          transcription_message: null,
          updated_at: '2026-11-21T09:00:00.000Z',
        },
      },
    };
    const sendRequest = (method: string) => send(method, `${url}/v2/bots/${botId}/status`, { key });
    const [get, head, options] = [await sendRequest('get'), await sendRequest('head'), await sendRequest('options')];
    expect([head.status, head.text ?? '']).toEqual([200, '']);
    expect(head.get('content-length')).toBe(String(get.text.length));
    expect(edge.scheduler.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect([options.status, options.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});
