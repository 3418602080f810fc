import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig, systemClock } from '@rapporteur/service-runtime';
import { calendarSyncConfig } from '../config.ts';
import { consentRedirectUrl, startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { ApiResponse, CalendarsUnderTest, Caller } from '../testing/calendars-under-test.ts';
import { oauthClientsOf } from '../providers/oauth-clients.ts';

type Provider = 'google' | 'microsoft';
interface Asked {
  readonly address: URL;
  readonly scopes: readonly string[];
}
interface Answer {
  readonly email: string;
  readonly decision?: 'allow' | 'decline';
  /** Changes of the authorization request, as a hostile page could make them. */
  readonly over?: Readonly<Record<string, string | null>>;
  /** Scopes that stay ticked. */
  readonly scopes?: readonly string[];
}

let service: CalendarsUnderTest;
let aheadMs = 0;
let accounts = 0;

beforeAll(async () => {
  service = await startCalendarsUnderTest({ clock: { ...systemClock, now: () => Date.now() + aheadMs } });
});
afterAll(() => service.stop());

function account(provider: Provider): string {
  accounts += 1;
  const email = `owner${accounts}@example.com`;
  service.simulated.store.add({ provider, email });
  return email;
}

async function start(provider: Provider, keyId = service.keyId): Promise<Asked> {
  const body = { calendar_platform: provider };
  const { status, body: reply } = await service.api('POST', '/v2/calendar-consents', body, { keyId });
  expect(status).toBe(201);
  const data = reply.data as { authorization_url: string; scopes: { scope: string }[] };
  return { address: new URL(data.authorization_url), scopes: data.scopes.map(({ scope }) => scope) };
}

/** The owner answers on the provider's page; returns the query of the redirect. */
async function answer({ address, scopes }: Asked, given: Answer): Promise<Record<string, string>> {
  const place = new URL(address);
  for (const [name, value] of Object.entries(given.over ?? {})) {
    if (value === null) place.searchParams.delete(name);
    else place.searchParams.set(name, value);
  }
  const form = new URLSearchParams({ email: given.email, decision: given.decision ?? 'allow' });
  for (const scope of given.scopes ?? scopes) form.append('scope', scope);
  const response = await fetch(place, { method: 'POST', body: form, redirect: 'manual' });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 302 });
  const target = new URL(response.headers.get('location') ?? '');
  expect(`${target.origin}${target.pathname}`).toBe(consentRedirectUrl);
  const { scope: _scope, error_subcode: _subcode, ...query } = Object.fromEntries(target.searchParams);
  return query;
}

const redeem = (query: object, caller?: Partial<Caller>): Promise<ApiResponse> =>
  service.api('POST', '/v2/calendar-consents/redeem', query, caller);
const choose = (consentId: string, rawId: string, caller?: Partial<Caller>): Promise<ApiResponse> =>
  service.api('POST', `/v2/calendar-consents/${consentId}/connect`, { raw_calendar_id: rawId }, caller);

async function redeemed(provider: Provider, email: string) {
  const { status, body } = await redeem(await answer(await start(provider), { email }));
  expect(status).toBe(200);
  return body.data as { consent_id: string; calendars: { id: string; email: string }[] };
}

