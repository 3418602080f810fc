import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { doubtfulRequests, exchangeRaw, waitFor } from '@rapporteur/testbed';
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

/** An https owner with a certificate that this process trusts. */
async function secureOwner(): Promise<StubOwner> {
  const certificate = certificateFor('localhost');
  setDefaultCACertificates([...known, certificate.cert]);
  const owner = await startStubOwner(certificate);
  secureOwners.push(owner);
  return owner;
}

const usage = {
  day: '2026-11-22',
  bots: 2,
  recorded_seconds: 90.5,
  cpu_seconds: 12,
  stored_bytes: 5_000,
  provider_seconds: 0,
  tokens: 90,
};
const usageHeader = 'day,bots,recorded_seconds,cpu_seconds,stored_bytes,provider_seconds,tokens\r\n';
async function readText(path: string, accept: string) {
  const { status, text, headers } = await send('get', `${url}${path}`, { key, headers: { accept } });
  const { 'content-type': type, link, vary } = headers as Record<string, string | undefined>;
  return { status, type, link, vary, text };
}

const status = (base = url) => send('get', `${base}/v2/bots/${botId}/status`, { key });
const report = {
  bot_id: botId,
  status: 'queued',
  transcription_status: 'not-applicable',
  captions: null,
  transcription_progress: null,
  transcription_message: null,
  updated_at: '2026-11-21T09:00:00.000Z',
};

describe('usage as CSV', () => {
  test('is sent to a client that prefers it, with a header also where there is no line', async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: [usage] } };
    const csv = await readText('/v2/usage', 'text/csv');
    expect(csv).toMatchObject({ status: 200, type: 'text/csv; header=present; charset=utf-8', link: undefined });
    expect(csv.text).toBe(`${usageHeader}2026-11-22,2,90.5,12,5000,0,90\r\n`);
    expect(csv.vary?.toLowerCase()).toContain('accept');
    edge.scheduler.response = { status: 200, body: { success: true, data: [] } };
    expect((await readText('/v2/usage', 'text/csv;q=0.9, application/json;q=0.5')).text).toBe(usageHeader);
  });

  test.each(['*/*', 'application/json', 'text/html', 'application/json, text/csv;q=0.5'])(
    'is not sent to a client that accepts %s',
    async (accept) => {
      edge.scheduler.response = { status: 200, body: { success: true, data: [usage] } };
      const { type, text } = await readText('/v2/usage', accept);
      expect(type).toContain('application/json');
      expect(JSON.parse(text)).toEqual({ success: true, data: [usage] });
    },
  );

  test('names the next page, with the same limits', async () => {
    const bot = {
      bot_id: botId,
      ended_at: '2026-11-21T09:00:00.000Z',
      meeting_platform: 'meet',
      recorded_seconds: 90,
      cpu_seconds: null,
      peak_memory_bytes: null,
      stored_bytes: 5_000,
      provider_seconds: 0,
      tokens: 90,
    };
    const body = { success: true, data: [bot], cursor: 'bmV4dA==', prev_cursor: null };
    edge.scheduler.response = { status: 200, body };
    const csv = await readText('/v2/usage/bots?limit=1&ended_before=2026-11-22T00:00:00Z', 'text/csv');
    expect(csv.text).toContain(`\r\n${botId},2026-11-21T09:00:00.000Z,meet,90,,,5000,0,90\r\n`);
    const next = new URL(/^<(.*)>; rel="next"$/.exec(csv.link ?? '')?.[1] ?? '', url);
    expect(next.pathname).toBe('/v2/usage/bots');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      limit: '1',
      ended_before: '2026-11-22T00:00:00Z',
      cursor: 'bmV4dA==',
    });
  });

  test('is not the form of a refusal', async () => {
    const { status: code, type } = await readText('/v2/usage?ended_after=yesterday', 'text/csv');
    expect([code, type]).toEqual([400, expect.stringContaining('application/json')]);
  });
});

