import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { doubtfulRequests, exchangeRaw, smuggledPath } from '@rapporteur/testbed';
import { startConsole } from '../testing/console-under-test.ts';
import type { ConsoleUnderTest } from '../testing/console-under-test.ts';
import { startStubApi } from '../testing/stub-api.ts';
import type { StubApi } from '../testing/stub-api.ts';

const secretKey = randomBytes(32).toString('base64');
let api: StubApi;
let server: ConsoleUnderTest;

beforeAll(async () => {
  api = await startStubApi();
  server = await startConsole({ apiUrl: api.url, secretKey });
});
beforeEach(() => void api.seen.splice(0));
afterAll(async () => {
  await server?.stop();
  await api?.stop();
});

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly cookie?: string;
  readonly on?: ConsoleUnderTest;
}

/** A request as the page sends it. Header values of '' are left out. */
async function call(path: string, { method = 'GET', headers = {}, body, cookie, on = server }: Call = {}) {
  const all = {
    'x-rapporteur-console': '1',
    ...(method === 'GET' ? {} : { origin: on.url }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(cookie === undefined ? {} : { cookie }),
    ...headers,
  };
  const response = await fetch(`${on.url}${path}`, {
    method,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const reply = (await response.json()) as { data?: Record<string, unknown>; code?: string; message?: string };
  return { status: response.status, headers: response.headers, body: reply };
}

async function signIn(more: Call = {}): Promise<string> {
  const { headers } = await call('/console/session', { method: 'POST', body: { api_key: api.key }, ...more });
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const signedOut = { signed_in: false, provider_name: null };

describe('signing in', () => {
  test('gives a cookie that scripts and other sites cannot use, and the page no key', async () => {
    const response = await call('/console/session', { method: 'POST', body: { api_key: ` ${api.key} ` } });
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      signed_in: true,
      role: 'admin',
      key_start: 'rap_stub',
      expires_at: expect.any(String),
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^rapporteur_console=[\w%.-]+; Path=\/console; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    expect(Buffer.from(cookie.split(/[=;]/)[1] ?? '', 'base64url').toString('latin1')).not.toContain(api.key);
  });

  test('with an https address gives a cookie that only this host can set', async () => {
    const secure = await startConsole({ apiUrl: api.url, publicUrl: 'https://bots.example.com' });
    const { headers } = await call('/console/session', {
      method: 'POST',
      body: { api_key: api.key },
      headers: { origin: 'https://bots.example.com' },
      on: secure,
    });
    await secure.stop();
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-rapporteur_console=.*Path=\/;.*HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test.each([
    ['a key that the API refuses', { api_key: 'rap_other' }, 401],
    ['text that is no key', { api_key: 'a\r\nb: c' }, 401],
    ['an empty key', { api_key: '' }, 400],
    ['another field', { key: 'rap_stub' }, 400],
  ])('is refused with %s', async (_what, body, status) => {
    const response = await call('/console/session', { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.body.message).toMatch(/key/);
  });

  test('replaces whatever cookie came before: a planted session is not continued (session fixation)', async () => {
    const planted = await signIn();
    const own = await signIn({ cookie: planted });
    expect(own).not.toBe(planted);
    expect((await call('/console/session', { cookie: planted })).body.data).toEqual(signedOut);
    expect(await signIn()).not.toBe(await signIn());
    const twice = await call('/console/session', { cookie: `${planted}; ${own}` });
    expect(twice.body.data).toEqual(signedOut);
  });
});

describe('a session', () => {
  test('outlives the process, and ends with its time', async () => {
    const cookie = await signIn();
    const next = await startConsole({ apiUrl: api.url, secretKey, databaseUrl: server.databaseUrl });
    expect((await call('/console/session', { cookie, on: next })).body.data).toMatchObject({ signed_in: true });
    await next.expireAll();
    expect((await call('/console/session', { cookie, on: next })).body.data).toEqual(signedOut);
    expect((await call('/console/api/v2/bots', { cookie, on: next })).status).toBe(401);
    const other = await signIn();
    expect(await next.sweep()).toBe(1);
    expect((await call('/console/session', { cookie: other })).body.data).toMatchObject({ signed_in: true });
    await next.stop();
  });

  test('reads an object that its team may lack as null, not as an error', async () => {
    const cookie = await signIn();
    const { status, body } = await call('/console/api/v2/storage-config', { cookie });
    expect([status, body]).toEqual([200, { success: true, data: null }]);
    expect((await call('/console/api/v2/retention-settings', { cookie })).status).toBe(404);
  });

  test('cannot be made up, changed or taken to another deployment', async () => {
    const cookie = await signIn();
    const other = await startConsole({ apiUrl: api.url });
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`;
    const calls = [
      call('/console/api/v2/bots', { cookie, on: other }),
      ...[changed, 'rapporteur_console=', `rapporteur_console=${api.key}`].map((value) =>
        call('/console/api/v2/bots', { cookie: value }),
      ),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    await other.stop();
  });

  test('is not given away by the table, and stays valid when its key becomes a former one', async () => {
    const cookie = await signIn();
    const [id = ''] = decodeURIComponent(cookie.split('=')[1] ?? '')
      .slice(2)
      .split('.');
    expect(await server.sessionIds()).toContain(id);
    for (const value of [id, `s:${id}`, `s:${id}.`, `s:${id}.${Buffer.alloc(32).toString('base64')}`]) {
      const forged = `rapporteur_console=${encodeURIComponent(value)}`;
      expect((await call('/console/session', { cookie: forged })).body.data).toEqual(signedOut);
    }
    const { databaseUrl } = server;
    const newKey = randomBytes(32).toString('base64');
    const rotated = await startConsole({
      apiUrl: api.url,
      databaseUrl,
      secretKey: newKey,
      formerSecretKey: secretKey,
    });
    expect((await call('/console/session', { cookie, on: rotated })).body.data).toMatchObject({ signed_in: true });
    await rotated.stop();
    const other = await startConsole({ apiUrl: api.url, databaseUrl, secretKey: newKey });
    expect((await call('/console/session', { cookie, on: other })).body.data).toEqual(signedOut);
    await other.stop();
  });

  test('ends by signing out, on every replica and for every holder of the cookie', async () => {
    const [cookie, other] = [await signIn(), await signIn()];
    const replica = await startConsole({ apiUrl: api.url, secretKey, databaseUrl: server.databaseUrl });
    const { headers } = await call('/console/session', { method: 'DELETE', cookie });
    const reads = [server, replica].map((on) => call('/console/api/v2/bots', { cookie, on }));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([401, 401]);
    expect((await call('/console/api/v2/bots', { cookie: other, on: replica })).status).toBe(200);
    await replica.stop();
    expect(headers.get('set-cookie')).toMatch(/^rapporteur_console=; Path=\/console; Expires=Thu, 01 Jan 1970/);
  });
});

describe('requests that another site makes the browser send', () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a sandboxed frame', { origin: 'null' }],
    ['without an origin', { origin: '' }],
    ["without the page's header, as a form sends them", { 'x-rapporteur-console': '' }],
    ['that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser marks as of another host of this site', { 'sec-fetch-site': 'same-site' }],
  ];

  test.each(foreign)('%s neither change anything nor sign anybody in', async (_what, headers) => {
    const cookie = await signIn();
    api.seen.splice(0);
    const responses = await Promise.all([
      call('/console/api/v2/bots', { method: 'POST', body: { bot_name: 'a' }, cookie, headers }),
      call('/console/session', { method: 'POST', body: { api_key: api.key }, headers }),
      call('/console/session', { method: 'DELETE', cookie, headers }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(responses.map((response) => response.headers.get('set-cookie'))).toEqual([null, null, null]);
    expect(api.seen).toEqual([]);
  });

  test('get no response that they could read', async () => {
    const response = await call('/console/api/v2/bots', {
      cookie: await signIn(),
      headers: { origin: 'https://evil.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the API behind a session', () => {
  test("gets the session's key, and nothing else of the browser", async () => {
    const cookie = await signIn();
    api.seen.splice(0);
    const response = await call('/console/api/v2/bots?limit=5', {
      method: 'POST',
      body: { bot_name: 'Rapporteur' },
      cookie,
      headers: { 'x-service-api-key': 'rap_other', 'idempotency-key': 'once', 'x-forwarded-for': '203.0.113.7' },
    });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [first] = api.seen;
    const { headers = {}, ...request } = first ?? {};
    expect(request).toEqual({ method: 'POST', url: '/v2/bots?limit=5', body: '{"bot_name":"Rapporteur"}' });
    expect(headers).toMatchObject({ 'x-service-api-key': api.key, 'idempotency-key': 'once' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(headers['x-forwarded-for']).toBeUndefined();
  });

  test('is reached below /v2 only', async () => {
    const cookie = await signIn();
    api.seen.splice(0);
    const paths = ['/metrics', '/v2/%2e%2e/admin', '/v2/a%2fb', '/bots/', '//evil.example/v2/'];
    const responses = await Promise.all(paths.map((path) => call(`/console/api${path}`, { cookie })));
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(api.seen).toEqual([]);
  });

  test('that is away is an error with a sentence', async () => {
    const gone = await startConsole({ apiUrl: 'http://127.0.0.1:1', secretKey, databaseUrl: server.databaseUrl });
    const response = await call('/console/api/v2/bots', { cookie: await signIn(), on: gone });
    await gone.stop();
    expect([response.status, response.body.code]).toEqual([503, 'FST_ERR_UNAVAILABLE']);
  });
});

describe('bytes that two servers may frame differently', () => {
  test('make one request to the API, or none', async () => {
    const cookie = await signIn();
    const headers = `Cookie: ${cookie}\r\nX-Rapporteur-Console: 1\r\nOrigin: ${server.url}\r\n`;
    api.seen.splice(0);
    for (const { name, bytes } of doubtfulRequests) {
      const raw = await exchangeRaw(server.url, bytes('/console/api/v2/bots', headers));
      expect([name, raw.match(/HTTP\/1\.1 (?!100)/g)?.length]).toEqual([name, 1]);
      const next = await call('/console/api/v2/bots?limit=2', { cookie });
      expect([name, next.status, next.body.data]).toEqual([name, 200, []]);
    }
    expect(api.seen.filter(({ url }) => url.includes(smuggledPath))).toEqual([]);
  }, 60_000);
});
