import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { publicOperations } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import { createApiKey } from './api-key.ts';
import { listKeys, revokeKey } from './keys.store.ts';

const clock = new FakeClock(Date.now());
const answers = { 201: { success: true, data: { bot_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' } } } as const;
const keys = {
  none: undefined as string | undefined,
  unknown: '',
  mistyped: '',
  sending: '',
  full: '',
  revoked: '',
  expired: '',
};
let edge: Edge;
let url = '';
let teamId = '';

beforeAll(async () => {
  edge = await startEdge();
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  teamId = await edge.createTeam('unlimited');
  keys.unknown = createApiKey().text;
  keys.sending = await edge.createKey(teamId, 'sending');
  keys.full = await edge.createKey(teamId, 'full', new Date(clock.now() + 3_600_000));
  keys.mistyped = `${keys.full.slice(0, -1)}${keys.full.endsWith('a') ? 'b' : 'a'}`;
  keys.revoked = await edge.createKey(teamId, 'full');
  keys.expired = await edge.createKey(teamId, 'full', new Date(clock.now()));
  const revoked = (await listKeys(edge.database, teamId)).find((key) => keys.revoked.startsWith(key.start));
  await revokeKey(edge.database, revoked?.key_id ?? '');
  url = await edge.startGateway({ clock });
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.scheduler.calls.length = 0;
  edge.delivery.calls.length = 0;
});

/** A request that would pass, so that only the key decides. An owner's 404 shows that it got through. */
function call(operation: PublicOperation, key: string | undefined) {
  const refused = {
    success: false,
    error: 'Not Found',
    code: 'FST_ERR_NOT_FOUND',
    statusCode: 404,
    message: 'x',
    details: null,
  };
  for (const owner of [edge.scheduler, edge.delivery]) owner.answer = { status: 404, body: refused };
  const path = operation.path
    .replaceAll('{message_id}', `msg_${'a'.repeat(26)}`)
    .replaceAll(/\{\w+\}/g, '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11');
  const bodies: Record<string, unknown> = {
    createBot: { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' },
    createWebhookEndpoint: { url: 'https://a.example/hook' },
    updateWebhookEndpoint: { enabled: false },
  };
  if (operation.takesBody && bodies[operation.id] === undefined)
    throw new Error(`Give ${operation.id} a body that fits.`);
  return send(operation.method, `${url}${path}`, {
    key,
    ...(operation.takesBody ? { body: bodies[operation.id] } : {}),
  });
}

const forwarded = () => [...edge.scheduler.calls, ...edge.delivery.calls];

describe.each(publicOperations())('$id', (operation) => {
  test.each([
    ['none', 'The header x-service-api-key is missing.'],
    ['mistyped', 'Check that it was copied whole.'],
    ['unknown', 'This API key is not known here.'],
    ['revoked', 'This API key was revoked.'],
    ['expired', 'This API key has expired.'],
  ] as const)('refuses with key: %s', async (name, message) => {
    const answer = await call(operation, keys[name]);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      success: false,
      error: 'Forbidden',
      code: 'FST_ERR_FORBIDDEN',
      statusCode: 403,
      message: expect.stringContaining(message),
    });
    expect(forwarded()).toEqual([]);
  });

  test(`${operation.permission === 'sending' ? 'lets in' : 'refuses'} a Sending Access key`, async () => {
    const answer = await call(operation, keys.sending);
    if (operation.permission === 'sending') {
      expect(forwarded()).toHaveLength(1);
      expect(forwarded()[0]?.token).toMatchObject({ permission: 'sending' });
    } else {
      expect(answer.text).toBe(
        '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}',
      );
      expect(answer.status).toBe(403);
      expect(forwarded()).toEqual([]);
    }
  });

  test('lets in a Full Access key and says to the owner for whom', async () => {
    await call(operation, keys.full);
    const [only, ...rest] = forwarded();
    expect(rest).toEqual([]);
    expect(only).toMatchObject({
      method: operation.method.toUpperCase(),
      token: { iss: 'api-gateway', aud: operation.owner, team: teamId, permission: 'full' },
    });
    expect(only?.path).toMatch(/^\/internal\/v2\//);
    expect(only?.headers).not.toHaveProperty('x-service-api-key');
  });
});

describe('a key', () => {
  test('stops working within a second of being revoked, on every replica', async () => {
    edge.scheduler.answer = { status: 201, body: answers[201] };
    const other = await edge.startGateway({ clock });
    const own = await edge.createKey(teamId, 'full');
    const record = (await listKeys(edge.database, teamId)).find((key) => own.startsWith(key.start));
    const post = (base: string) =>
      send('post', `${base}/v2/bots`, { key: own, body: { bot_name: 'x', meeting_url: 'https://meet.google.com/a' } });
    expect([(await post(url)).status, (await post(other)).status]).toEqual([201, 201]);
    await revokeKey(edge.database, record?.key_id ?? '');
    await clock.advance(1_000);
    expect([(await post(url)).status, (await post(other)).status]).toEqual([403, 403]);
  });

  test('expires at its moment, cached or not', async () => {
    const own = await edge.createKey(teamId, 'full', new Date(clock.now() + 200));
    const path = `${url}/v2/bots/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11/status`;
    expect((await send('get', path, { key: own })).body).not.toMatchObject({ code: 'FST_ERR_FORBIDDEN' });
    await clock.advance(200);
    expect((await send('get', path, { key: own })).body).toMatchObject({ code: 'FST_ERR_FORBIDDEN' });
  });

  test('that cannot be looked up is answered with 503, not 403', async () => {
    await edge.database.query('alter table api_keys rename to api_keys_gone');
    const answer = await send('get', `${url}/v2/webhooks/endpoints`, { key: await freshButUnknown() });
    await edge.database.query('alter table api_keys_gone rename to api_keys');
    expect(answer.body).toMatchObject({ code: 'FST_ERR_UNAVAILABLE', statusCode: 503 });
    expect(answer.text).not.toContain('api_keys');
  });
});

function freshButUnknown(): Promise<string> {
  return Promise.resolve(createApiKey().text);
}
