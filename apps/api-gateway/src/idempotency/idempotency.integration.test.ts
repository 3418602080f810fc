import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const body = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
const created = { success: true, data: { bot_id: botId } };
let edge: Edge;
let replicas: string[] = [];
let url = '';
let key = '';
let turn = 0;

beforeAll(async () => {
  edge = await startEdge();
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  key = await edge.createKey(await edge.createTeam('unlimited'), 'full');
  replicas = [await edge.startGateway(), await edge.startGateway()];
  url = replicas[0] ?? '';
});
afterAll(() => edge.stop());
beforeEach(() => {
  turn += 1;
  edge.scheduler.calls.length = 0;
  edge.scheduler.response = { status: 201, body: created };
});

/** A key that only this test uses. */
const fresh = () => `order ${turn}`;
const post = (idempotencyKey: string, more: { body?: unknown; base?: string; path?: string; key?: string } = {}) =>
  send('post', `${more.base ?? url}${more.path ?? '/v2/bots'}`, {
    key: more.key ?? key,
    body: more.body ?? body,
    headers: { 'idempotency-key': idempotencyKey },
  });

describe('a POST with an Idempotency-Key', () => {
  test('is done once; sent again, on any replica, it gets the first response word for word', async () => {
    const first = await post(fresh());
    expect(first.get('idempotency-replayed')).toBeUndefined();
    for (const base of replicas) {
      const again = await post(fresh(), { base });
      expect(again).toMatchObject({ status: 201, text: first.text });
      expect(again.get('idempotency-replayed')).toBe('true');
      expect(again.get('content-type')).toBe(first.get('content-type'));
      expect(again.get('x-request-id')).not.toBe(first.get('x-request-id'));
    }
    expect(edge.scheduler.calls).toHaveLength(1);
  });

  test('is the same request whatever the order of its members, with its defaults or without', async () => {
    await post(fresh());
    const again = await post(fresh(), {
      body: { extra: null, meeting_url: body.meeting_url, bot_name: body.bot_name },
    });
    expect(again.get('idempotency-replayed')).toBe('true');
  });

  test('is refused when its key was used for something else', async () => {
    await post(fresh());
    const other = await post(fresh(), { body: { ...body, bot_name: 'Another' } });
    expect(other).toMatchObject({ status: 422, body: { code: 'FST_ERR_IDEMPOTENCY_KEY_REUSED' } });
    expect(edge.scheduler.calls).toHaveLength(1);
  });

  test('is refused for the same command to another bot, and free for another operation or another team', async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: { message: 'Leaving.' } } };
    const leave = (id: string) => `/v2/bots/${id}/leave`;
    expect((await post(fresh(), { path: leave(botId) })).status).toBe(200);
    expect((await post(fresh(), { path: leave(botId.replace('3f', '4f')) })).status).toBe(422);
    expect((await post(fresh(), { path: `/v2/bots/${botId}/resend-webhook` })).status).toBe(200);
    const otherTeam = await edge.createKey(await edge.createTeam('unlimited'), 'full');
    expect((await post(fresh(), { path: leave(botId), key: otherTeam })).get('idempotency-replayed')).toBeUndefined();
    expect(edge.scheduler.calls).toHaveLength(3);
  });

  test('is let through once when a hundred come together on two replicas', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 201, body: created, after: promise };
    const all = Array.from({ length: 100 }, (_, at) => post(fresh(), { base: replicas[at % 2] ?? url }));
    await waitFor(() => edge.scheduler.calls.length === 1, { what: 'one of them to reach the owner' });
    resolve();
    const responses = await Promise.all(all);
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses.filter((response) => response.get('idempotency-replayed') === undefined)).toHaveLength(1);
    expect(edge.scheduler.calls).toHaveLength(1);
    expect((await post(fresh())).get('idempotency-replayed')).toBe('true');
  });

  test('whose caller waited too long is done once: the repeat waits for the first outcome', async () => {
    const impatient = await edge.startGateway({ ownerLimitMs: 50 });
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 201, body: created, after: promise };
    expect(await post(fresh(), { base: impatient })).toMatchObject({
      status: 503,
      body: { success: false, code: 'FST_ERR_UNAVAILABLE', statusCode: 503 },
    });
    const again = post(fresh());
    resolve();
    expect(await again).toMatchObject({ status: 201, body: created });
    expect((await again).get('idempotency-replayed')).toBe('true');
    expect(edge.scheduler.calls).toHaveLength(1);
  });

  test('whose late outcome is a refusal of the owner may be tried again', async () => {
    const impatient = await edge.startGateway({ ownerLimitMs: 50 });
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.nextResponses.push({ status: 503, body: { success: false }, after: promise });
    expect((await post(fresh(), { base: impatient })).status).toBe(503);
    const again = post(fresh());
    resolve();
    expect((await again).status).toBe(201);
    expect(edge.scheduler.calls).toHaveLength(2);
  });

  test.each([
    [400, 'FST_ERR_VALIDATION', true],
    [409, 'FST_ERR_BOT_ALREADY_EXISTS', false],
    [402, 'FST_ERR_INSUFFICIENT_TOKENS', false],
    [429, 'FST_ERR_DAILY_BOT_CAP_REACHED', false],
    [503, 'FST_ERR_UNAVAILABLE', false],
    [500, 'FST_ERR_INTERNAL', false],
  ])('with the response %d %s is kept: %s', async (status, code, isKept) => {
    const refusal = { success: false, error: 'x', code, statusCode: status, message: 'x', details: null };
    edge.scheduler.response = { status, body: refusal };
    expect((await post(fresh())).status).toBe(status);
    edge.scheduler.response = { status: 201, body: created };
    const again = await post(fresh());
    expect(again.status).toBe(isKept ? status : 201);
    expect(again.get('idempotency-replayed')).toBe(isKept ? 'true' : undefined);
  });

  test('with the response that an object is missing is not kept: it may exist later', async () => {
    const path = `/v2/bots/${botId}/leave`;
    const code = 'FST_ERR_BOT_NOT_FOUND_BY_ID';
    const refusal = { success: false, error: 'x', code, statusCode: 404, message: 'x', details: null };
    edge.scheduler.response = { status: 404, body: refusal };
    expect((await post(fresh(), { path })).status).toBe(404);
    edge.scheduler.response = { status: 200, body: { success: true, data: { message: 'Leaving.' } } };
    expect((await post(fresh(), { path })).status).toBe(200);
  });

  test('without a response of its owner may be tried again, under the same id for its owner', async () => {
    const gone = await edge.startGateway({ schedulerUrl: 'http://127.0.0.1:1' });
    expect((await post(fresh(), { base: gone })).status).toBe(503);
    const [row] = await edge.database.query<{ id: string }>(
      'select idempotency_id as id from idempotency_keys where status is null order by claimed_until desc limit 1',
    );
    expect((await post(fresh())).status).toBe(201);
    expect(edge.scheduler.calls[0]?.headers['x-idempotency-id']).toBe(row?.id);
  });

  test('whose owner received it and closed the connection keeps its claim until that expires', async () => {
    edge.scheduler.nextResponses.push({ status: 200, body: {}, hangsUp: true });
    expect((await post(fresh())).status).toBe(503);
    expect(edge.scheduler.calls).toHaveLength(1);
    const [claim] = await edge.database.query<{ held: boolean }>(
      `select claimed_until > now() as held from idempotency_keys where expires_at = (select max(expires_at) from idempotency_keys)`,
    );
    expect(claim?.held).toBe(true);
    await edge.database.query(
      `update idempotency_keys set claimed_until = now() where expires_at = (select max(expires_at) from idempotency_keys)`,
    );
    expect((await post(fresh())).status).toBe(201);
    expect(edge.scheduler.calls).toHaveLength(2);
  });

  test('whose owner is lost after an early response is renewed no more, and can be repeated when the claim ends', async () => {
    const renewals: AbortSignal[] = [];
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      if (ms !== 5_000 || signal === undefined) return systemClock.sleep(ms, signal);
      renewals.push(signal);
      return systemClock.sleep(5, signal);
    };
    const impatient = await edge.startGateway({ ownerLimitMs: 50, clock: { ...systemClock, sleep } });
    for (const lost of [{ hangsUp: true }, { text: '<html>' }]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      edge.scheduler.nextResponses.push({ status: 502, body: {}, after: promise, ...lost });
      const name = `${fresh()} ${Object.keys(lost).join('')}`;
      expect((await post(name, { base: impatient })).status).toBe(503);
      resolve();
      await waitFor(() => renewals.at(-1)?.aborted === true, { what: 'the end of the renewals' });
    }
  });

  test('left behind by a gateway that died is taken over once its claim has run out, and only by the same request', async () => {
    await post(fresh());
    const lapse = (when: string) =>
      edge.database.query(
        `update idempotency_keys set status = null, headers = null, response = null, claimed_until = now() + interval '${when}'
          where expires_at = (select max(expires_at) from idempotency_keys)`,
      );
    await lapse('100 seconds');
    const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 20, signal) };
    const reported = await post(fresh(), { base: await edge.startGateway({ clock }) });
    expect(reported).toMatchObject({ status: 409, body: { code: 'FST_ERR_IDEMPOTENCY_IN_PROGRESS', retryAfter: 1 } });
    expect(reported.get('retry-after')).toBe('1');
    await lapse('-1 seconds');
    expect((await post(fresh(), { body: { ...body, bot_name: 'Another' } })).status).toBe(422);
    expect((await post(fresh())).status).toBe(201);
    const [first, second] = edge.scheduler.calls;
    expect(second?.headers['x-idempotency-id']).toBe(first?.headers['x-idempotency-id']);
    expect((await post(fresh())).get('idempotency-replayed')).toBe('true');
  });

  test('holds its claim for as long as its owner works, and no claim lasts more than 20 s without that', async () => {
    const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 20, signal) };
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 201, body: created, after: promise };
    const first = post(fresh(), { base: await edge.startGateway({ clock }) });
    await waitFor(() => edge.scheduler.calls.length === 1, { what: 'the request to reach its owner' });
    const [claim] = await edge.database.query<{ key: Buffer }>(
      `update idempotency_keys set claimed_until = now() + interval '1 second'
        where expires_at = (select max(expires_at) from idempotency_keys) returning key_hash as key`,
    );
    const heldSeconds = async () => {
      const [row] = await edge.database.query<{ seconds: number }>(
        'select extract(epoch from claimed_until - clock_timestamp())::float8 as seconds from idempotency_keys where key_hash = $1',
        [claim?.key],
      );
      return row?.seconds ?? 0;
    };
    await waitFor(async () => (await heldSeconds()) > 10, { what: 'the claim to be renewed' });
    expect(await heldSeconds()).toBeLessThanOrEqual(20);
    resolve();
    expect((await first).status).toBe(201);
    expect((await post(fresh())).get('idempotency-replayed')).toBe('true');
    expect(edge.scheduler.calls).toHaveLength(1);
  });

  test('is forgotten after its 24 hours: the same key is then a new request, and the sweep removes the old', async () => {
    await post(fresh());
    const expire = () => edge.database.query(`update idempotency_keys set expires_at = now() - interval '1 second'`);
    await expire();
    const again = await post(fresh(), { body: { ...body, bot_name: 'Another' } });
    expect(again).toMatchObject({ status: 201 });
    const [first, second] = edge.scheduler.calls;
    expect(second?.headers['x-idempotency-id']).not.toBe(first?.headers['x-idempotency-id']);
    await expire();
    expect(await edge.idempotency.sweep()).toBeGreaterThan(0);
    expect(await edge.idempotency.sweep()).toBe(0);
  });

  test('shows a secret in its first response only, and keeps neither its key nor its response in the clear', async () => {
    const secret = 'whsec_canary';
    edge.delivery.response = {
      status: 201,
      body: {
        success: true,
        data: {
          endpoint_id: botId,
          name: null,
          url: 'https://a.example/hook',
          events: ['bot.completed'],
          format: 'v2',
          header_names: [],
          enabled: true,
          disabled_reason: null,
          failing_since: null,
          previous_secret_expires_at: null,
          created_at: '2026-11-21T09:00:00.000Z',
          updated_at: '2026-11-21T09:00:00.000Z',
          secret,
        },
      },
    };
    const first = await post('reporting-key', {
      path: '/v2/webhooks/endpoints',
      body: { url: 'https://a.example/hook' },
    });
    const again = await post('reporting-key', {
      path: '/v2/webhooks/endpoints',
      body: { url: 'https://a.example/hook' },
    });
    expect(first.text).toContain(secret);
    expect(again.text).toBe(first.text.replace(`"${secret}"`, 'null'));
    expect(again.get('idempotency-replayed')).toBe('true');
    const [dump] = await edge.database.query<{ all: string }>(
      `select string_agg(k::text || encode(coalesce(response, ''), 'escape'), '') as all from idempotency_keys k`,
    );
    expect(dump?.all).not.toMatch(/canary|telling/);
  });

  test.each([['x'.repeat(256)], ['\u00e9']])('whose key is no short plain text (%s) gets an error', async (bad) => {
    expect((await post(bad)).body).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('idempotency-key: '),
    });
  });

  test('that does not fit the contract uses up nothing', async () => {
    expect((await post(fresh(), { body: {} })).status).toBe(400);
    expect((await post(fresh())).status).toBe(201);
  });

  test('is not forwarded while it is unknown whether it was done already', async () => {
    await edge.database.query('alter table idempotency_keys rename to idempotency_keys_gone');
    const response = await post(fresh());
    await edge.database.query('alter table idempotency_keys_gone rename to idempotency_keys');
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('idempotency_keys');
    expect(edge.scheduler.calls).toEqual([]);
  });
});

describe('without the header, or on another method', () => {
  test('every request is its own', async () => {
    const plain = () => send('post', `${url}/v2/bots`, { key, body });
    await plain();
    await plain();
    const headers = { 'idempotency-key': fresh() };
    edge.scheduler.response = { status: 200, body: { success: true, data: { message: 'Changed.' } } };
    for (const extra of [{ a: 1 }, { a: 2 }]) {
      await send('patch', `${url}/v2/bots/${botId}/update-config`, { key, body: { extra }, headers });
    }
    expect(edge.scheduler.calls).toHaveLength(4);
  });
});
