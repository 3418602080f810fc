import { describe, expect, test } from '@jest/globals';
import { consentOptions, OauthAccounts } from './oauth-accounts.ts';
import { simulatedApp } from './zoom-options.ts';

const app = { id: simulatedApp.key, secret: simulatedApp.secret };
const meeting = '23456789012';

function zoom(options: object = {}) {
  let nowMs = 0;
  const accounts = new OauthAccounts(() => nowMs);
  const full = consentOptions.parse(options);
  const { code } = accounts.consent(full);
  const exchange = (over: object = {}) =>
    accounts.token(app, { grant_type: 'authorization_code', code, redirect_uri: full.redirectUri, ...over });
  const renew = (refresh_token: string) => accounts.token(app, { grant_type: 'refresh_token', refresh_token });
  return { accounts, exchange, renew, pass: (ms: number) => (nowMs += ms) };
}
const tokensOf = ({ body }: { body: object }) => body as { access_token: string; refresh_token: string };
const refused = (error: string) => ({ body: expect.objectContaining({ error }) });

describe("the simulated Zoom's accounts", () => {
  test('exchange a code once, in time, for its app and its redirect address', () => {
    const first = zoom();
    expect(first.exchange().status).toBe(200);
    expect(first.exchange()).toMatchObject({ status: 400, ...refused('invalid_grant') });
    const late = zoom();
    late.pass(300_000);
    expect(late.exchange()).toMatchObject(refused('invalid_grant'));
    expect(zoom().exchange({ redirect_uri: 'https://other.example' })).toMatchObject(refused('invalid_request'));
    const { accounts } = zoom();
    expect(accounts.token({ ...app, secret: 'wrong' }, {})).toMatchObject({
      status: 401,
      ...refused('invalid_client'),
    });
  });

  test('rotate refresh tokens: each renews once', () => {
    const { exchange, renew } = zoom();
    const first = tokensOf(exchange());
    const second = tokensOf(renew(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(renew(first.refresh_token)).toMatchObject(refused('invalid_grant'));
    expect(renew(second.refresh_token).status).toBe(200);
  });

  test('mint for one meeting, with the scope, while the consent and the access token last', () => {
    const { accounts, exchange, pass } = zoom();
    const access = tokensOf(exchange()).access_token;
    const minted = accounts.mint(access, meeting).body as { token: string };
    expect([accounts.opens(minted.token, meeting), accounts.opens(minted.token, '99999999999')]).toEqual([true, false]);
    pass(3_600_000);
    expect(accounts.mint(access, meeting).status).toBe(401);
    pass(3_600_000);
    expect(accounts.opens(minted.token, meeting)).toBe(false);
    const narrow = zoom({ scope: 'user:read:user' });
    expect(narrow.accounts.mint(tokensOf(narrow.exchange()).access_token, meeting).status).toBe(400);
  });

  test('forget a consent that is taken back, with everything that came of it', () => {
    const { accounts, exchange, renew } = zoom({ userId: 'u-1' });
    const { access_token, refresh_token } = tokensOf(exchange());
    expect(accounts.revoke('u-1')).toBe(1);
    expect([accounts.user(access_token).status, accounts.mint(access_token, meeting).status]).toEqual([401, 401]);
    expect(renew(refresh_token)).toMatchObject(refused('invalid_grant'));
    expect(accounts.revoke('u-1')).toBe(0);
  });

  test('fail as often as configured', () => {
    const { accounts } = zoom();
    accounts.strike({ at: 'obf', status: 429, delayMs: 0, times: 2 });
    expect([accounts.takeFault('token'), accounts.takeFault('obf')?.status]).toEqual([null, 429]);
    expect([accounts.takeFault('obf')?.status, accounts.takeFault('obf')]).toEqual([429, null]);
  });
});