describe.each(['google', 'microsoft'] as const)('a consent at %s', (provider) => {
  test('connects a calendar with the client of the operator, whose tokens are renewed', async () => {
    const email = account(provider);
    const { consent_id: consentId, calendars } = await redeemed(provider, email);
    expect(calendars).toMatchObject([{ email, is_primary: true }]);
    const { status, body } = await choose(consentId, calendars[0]?.id ?? '');
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { account_email: email, status: 'active' },
    });
    await service.idle();
    const { calendar_id: calendarId } = body.data as { calendar_id: string };
    const row = await service.connection(calendarId);
    expect(row).toMatchObject({ status: 'active', oauth_client_id: `simulated-${provider}-client` });
    service.simulated.grants.expireAccess();
    const before = service.simulated.grants.counts.issued;
    expect((await service.api('POST', `/v2/calendars/${calendarId}/sync`)).status).toBe(200);
    await service.idle();
    expect(await service.connection(calendarId)).toMatchObject({ status: 'active', sync_status: 'success' });
    expect(service.simulated.grants.counts.issued).toBe(before + 1);
    expect((await choose(consentId, calendars[0]?.id ?? '')).status).toBe(404);
  });

  test('renews the authorization of a calendar that is connected already', async () => {
    const email = account(provider);
    const first = await redeemed(provider, email);
    const rawId = first.calendars[0]?.id ?? '';
    const { body } = await choose(first.consent_id, rawId);
    const { calendar_id: calendarId } = body.data as { calendar_id: string };
    await service.idle();
    service.simulated.grants.revoke(email);
    await service.api('POST', `/v2/calendars/${calendarId}/sync`);
    await service.idle();
    expect((await service.connection(calendarId)).status).toBe('revoked');
    const again = await redeemed(provider, email);
    const { status, body: renewed } = await choose(again.consent_id, rawId);
    expect({ status, data: renewed.data }).toMatchObject({ status: 201, data: { calendar_id: calendarId } });
    await service.idle();
    expect((await service.connection(calendarId)).status).toBe('active');
  });

  test('is refused for a state of another user, team or time, and works once', async () => {
    const query = await answer(await start(provider), { email: account(provider) });
    const refused = { status: 404, body: { code: 'FST_ERR_CALENDAR_CONSENT' } };
    expect(await redeem({ ...query, state: 'another' })).toMatchObject(refused);
    expect(await redeem(query, { keyId: randomUUID() })).toMatchObject(refused);
    expect(await redeem(query, { teamId: randomUUID() })).toMatchObject(refused);
    const { status, body } = await redeem(query);
    expect(status).toBe(200);
    expect(await redeem(query)).toMatchObject(refused);
    const { consent_id: consentId, calendars } = body.data as Awaited<ReturnType<typeof redeemed>>;
    expect(await choose(consentId, calendars[0]?.id ?? '', { keyId: randomUUID() })).toMatchObject(refused);
    const late = await answer(await start(provider), { email: account(provider) });
    aheadMs += 600_000;
    expect(await redeem(late)).toMatchObject(refused);
    expect(await choose(consentId, calendars[0]?.id ?? '')).toMatchObject(refused);
  });

  test.each([
    ['its owner declines', 'declined', { decision: 'decline' }],
    ['the verifier of PKCE does not match the challenge', 'code_refused', { over: { code_challenge: 'x'.repeat(43) } }],
    ['the request was cut to no scope', 'provider_error', { over: { scope: '' } }],
  ] as const)('is refused when %s', async (_case, reason, given) => {
    const query = await answer(await start(provider), { email: account(provider), ...given });
    expect(await redeem(query)).toMatchObject({ status: 403, body: { details: reason } });
  });

  test('is refused for a code that was redeemed elsewhere, and while the provider does not respond', async () => {
    const query = await answer(await start(provider), { email: account(provider) });
    const other = await answer(await start(provider), { email: account(provider) });
    expect((await redeem(other)).status).toBe(200);
    expect(await redeem({ ...query, code: other['code'] })).toMatchObject({
      status: 403,
      body: { details: 'code_refused' },
    });
    const slow = await answer(await start(provider), { email: account(provider) });
    service.simulated.faults.strike({
      at: 'token',
      status: 503,
      unknownForm: false,
      hangUp: false,
      after: 0,
      // Calendars that sync meanwhile renew their tokens at the same place.
      times: 10_000,
      delayMs: 0,
      retryAfterSeconds: 1,
    });
    expect((await redeem(slow)).status).toBe(503);
    service.simulated.faults.heal();
  });

  test('opens no page of the provider for another redirect address', async () => {
    const { address } = await start(provider);
    address.searchParams.set('redirect_uri', 'https://console.example.com/console/calendars/');
    expect((await fetch(address)).status).toBe(400);
  });
});

describe('a consent', () => {
  test('of Google without a ticked scope or without a refresh token is refused in plain words', async () => {
    const asked = await start('google');
    const email = account('google');
    const address = new URL(asked.address);
    address.searchParams.set('scope', `openid ${asked.scopes.join(' ')}`);
    const unticked = await answer({ ...asked, address }, { email, scopes: ['openid'] });
    const refused = await redeem(unticked);
    expect(refused).toMatchObject({ status: 403, body: { details: 'scope_missing' } });
    expect(refused.body['message']).toContain('its box was not ticked');
    for (const over of [{ access_type: 'online' }, { prompt: null }]) {
      const query = await answer(await start('google'), { email, over });
      expect(await redeem(query)).toMatchObject({ status: 403, body: { details: 'no_refresh_token' } });
    }
  });

  test('of Microsoft needs offline access, and names the administrator where one decides', async () => {
    const email = account('microsoft');
    const online = { scope: 'https://graph.microsoft.com/Calendars.Read' };
    const query = await answer(await start('microsoft'), { email, over: online });
    expect(await redeem(query)).toMatchObject({ status: 403, body: { details: 'no_refresh_token' } });
    service.simulated.consents.administer(email, true);
    const administered = await redeem(await answer(await start('microsoft'), { email }));
    expect(administered).toMatchObject({ status: 403, body: { details: 'administrator' } });
  });

  test('keeps no secret in the open', async () => {
    const { consent_id: consentId } = await redeemed('google', account('google'));
    const [row] = await service.database.query<Record<string, unknown>>(
      'select * from consents where consent_id = $1',
      [consentId],
    );
    const text = JSON.stringify(row, (_name, value: unknown) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : value,
    );
    expect(text).not.toContain('simulated-refresh');
  });

  test('is offered only with a configured client', async () => {
    const { body } = await service.api('GET', '/v2/calendar-providers');
    expect(body.data).toMatchObject([
      { calendar_platform: 'google', consent_available: true },
      { calendar_platform: 'microsoft', consent_available: true },
    ]);
    const half = loadConfig(calendarSyncConfig, { ...service.environment, RAPPORTEUR_CONSENT_REDIRECT_URL: undefined });
    expect(() => oauthClientsOf(half)).toThrow('RAPPORTEUR_CONSENT_REDIRECT_URL: one of them is missing');
  });
});
