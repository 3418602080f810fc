import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, waitFor } from '@rapporteur/testbed';
import { createInternalAuth, Secret } from '@rapporteur/service-runtime';
import { Browsing } from '../testing/browsing.ts';
import { startConsole } from '../testing/console-under-test.ts';
import type { ConsoleUnderTest } from '../testing/console-under-test.ts';
import { startIdentityProvider } from '../testing/identity-provider-under-test.ts';
import type { IdentityProviderUnderTest } from '../testing/identity-provider-under-test.ts';
import { startStubApi } from '../testing/stub-api.ts';
import type { StubApi } from '../testing/stub-api.ts';
import { createIdentityProvider } from './identity-provider.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createSignInCookie } from './sign-in-cookie.ts';
import { accessRules, claimOf, valuesOf, withoutTeam } from './team-access.ts';
import type { AccessRules } from './team-access.ts';
import { userName } from './user.ts';

const internalSecret = new Secret(randomUUID() + randomUUID());
const secretKey = randomBytes(32).toString('base64');
const [one, two] = [randomUUID(), randomUUID()];
const rules: AccessRules = [
  { value: 'one-viewers', team_id: one, team_name: 'One', role: 'viewer' },
  { value: 'one-admins', team_id: one, team_name: 'One', role: 'admin' },
  { value: 'two-members', team_id: two, team_name: 'Two', role: 'member' },
  { value: 'operators', role: 'operator' },
];
let api: StubApi;
let idp: IdentityProviderUnderTest;
let server: ConsoleUnderTest;
let replica: ConsoleUnderTest;

beforeAll(async () => {
  api = await startStubApi();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  idp = await startIdentityProvider(publicUrl);
  const options = { apiUrl: api.url, publicUrl, internalSecret, secretKey, oidc: partsOf(publicUrl) };
  server = await startConsole({ ...options, port });
  replica = await startConsole({ ...options, databaseUrl: server.databaseUrl });
}, 30_000);
afterAll(async () => {
  await replica?.stop();
  await server?.stop();
  await idp?.stop();
  await api?.stop();
});

function partsOf(publicUrl: string) {
  const { url: issuer, clientId, clientSecret } = idp;
  const settings = {
    issuer,
    clientId,
    clientSecret,
    scopes: 'openid profile email',
    claim: 'groups',
    redirectUri: `${publicUrl}/console/oidc/callback`,
    signedOutUri: `${publicUrl}/console`,
  };
  return (box: Parameters<typeof createSignInCookie>[0]['box'], now: () => number) => ({
    provider: createIdentityProvider(settings, now),
    rules,
    signInCookie: createSignInCookie({ box, now, secure: false }),
    providerName: 'Example',
    publicUrl,
  });
}

/** A new user with these groups, and their browser. */
function user(...groups: string[]) {
  const subject = randomUUID();
  idp.accounts.set(subject, { name: 'Ada\nLovelace', email: 'ada@example.com', groups });
  idp.signingIn = subject;
  return { subject, browsing: new Browsing() };
}

const start = (browsing: Browsing, until?: (url: URL) => boolean) =>
  browsing.go(`${server.url}/console/oidc/start`, until === undefined ? {} : { until });
const isCallback = ({ pathname }: URL) => pathname === '/console/oidc/callback';

async function session(browsing: Browsing, on = server): Promise<Record<string, unknown>> {
  return (await call(browsing, '/console/session', 'GET', undefined, on)).data;
}

