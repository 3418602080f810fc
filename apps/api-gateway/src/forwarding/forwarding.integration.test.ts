import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { waitFor } from '@rapporteur/testbed';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import { startStubOwner } from '../testing/stub-owner.ts';
import type { StubOwner } from '../testing/stub-owner.ts';

const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
let edge: Edge;
let url = '';
let key = '';

beforeAll(async () => {
  edge = await startEdge();
  key = await edge.createKey(await edge.createTeam(), 'full');
  url = await edge.startGateway();
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.scheduler.calls.length = 0;
});

const secureOwners: StubOwner[] = [];
const known = getCACertificates('default');
afterAll(async () => {
  setDefaultCACertificates(known);
  await Promise.all(secureOwners.map((owner) => owner.stop()));
});

/** An owner that speaks https, with a certificate that this process trusts. */
async function secureOwner(): Promise<StubOwner> {
  const certificate = certificateFor('localhost');
  setDefaultCACertificates([...known, certificate.cert]);
  const owner = await startStubOwner(certificate);
  secureOwners.push(owner);
  return owner;
}

const status = (base = url) => send('get', `${base}/v2/bots/${botId}/status`, { key });
const report = {
  bot_id: botId,
  status: 'queued',
  transcription_status: 'not-applicable',
  updated_at: '2026-11-21T09:00:00.000Z',
};

describe('forwarding', () => {
  test("gives the owner's response back as it is, under one request id", async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: report } };
    const response = await status();
    expect(response).toMatchObject({ status: 200, body: { success: true, data: report } });
    expect(edge.scheduler.calls[0]).toMatchObject({
      method: 'GET',
      path: `/internal/v2/bots/${botId}/status`,
      body: null,
      headers: { 'x-request-id': response.headers.get('x-request-id') },
      token: { request: response.headers.get('x-request-id') },
    });
  });

  test("gives the owner's refusal back as it is", async () => {
    const refusal = {
      success: false,
      error: 'Conflict',
      code: 'FST_ERR_BOT_STATUS',
      statusCode: 409,
      message: 'Too late.',
      details: null,
    };
    edge.scheduler.response = { status: 409, body: refusal };
    const response = await send('post', `${url}/v2/bots/${botId}/leave`, { key });
    expect(response).toMatchObject({ status: 409, body: refusal });
  });

  test('passes on when to come back', async () => {
    const refusal = {
      success: false,
      error: 'Cap',
      code: 'X',
      statusCode: 429,
      message: 'x',
      details: null,
      retryAfter: 60,
    };
    edge.scheduler.response = { status: 429, body: refusal, headers: { 'retry-after': '60', 'x-internal': 'no' } };
    const response = await send('post', `${url}/v2/bots/${botId}/leave`, { key });
    expect(response.headers.get('retry-after')).toBe('60');
    expect(response.headers.get('x-internal')).toBeNull();
  });

  test.each([
    ["refuses the gateway's token", { status: 401, body: { success: false, message: 'token' } }],
    ['answers something that is not JSON', { status: 502, body: null, text: '<html>nginx at 10.0.0.7</html>' }],
  ])('responds with a bland 500 when the owner %s', async (_what, response) => {
    edge.scheduler.response = response;
    const result = await status();
    expect(result.body).toMatchObject({
      statusCode: 500,
      code: 'FST_ERR_INTERNAL',
      details: expect.stringContaining('request id'),
    });
    expect(result.text).not.toMatch(/nginx|token/);
  });

  test("responds with 503 within three seconds when nobody listens at the owner's address", async () => {
    const gateway = await edge.startGateway({ schedulerUrl: 'http://127.0.0.1:1' });
    const startedAt = performance.now();
    expect((await status(gateway)).body).toMatchObject({
      statusCode: 503,
      code: 'FST_ERR_UNAVAILABLE',
      success: false,
    });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  test('responds with 503 within three seconds when the owner takes connections and sends nothing', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const mute = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const gateway = await edge.startGateway({
      schedulerUrl: `http://127.0.0.1:${(mute.address() as AddressInfo).port}`,
    });
    const startedAt = performance.now();
    const response = await status(gateway);
    const tookMs = performance.now() - startedAt;
    for (const socket of sockets) socket.destroy();
    mute.close();
    expect(response.body).toMatchObject({ statusCode: 503, code: 'FST_ERR_UNAVAILABLE' });
    expect(tookMs).toBeLessThan(3_500);
  });

  test.each(['http', 'https'])('waits for an owner at an %s address that is slow but alive', async (scheme) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const owner = scheme === 'http' ? edge.scheduler : await secureOwner();
    owner.response = { status: 200, body: { success: true, data: report }, after: promise };
    const gateway = await edge.startGateway({ schedulerUrl: owner.url });
    const startedAt = performance.now();
    const response = status(gateway);
    await waitFor(() => performance.now() - startedAt > 2_500, {
      what: 'the moment at which a silent owner is asked for life',
    });
    resolve();
    expect((await response).status).toBe(200);
  });
});