describe('a transcript', () => {
  const read = async (query: string) => {
    const { status, text, headers } = await send('get', `${url}/v2/bots/${botId}/transcript${query}`, { key });
    return [status, (headers as Record<string, string>)['content-type'], text];
  };

  test.each([
    ['text', 'text/plain; charset=utf-8'],
    ['vtt', 'text/vtt; charset=utf-8'],
    ['srt', 'application/x-subrip; charset=utf-8'],
  ])('is sent as it is in the format %s', async (format, type) => {
    edge.scheduler.response = { status: 200, body: { success: true, data: 'Ann: Grüß Gott <b>\n' } };
    expect(await read(`?format=${format}`)).toEqual([200, type, 'Ann: Grüß Gott <b>\n']);
    expect(edge.scheduler.calls[0]?.path).toBe(`/internal/v2/bots/${botId}/transcript?format=${format}`);
  });

  test.each(['', '?format=json'])('is JSON otherwise (%s), and so is every refusal', async (query) => {
    const data = { languages: ['en'], utterances: [], missing: [] };
    edge.scheduler.response = { status: 200, body: { success: true, data } };
    expect(await read(query)).toEqual([200, expect.stringContaining('json'), JSON.stringify({ success: true, data })]);
    const [status, type, text] = await read('?format=pdf');
    expect([status, type, text]).toEqual([400, expect.stringContaining('json'), expect.stringContaining('format')]);
  });
});

describe('forwarding', () => {
  test("gives the owner's response back as it is, under one request id", async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: report } };
    const response = await status();
    expect(response).toMatchObject({ status: 200, body: { success: true, data: report } });
    expect(edge.scheduler.calls[0]).toMatchObject({
      method: 'GET',
      path: `/internal/v2/bots/${botId}/status`,
      body: null,
      headers: { 'x-request-id': response.get('x-request-id') },
      token: { request: response.get('x-request-id') },
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
    expect(response.get('retry-after')).toBe('60');
    expect(response.get('x-internal')).toBeUndefined();
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

  test("responds with 503 within three seconds when the owner's address refuses connections", async () => {
    const gateway = await edge.startGateway({ schedulerUrl: 'http://127.0.0.1:1' });
    const startedAt = performance.now();
    expect((await status(gateway)).body).toMatchObject({
      statusCode: 503,
      code: 'FST_ERR_UNAVAILABLE',
      success: false,
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
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
    // The limit is three seconds; without it the request would wait for minutes.
    expect(tookMs).toBeLessThan(10_000);
  });

  test('states what happened and when to try again when an owner takes too long', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 200, body: { success: true, data: report }, after: promise };
    const gateway = await edge.startGateway({ ownerLimitMs: 100 });
    const response = await status(gateway);
    resolve();
    expect(response.body).toMatchObject({
      statusCode: 503,
      retryAfter: 2,
      message: expect.stringContaining('within 1 s'),
    });
    expect(response.headers['retry-after']).toBe('2');
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

  test('does not take its own stall for an owner that stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    edge.scheduler.response = { status: 200, body: { success: true, data: report }, after: promise };
    const response = status();
    const stalls = setInterval(() => blockMs(800), 20);
    await waitFor(() => edge.scheduler.calls.length > 0, { what: 'the owner to be called' });
    // Longer than a silent owner is waited for: 1.2 s and two probes of 0.7 s.
    for (let stall = 0; stall < 6; stall += 1) await new Promise((next) => setTimeout(next, 50));
    clearInterval(stalls);
    resolve();
    expect((await response).status).toBe(200);
  });
});

describe('bytes that two servers may frame differently', () => {
  test('make one request to an owner, or none', async () => {
    edge.scheduler.response = { status: 200, body: { success: true, data: report } };
    const path = `/v2/bots/${botId}/status`;
    for (const { name, bytes } of doubtfulRequests) {
      await exchangeRaw(url, bytes(path, `X-Service-Api-Key: ${key}\r\n`));
      expect([name, (await status()).body]).toEqual([name, { success: true, data: report }]);
    }
    const paths = new Set(edge.scheduler.calls.map((call) => `${call.method} ${call.path} ${call.text}`));
    expect([...paths]).toEqual([`GET /internal${path} `]);
  }, 60_000);

  test('a second response of an owner goes to no other caller', async () => {
    const responseOf = (name: string) => {
      const body = JSON.stringify({ success: true, data: { ...report, status: name } });
      return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const sockets: Socket[] = [];
    const owner = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(responseOf('queued')));
    });
    await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve));
    const gateway = await edge.startGateway({
      schedulerUrl: `http://127.0.0.1:${(owner.address() as AddressInfo).port}`,
    });
    expect((await status(gateway)).body).toMatchObject({ data: { status: 'queued' } });
    const [first] = sockets;
    const closed = new Promise<void>((resolve) => first?.once('close', () => resolve()));
    first?.write(responseOf('completed'));
    await closed;
    expect((await status(gateway)).body).toMatchObject({ data: { status: 'queued' } });
    expect(sockets).toHaveLength(2);
    owner.close();
    for (const socket of sockets) socket.destroy();
  });
});

function blockMs(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}
