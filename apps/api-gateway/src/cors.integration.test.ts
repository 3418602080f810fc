import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send, startEdge } from './testing/gateway-under-test.ts';
import type { Edge } from './testing/gateway-under-test.ts';

const ours = 'https://app.example.com';
let edge: Edge;
let url = '';
let closed = '';
let key = '';
beforeAll(async () => {
  edge = await startEdge();
  url = await edge.startGateway({ corsOrigins: [ours] });
  closed = await edge.startGateway();
  key = await edge.createKey(await edge.createTeam(), 'full');
  edge.delivery.response = { status: 200, body: { success: true, data: [] } };
});
afterAll(() => edge.stop());

const path = '/v2/webhooks/endpoints';
const preflight = (base: string, origin: string) =>
  send('options', `${base}${path}`, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-service-api-key,content-type,idempotency-key',
    },
  });

describe('pages of a configured origin', () => {
  test('may call every operation with a key, without credentials', async () => {
    const { status, headers } = await preflight(url, ours);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ours,
      'access-control-allow-headers': 'x-service-api-key,content-type,idempotency-key',
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-max-age': '3600',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('can read responses and errors, with the headers to wait by', async () => {
    for (const call of [{ key }, {}]) {
      const { headers } = await send('get', `${url}${path}`, { ...call, headers: { origin: ours } });
      expect(headers).toMatchObject({
        'access-control-allow-origin': ours,
        'access-control-expose-headers': expect.stringContaining('retry-after'),
        vary: expect.stringContaining('Origin'),
      });
    }
  });
});

describe('pages of another origin', () => {
  test.each([
    ['with other origins configured', () => url, 'https://app.example.com.evil.example'],
    ['in another scheme', () => url, 'http://app.example.com'],
    ['without any configuration', () => closed, ours],
  ])('%s can read nothing', async (_what, base, origin) => {
    expect((await preflight(base(), origin)).headers).not.toHaveProperty('access-control-allow-origin');
    const read = await send('get', `${base()}${path}`, { key, headers: { origin } });
    expect(read.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('an OPTIONS that is no preflight lists the methods to a key', async () => {
    const listed = await send('options', `${url}${path}`, { key });
    expect(listed.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });
});
