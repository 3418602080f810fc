import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { webhookEventNames } from '@rapporteur/contracts';
import { hostileHosts } from '@rapporteur/outbound-http/testing';
import { startDeliveryUnderTest, startSurroundings } from '../testing/delivery-under-test.ts';
import type { Api, Surroundings } from '../testing/delivery-under-test.ts';

let surroundings: Surroundings;
let delivery: { url: string; stop(): Promise<boolean> };
let ours: Api;
let theirs: Api;
beforeAll(async () => {
  surroundings = await startSurroundings();
  delivery = await startDeliveryUnderTest(surroundings);
});
beforeEach(() => {
  ours = surroundings.api(delivery.url, randomUUID());
  theirs = surroundings.api(delivery.url, randomUUID());
});
afterAll(async () => {
  await delivery.stop();
  await surroundings.stop();
});

const url = 'https://example.com/hook';
const usual = ['bot.status_change', 'bot.completed', 'bot.failed', 'bot.chat_message', 'bot.chat_status'];
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('creating an endpoint', () => {
  test('responds with 201 with every field and its secret, subscribed to the usual events', async () => {
    const { status, body } = await ours.call('POST', '/endpoints', { url, name: 'Ops' });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        endpoint_id: uuid,
        name: 'Ops',
        url,
        events: usual,
        format: 'v2',
        header_names: [],
        enabled: true,
        disabled_reason: null,
        failing_since: null,
        previous_secret_expires_at: null,
        created_at: instant,
        updated_at: instant,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
  });

  test('puts it in the list of its team, whole but for the secret, and in no other list', async () => {
    expect(await ours.call('GET', '/endpoints')).toMatchObject({ status: 200, body: { success: true, data: [] } });
    const first = await ours.call('POST', '/endpoints', { url, name: 'Ops' });
    const second = await ours.call('POST', '/endpoints', { url: `${url}/2`, events: ['bot.failed'] });
    await theirs.call('POST', '/endpoints', { url });
    const listed = (await ours.call('GET', '/endpoints')).body as { data: { endpoint_id: string }[] };
    const whole = [first, second].map(({ body }) => {
      const { secret: _secret, ...shown } = (body as { data: { endpoint_id: string; secret: string } }).data;
      return shown;
    });
    const byId = (a: { endpoint_id: string }, b: { endpoint_id: string }) => (a.endpoint_id < b.endpoint_id ? -1 : 1);
    expect(listed.data.toSorted(byId)).toEqual(whole.toSorted(byId));
  });

  test('shows the secret that once; the database does not contain it', async () => {
    const { endpoint_id: id, secret } = await ours.endpoint(url);
    const read = await ours.call('GET', `/endpoints/${id}`);
    expect(JSON.stringify([read, await ours.call('GET', '/endpoints')])).not.toContain('whsec_');
    const rows = await surroundings.database.query<{ row: string }>(
      `select encode(secret, 'escape') || to_json(webhook_endpoints)::text as row from webhook_endpoints where endpoint_id = $1`,
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(secret.slice(6, 20));
    expect(rows[0]?.row).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  });

  test.each([
    ['a url with a password', { url: 'https://a:b@example.com/' }, 'user name or password'],
    ['a header of the service', { url, headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id: '],
    ['a header of HTTP', { url, headers: { Host: 'x' } }, 'headers.Host: '],
    ['a header value of two lines', { url, headers: { 'x-a': 'a\r\nx-b: c' } }, 'headers.x-a: '],
    ['a header twice', { url, headers: { 'x-a': '1', 'X-A': '2' } }, 'twice'],
  ])('refuses %s with 400 and states what is wrong', async (_what, body, words) => {
    const response = await ours.call('POST', '/endpoints', body);
    expect(response).toMatchObject({ status: 400, body: { success: false, code: 'FST_ERR_VALIDATION' } });
    expect(response.body['message']).toContain(words);
    expect((await ours.call('GET', '/endpoints')).body['data']).toEqual([]);
  });

  test('refuses every address inside with one and the same response', async () => {
    const strict = await startDeliveryUnderTest(surroundings, { RAPPORTEUR_ALLOWED_ADDRESSES: '' });
    const team = surroundings.api(strict.url, randomUUID());
    const responses = new Set<string>();
    for (const host of hostileHosts) {
      const { body } = await team.call('POST', '/endpoints', { url: `http://${host}/` });
      if (body['code'] !== 'FST_ERR_VALIDATION') responses.add(JSON.stringify(body));
    }
    expect([...responses]).toEqual([expect.stringContaining('"code":"FST_ERR_ADDRESS_REFUSED"')]);
    expect((await team.call('GET', '/endpoints')).body['data']).toEqual([]);
    await strict.stop();
  });

  test('stops at 50 for one team, also with many requests at once', async () => {
    const responses = await Promise.all(Array.from({ length: 55 }, () => ours.call('POST', '/endpoints', { url })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(5);
    expect((await ours.call('GET', '/endpoints')).body['data']).toHaveLength(50);
    expect((await theirs.call('POST', '/endpoints', { url })).status).toBe(201);
  });
});

describe('changing an endpoint', () => {
  test('changes what is named and nothing else', async () => {
    const { endpoint_id: id } = await ours.endpoint(url, { name: 'Ops', events: ['bot.failed'] });
    const renamed = await ours.call('PATCH', `/endpoints/${id}`, { name: null });
    expect(renamed.body['data']).toMatchObject({ name: null, url, events: ['bot.failed'], enabled: true });
    const moved = await ours.call('PATCH', `/endpoints/${id}`, { url: `${url}/2`, events: ['bot.completed'] });
    expect(moved.body['data']).toMatchObject({ url: `${url}/2`, events: ['bot.completed'], name: null });
    const older = await ours.call('PATCH', `/endpoints/${id}`, { format: 'legacy' });
    expect(older.body['data']).toMatchObject({ format: 'legacy', events: ['bot.completed'] });
    const off = await ours.call('PATCH', `/endpoints/${id}`, { enabled: false });
    expect(off.body['data']).toMatchObject({ enabled: false, disabled_reason: 'by_request' });
    const on = await ours.call('PATCH', `/endpoints/${id}`, { enabled: true });
    expect(on.body['data']).toMatchObject({ enabled: true, disabled_reason: null });
  });

  test.each([
    ['nothing', {}, 'FST_ERR_VALIDATION'],
    ['an unknown field', { secret: 'mine' }, 'FST_ERR_VALIDATION'],
    ['an address inside', { url: 'http://10.0.0.1/' }, 'FST_ERR_ADDRESS_REFUSED'],
  ])('refuses %s', async (_what, change, code) => {
    const { endpoint_id: id } = await ours.endpoint(url);
    expect(await ours.call('PATCH', `/endpoints/${id}`, change)).toMatchObject({ status: 400, body: { code } });
  });

  test('shows the names of its own headers only, and sends none of them to another host unasked', async () => {
    const headers = { Authorization: 'Bearer canary', 'x-tenant': 'canary' };
    const { endpoint_id: id } = await ours.endpoint(url, { headers });
    const read = await ours.call('GET', `/endpoints/${id}`);
    expect(read.body['data']).toMatchObject({ header_names: ['Authorization', 'x-tenant'] });
    const rows = await surroundings.database.query<{ row: string }>(
      `select encode(headers, 'escape') || to_json(webhook_endpoints)::text as row from webhook_endpoints where endpoint_id = $1`,
      [id],
    );
    expect(JSON.stringify([read.body, rows])).not.toContain('canary');
    const change = (body: object) => ours.call('PATCH', `/endpoints/${id}`, body);
    expect((await change({ url: `${url}/2` })).status).toBe(200);
    const refused = await change({ url: 'https://other.example/' });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('headers: is required') },
    });
    const moved = await change({ url: 'https://other.example/', headers: { 'x-other': 'a' } });
    expect(moved.body['data']).toMatchObject({ header_names: ['x-other'] });
    expect((await change({ headers: null })).body['data']).toMatchObject({ header_names: [] });
  });

  test('rotating the secret shows a new one and until when the old one still signs', async () => {
    const { endpoint_id: id, secret } = await ours.endpoint(url);
    const { status, body } = await ours.call('POST', `/endpoints/${id}/rotate-secret`);
    const rotated = body['data'] as { secret: string; previous_secret_expires_at: string };
    expect(status).toBe(200);
    expect(rotated.secret).not.toBe(secret);
    const hours = (Date.parse(rotated.previous_secret_expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test('deleting removes it', async () => {
    const { endpoint_id: id } = await ours.endpoint(url);
    expect((await ours.call('DELETE', `/endpoints/${id}`)).status).toBe(200);
    expect((await ours.call('GET', `/endpoints/${id}`)).status).toBe(404);
    expect((await ours.call('DELETE', `/endpoints/${id}`)).status).toBe(404);
  });
});

describe("another team's endpoint", () => {
  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/messages'],
  ])('gets the response of %s %s as for one that does not exist, and stays as it was', async (method, path) => {
    const { endpoint_id: id } = await ours.endpoint(url, { name: 'ours' });
    const before = await ours.call('GET', `/endpoints/${id}`);
    const body = method === 'PATCH' ? { name: 'theirs now' } : undefined;
    const responses = [];
    for (const other of [id, randomUUID()])
      responses.push(await theirs.call(method, `/endpoints/${other}${path}`, body));
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'FST_ERR_WEBHOOK_ENDPOINT_NOT_FOUND' } });
    expect(responses[1]).toEqual(responses[0]);
    expect(await ours.call('GET', `/endpoints/${id}`)).toEqual(before);
    expect((await theirs.call('GET', '/endpoints')).body['data']).toEqual([]);
  });

  test.each([
    ['GET', 'attempts'],
    ['POST', 'resend'],
  ])('and its messages are not found either by %s %s', async (method, path) => {
    const { endpoint_id: id } = await ours.endpoint('http://127.0.0.1:1/');
    const sent = (await ours.call('POST', `/endpoints/${id}/test`)).body['data'] as { message_id: string };
    const response = await theirs.call(method, `/messages/${sent.message_id}/${path}`);
    expect(response).toMatchObject({ status: 404, body: { code: 'FST_ERR_WEBHOOK_MESSAGE_NOT_FOUND' } });
    expect(await theirs.call(method, `/messages/msg_unknown/${path}`)).toEqual(response);
  });
});

test('the API lets only the gateway in', async () => {
  expect((await fetch(`${delivery.url}/internal/v2/webhooks/endpoints`)).status).toBe(401);
});

test('the event types are listed with what they mean', async () => {
  const { body } = await ours.call('GET', '/event-types');
  expect(body['data']).toEqual(webhookEventNames.map((event) => ({ event, description: expect.any(String) })));
});