async function call(browsing: Browsing, path: string, method = 'GET', body?: object, on = server) {
  const response = await fetch(`${on.url}${path}`, {
    method,
    headers: {
      'x-rapporteur-console': '1',
      origin: server.url,
      cookie: browsing.cookieFor(new URL(`${server.url}${path}`)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  browsing.keep(new URL(on.url), response.headers.getSetCookie());
  const reply = (await response.json()) as { data?: Record<string, unknown>; message?: string };
  return { status: response.status, message: reply.message, data: reply.data ?? {} };
}

/** The identity that the API receives for a request. */
async function identityAtApi(browsing: Browsing) {
  api.seen.splice(0);
  const { status } = await call(browsing, '/console/api/v2/bots');
  if (status !== 200) return status;
  const { headers = {} } = api.seen[0] ?? {};
  expect(headers['x-service-api-key']).toBeUndefined();
  const { teamId, user: who } = await createInternalAuth('api-gateway', internalSecret).verify(headers.authorization, [
    'console',
  ]);
  return { teamId, ...who };
}

describe('a user', () => {
  test('signs in with the provider, and calls the API by name, team and role', async () => {
    const { browsing } = user('one-viewers', 'other', 'one-admins', 'two-members');
    expect(await session(browsing)).toEqual({ signed_in: false, provider_name: 'Example' });
    const { url } = await start(browsing);
    expect([url.pathname, url.search]).toEqual(['/console', '']);
    expect(await session(browsing, replica)).toMatchObject({
      signed_in: true,
      user: 'AdaLovelace <ada@example.com>',
      role: 'admin',
      team_id: one,
      teams: [
        { team_id: one, team_name: 'One', role: 'admin' },
        { team_id: two, team_name: 'Two', role: 'member' },
      ],
    });
    const seen = await identityAtApi(browsing);
    expect(seen).toMatchObject({ teamId: one, role: 'admin', name: 'AdaLovelace <ada@example.com>' });
  });

  test('changes to a team of their own, and to no other', async () => {
    const { browsing } = user('one-viewers', 'two-members');
    await start(browsing);
    expect((await call(browsing, '/console/session/team', 'POST', { team_id: two })).data).toMatchObject({
      role: 'member',
    });
    expect(await identityAtApi(browsing)).toMatchObject({ teamId: two, role: 'member' });
    const stranger = user('two-members').browsing;
    await start(stranger);
    expect((await call(stranger, '/console/session/team', 'POST', { team_id: one })).status).toBe(403);
    expect(await identityAtApi(stranger)).toMatchObject({ teamId: two });
  });

  test('who operates the deployment is an admin of every team of the configuration', async () => {
    const { browsing } = user('operators');
    await start(browsing);
    expect((await session(browsing))['teams']).toHaveLength(2);
    expect(await identityAtApi(browsing)).toMatchObject({ teamId: one, role: 'admin' });
    const fleet = await call(browsing, '/console/operator/fleet');
    expect(fleet).toMatchObject({ status: 200, data: { capacity: { limit: 4 }, grafanaUrl: expect.any(String) } });
  });

  test('who operates the deployment sees its page packs and canaries, and runs one', async () => {
    const { browsing } = user('operators');
    await start(browsing);
    expect(await call(browsing, '/console/operator/page-checks')).toMatchObject({
      status: 200,
      data: { page_packs: { refused: null }, canaries: [{ name: 'meet-daily' }] },
    });
    expect(await call(browsing, '/console/operator/canaries/meet-daily/run', 'POST')).toMatchObject({
      status: 202,
      data: { name: 'meet-daily' },
    });
    const { status, message } = await call(browsing, '/console/operator/canaries/other/run', 'POST');
    expect({ status, message }).toEqual({ status: 404, message: 'There is no bot with this id.' });
  });

  test('who does not operate the deployment does not see its fleet', async () => {
    const { browsing } = user('one-admins');
    expect((await call(browsing, '/console/operator/fleet')).status).toBe(401);
    await start(browsing);
    api.seen.splice(0);
    for (const [method, path] of [
      ['GET', '/fleet'],
      ['GET', '/page-checks'],
      ['POST', '/canaries/meet-daily/run'],
    ] as const)
      expect((await call(browsing, `/console/operator${path}`, method)).status).toBe(403);
    expect(api.seen).toEqual([]);
  });

  test('without a team is refused', async () => {
    const { browsing } = user('others');
    const { url } = await start(browsing);
    expect(url.searchParams.get('sign_in_problem')).toBe('no-team');
    expect(await session(browsing)).toMatchObject({ signed_in: false });
  });
});

describe('the claim', () => {
  const claims = { sub: '1', realm_access: { roles: ['sales'] }, 'https://acme.test/groups': ['ops'] };

  test.each([
    ['realm_access.roles', ['sales']],
    ['https://acme.test/groups', ['ops']],
    ['realm_access.groups', []],
    ['sub.length', []],
  ])('%s is found by its name or its path', (name, values) => {
    expect(valuesOf(claimOf(claims, name))).toEqual(values);
  });

  test('that gives no team is stated with what the provider sent', () => {
    expect(withoutTeam({ name: 'realm_access.roles', claims })).toBe(
      'no entry of RAPPORTEUR_OIDC_ACCESS has a value of the claim realm_access.roles, which are ["sales"]',
    );
    expect(withoutTeam({ name: 'groups', claims })).toContain('has the claim groups; they have ["sub","realm_access",');
  });

  test('of operators alone is refused at the start, as it names no team', () => {
    const { error } = accessRules().safeParse('[{ "value": "ops", "role": "operator" }]');
    expect(error?.issues[0]?.message).toContain('must name a team');
  });
});

describe('a role', () => {
  test('that was taken away is gone within a minute, on every replica', async () => {
    const { subject, browsing } = user('one-admins');
    await start(browsing);
    const account = idp.accounts.get(subject);
    if (account === undefined) throw new Error('No account.');
    account.groups = ['one-viewers'];
    server.advance(31_000);
    expect(await identityAtApi(browsing)).toMatchObject({ role: 'viewer' });
    account.groups = [];
    server.advance(31_000);
    expect(await identityAtApi(browsing)).toBe(401);
    expect(await session(browsing, replica)).toMatchObject({ signed_in: false });
  });

  test('is kept while the provider does not respond, for five minutes', async () => {
    const { browsing } = user('one-admins');
    await start(browsing);
    idp.isAway = true;
    try {
      server.advance(60_000);
      expect(await identityAtApi(browsing)).toMatchObject({ role: 'admin' });
      server.advance(300_000);
      expect(await identityAtApi(browsing)).toBe(503);
    } finally {
      idp.isAway = false;
    }
    server.advance(11_000);
    expect(await identityAtApi(browsing)).toMatchObject({ role: 'admin' });
  });
});

describe('a session that is confirmed', () => {
  const tokens = { access: 'a', refresh: 'r1', id: 'i', claimIn: 'userinfo' } as const;
  /** A user signed in to a console with one connection to the database, and a provider whose response is the test's. */
  async function sessionsOf(confirm: IdentityProvider['confirm']) {
    const signedIn = { subject: 's', providerSession: null, claims: { name: 'Ada' }, tokens };
    const provider = {
      issuer: `https://${randomUUID()}.example.com`,
      start: async () => new URL(`${server.url}/console/oidc/callback`),
      finish: async () => ({ ...signedIn, values: ['one-admins', 'two-members'] }),
      confirm,
    } as unknown as IdentityProvider;
    const open = () =>
      startConsole({
        apiUrl: api.url,
        publicUrl: server.url,
        databaseUrl: server.databaseUrl,
        internalSecret,
        secretKey,
        poolSize: 1,
        oidc: (box, now) => ({ ...partsOf(server.url)(box, now), provider }),
      });
    const own = await open();
    const browsing = new Browsing();
    await browsing.go(`${own.url}/console/oidc/start`, { until: isCallback });
    await browsing.go(`${own.url}/console/oidc/callback`);
    return { own, open, browsing, read: () => session(browsing, own) };
  }

  test('holds no connection while the provider hangs, and is requested once', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    let requests = 0;
    const { own, browsing, read } = await sessionsOf(() => {
      requests += 1;
      return promise;
    });
    const keyed = new Browsing();
    await call(keyed, '/console/session', 'POST', { api_key: api.key }, own);
    own.advance(31_000);
    const waiting = [read(), read()];
    await waitFor(() => requests > 0, { what: 'the request to the provider' });
    expect(await session(keyed, own)).toMatchObject({ key_start: 'rap_stub' });
    reject(new Error('away'));
    expect(await Promise.all(waiting)).toMatchObject([{ role: 'admin' }, { role: 'admin' }]);
    expect(requests).toBe(1);
    expect(await read()).toMatchObject({ role: 'admin' });
    expect(requests).toBe(1);
    own.advance(11_000);
    await read();
    expect(requests).toBe(2);
    own.advance(300_000);
    expect(await call(browsing, '/console/session', 'GET', undefined, own)).toMatchObject({ status: 503 });
    await own.stop();
  });

  test('keeps the tokens that the provider renewed before it failed', async () => {
    const used: (string | null)[] = [];
    const { own, read } = await sessionsOf(async (_subject, { refresh }, keep) => {
      used.push(refresh);
      await keep({ ...tokens, refresh: `r${used.length + 1}` });
      if (used.length === 1) throw new Error('The user info did not respond.');
      return { values: ['one-admins'] };
    });
    own.advance(31_000);
    expect(await read()).toMatchObject({ role: 'admin' });
    own.advance(11_000);
    expect(await read()).toMatchObject({ role: 'admin', teams: [{ team_id: one }] });
    own.advance(31_000);
    await read();
    expect(used).toEqual(['r1', 'r2', 'r3']);
    await own.stop();
  });

  test('keeps its roles where the provider renews it without an ID token, and a team that was chosen meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<{ values: null }>();
    const { own, open, browsing, read } = await sessionsOf(() => promise);
    const other = await open();
    own.advance(31_000);
    const reading = read();
    await call(browsing, '/console/session/team', 'POST', { team_id: two }, other);
    resolve({ values: null });
    expect(await reading).toMatchObject({ team_id: two, role: 'member' });
    await other.stop();
    await own.stop();
  });

  test('that ends meanwhile is not created again', async () => {
    const { promise, resolve } = Promise.withResolvers<{ values: null }>();
    let requests = 0;
    const { own, open, browsing, read } = await sessionsOf(() => {
      requests += 1;
      return promise;
    });
    own.advance(31_000);
    const cookie = browsing.cookieFor(new URL(`${own.url}/console`));
    const other = await open();
    const reading = read();
    await waitFor(() => requests > 0, { what: 'the request to the provider' });
    await call(browsing, '/console/session', 'DELETE', undefined, other);
    resolve({ values: null });
    expect(await reading).toMatchObject({ signed_in: false });
    const again = await fetch(`${other.url}/console/session`, { headers: { 'x-rapporteur-console': '1', cookie } });
    expect(await again.json()).toMatchObject({ data: { signed_in: false } });
    await Promise.all([own.stop(), other.stop()]);
  });
});

describe('the response of the provider is refused', () => {
  const refused = async (browsing: Browsing): Promise<void> => {
    const { url } = await start(browsing);
    expect(url.searchParams.get('sign_in_problem')).toBe('refused');
    expect(await session(browsing)).toMatchObject({ signed_in: false });
  };

  test.each<[string, (token: string) => string | Promise<string>]>([
    ['another audience', (token) => idp.signAgain(token, { aud: 'another-client' })],
    ['a time that is over', (token) => idp.signAgain(token, { exp: Math.floor(Date.now() / 1_000) - 600 })],
    ['another issuer', (token) => idp.signAgain(token, { iss: 'https://other.example.com' })],
    ['the nonce of another sign-in', (token) => idp.signAgain(token, { nonce: 'another' })],
    ['claims that its signature is not of', (token) => withClaims(token, { name: 'Eve' })],
  ])('for %s in its ID token', async (_what, alter) => {
    idp.alterToken = alter;
    try {
      await refused(user('one-admins').browsing);
    } finally {
      idp.alterToken = null;
    }
  });

  test('for nothing when the same token is signed again as it was', async () => {
    idp.alterToken = (token) => idp.signAgain(token, {});
    try {
      const { browsing } = user('one-admins');
      await start(browsing);
      expect(await session(browsing)).toMatchObject({ signed_in: true });
    } finally {
      idp.alterToken = null;
    }
  });

  test('a second time, without the cookie, and with another state', async () => {
    const { browsing } = user('one-admins');
    const { url: callback } = await start(browsing, isCallback);
    const kept = browsing.cookieFor(callback);
    const open = async (cookie: string, address = callback) => {
      const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
      return response.headers.get('location') ?? '';
    };
    expect(await open('')).toBe('/console?sign_in_problem=late');
    const other = new URL(callback);
    other.searchParams.set('state', 'another');
    expect(await open(kept, other)).toBe('/console?sign_in_problem=refused');
    expect(await open(kept)).toBe('/console');
    expect(await open(kept)).toMatch(/sign_in_problem/);
  });
});

/** The token with changed claims and its original signature. */
function withClaims(token: string, claims: object): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const changed = { ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), ...claims };
  return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

test('a provider that does not respond is said on the sign-in page', async () => {
  server.advance(3_600_000);
  idp.isAway = true;
  try {
    const { url } = await start(new Browsing());
    expect(url.search).toBe('?sign_in_problem=unavailable');
  } finally {
    idp.isAway = false;
  }
  const { browsing } = user('one-admins');
  await start(browsing);
  expect(await session(browsing)).toMatchObject({ signed_in: true });
});

describe('signing out', () => {
  test('ends the session here and, where the browser is sent, with the provider', async () => {
    const { browsing } = user('one-admins');
    await start(browsing);
    const { data } = await call(browsing, '/console/session', 'DELETE');
    expect(await identityAtApi(browsing)).toBe(401);
    const page = await browsing.go(String(data['sign_out_url']));
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? '';
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const form = new URLSearchParams({ xsrf: field('xsrf'), logout: 'yes' });
    const { url } = await browsing.go(action, { form });
    expect(url.href).toBe(`${server.url}/console`);
  });

  test('of the provider ends the sessions of the console, and no token of another kind does', async () => {
    const { browsing } = user('one-admins');
    const other = user('one-admins').browsing;
    await start(other);
    idp.signingIn = user('two-members').subject;
    await start(browsing);
    const post = (token: string) =>
      fetch(`${server.url}/console/oidc/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
    expect((await post('a.b.c')).status).toBe(400);
    const page = await browsing.go(`${idp.url}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await browsing.go(`${idp.url}/session/end/confirm`, { form: new URLSearchParams({ xsrf, logout: 'yes' }) });
    expect(await identityAtApi(browsing)).toBe(401);
    expect(await identityAtApi(other)).toMatchObject({ teamId: one });
  });
});

describe('the name of a user', () => {
  test.each([
    ['Ada Lovelace <ada@example.com>'.padEnd(200), 'eve@example.com', 'Ada Lovelace ada@example.com <eve@example.com>'],
    ['x'.repeat(300), 'eve@example.com', `${'x'.repeat(80)} <eve@example.com>`],
    ['A\u202ed\u200ba\u2066\ufeff\u00ad\u{e0041}', 'a@example.com', 'Ada <a@example.com>'],
    ['ad\u200dmin', 'a@example.com', 'admin <a@example.com>'],
    [
      '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc',
      'a@example.com',
      '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc <a@example.com>',
    ],
    ['\u200b', 'a@example.com', 'a@example.com'],
  ])('is %j of %j: %j', (name, email, expected) => {
    expect(userName({ name, email })).toBe(expected);
  });
});
