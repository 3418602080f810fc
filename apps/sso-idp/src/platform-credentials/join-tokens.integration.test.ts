import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { shown, startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { Api, SsoUnderTest } from '../testing/sso-under-test.ts';

let sso: SsoUnderTest;
let base = '';
let teamId = '';
let api: Api;

beforeAll(async () => {
  sso = await startSsoUnderTest();
  base = await sso.start();
}, 60_000);
afterAll(() => sso.stop());
beforeEach(() => {
  teamId = randomUUID();
  api = sso.api(base, teamId);
});

/** A stored consent of a new user, so that tests share no tokens. */
async function stored(consent: object = {}, over: object = {}) {
  const userId = `u-${randomUUID()}`;
  const code = await sso.zoom.consent({ userId, ...consent });
  const response = await api('POST', '', { name: 'Ours', ...sso.app, ...code, ...over });
  return { userId, credentialId: shown(response, 201).credential_id };
}
const read = async (id: string) => shown(await api('GET', `/${id}`));
const expire = (credentialId: string) =>
  sso.database.query('update platform_credentials set access_token_expires_at = now() where credential_id = $1', [
    credentialId,
  ]);
const renewedDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = (await sso.zoom.counts()).renewed;
  await work();
  return (await sso.zoom.counts()).renewed - before;
};

describe('a token to join with', () => {
  test('is minted for this meeting, by the credential or by its user, with the app it was made for', async () => {
    const { credentialId, userId } = await stored();
    const app = { key: sso.app.client_id, secret: sso.app.client_secret };
    for (const choice of [
      { teamId, credentialId },
      { teamId, userId },
    ]) {
      const given = await sso.joinToken(base, choice);
      expect(given).toEqual({
        outcome: 'token',
        credentialId,
        app,
        obfToken: expect.stringMatching(/^simulated-obf-/),
      });
    }
  });

  test('of an app without a user is its signature alone', async () => {
    const { body } = await api('POST', '', { name: 'App', ...sso.app });
    const { credential_id: credentialId } = body['data'] as { credential_id: string };
    const given = await sso.joinToken(base, { teamId, credentialId });
    expect(given).toMatchObject({ outcome: 'token', obfToken: null });
  });

  test("is not given for another team's credential, nor for one that is deleted or never was", async () => {
    const { credentialId, userId } = await stored();
    const stranger = randomUUID();
    for (const choice of [
      { teamId: stranger, credentialId },
      { teamId: stranger, userId },
      { teamId, credentialId: 'no-uuid' },
      { teamId, credentialId: randomUUID() },
    ])
      expect(await sso.joinToken(base, choice)).toMatchObject({ outcome: 'refused' });
    await api('DELETE', `/${credentialId}`);
    const given = await sso.joinToken(base, { teamId, credentialId });
    expect(given).toEqual({ outcome: 'refused', message: expect.stringMatching(/not there any more/) });
  });

  test('of a user with two credentials comes from the one that works', async () => {
    const first = await stored();
    const second = await stored({ userId: first.userId });
    await sso.database.query(
      `update platform_credentials set state = 'invalid', last_error_message = 'x', last_error_at = now() where credential_id = $1`,
      [second.credentialId],
    );
    const given = await sso.joinToken(base, { teamId, userId: first.userId });
    expect(given).toMatchObject({ outcome: 'token', credentialId: first.credentialId });
  });
});

const renewals = async (): Promise<number> =>
  (await sso.database.query('select from platform_credentials where team_id = $1 and renewal is not null', [teamId]))
    .length;

describe('an access token', () => {
  test('holds no connection to the database while Zoom does not respond', async () => {
    const place = await Promise.all(Array.from({ length: 12 }, () => stored()));
    for (const { credentialId } of place) await expire(credentialId);
    await sso.zoom.strike({ at: 'token', delayMs: 2_000, times: 12 });
    const given = Promise.all(place.map(({ credentialId }) => sso.joinToken(base, { teamId, credentialId })));
    // More than the pool has connections.
    await waitFor(async () => (await renewals()) === 12, { what: 'twelve renewals at once', pollMs: 5 });
    const idle = await sso.database.query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
         and query like '%platform_credentials%'`,
    );
    expect(idle).toEqual([]);
    expect((await given).map(({ outcome }) => outcome)).toEqual(place.map(() => 'token'));
    expect(await renewals()).toBe(0);
  });

  test('that the customer replaced during its renewal is not overwritten by it', async () => {
    const { credentialId, userId } = await stored();
    await expire(credentialId);
    await sso.zoom.strike({ at: 'token', delayMs: 700 });
    const requested = sso.joinToken(base, { teamId, credentialId });
    await waitFor(async () => (await renewals()) === 1, { what: 'the renewal to begin', pollMs: 1 });
    const code = await sso.zoom.consent({ userId });
    expect((await api('PATCH', `/${credentialId}`, code)).status).toBe(200);
    const stands = () =>
      sso.database.query('select refresh_token from platform_credentials where credential_id = $1', [credentialId]);
    const replaced = await stands();
    expect(await requested).toMatchObject({ outcome: 'token' });
    expect(await stands()).toEqual(replaced);
  });

  test('is renewed when it is about to end, and not before', async () => {
    const { credentialId } = await stored();
    const sendRequest = () => sso.joinToken(base, { teamId, credentialId });
    expect(await renewedDuring(sendRequest)).toBe(0);
    await expire(credentialId);
    expect(await renewedDuring(async () => [await sendRequest(), await sendRequest()])).toBe(1);
    expect(await read(credentialId)).toMatchObject({ state: 'active', last_error_message: null });
  });

  test('is renewed exactly once by two replicas that get twenty requests at the same moment', async () => {
    const replicas = [base, await sso.start()];
    for (let round = 0; round < 5; round += 1) {
      const { credentialId } = await stored();
      await expire(credentialId);
      // A slow response lets the other requests arrive during the renewal.
      await sso.zoom.strike({ at: 'token', delayMs: 150 });
      const renewed = await renewedDuring(async () => {
        const given = await Promise.all(
          Array.from({ length: 20 }, (_, at) => sso.joinToken(replicas[at % 2] ?? base, { teamId, credentialId })),
        );
        expect(given.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'token'));
      });
      expect(renewed).toBe(1);
      expect(await read(credentialId)).toMatchObject({ state: 'active' });
    }
  });

  test('is stored again when the database breaks off between the renewal and its commit', async () => {
    const { credentialId } = await stored();
    await expire(credentialId);
    await sso.zoom.strike({ at: 'token', delayMs: 700 });
    const requested = sso.joinToken(base, { teamId, credentialId });
    await waitFor(async () => (await renewals()) === 1, { what: 'the renewal to begin', pollMs: 1 });
    await sso.database.transaction(async (transaction) => {
      await transaction.query('select from platform_credentials where credential_id = $1 for update', [credentialId]);
      const cutOff = () =>
        sso.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like 'update platform_credentials%'`,
        );
      await waitFor(async () => (await cutOff()).length > 0, { what: 'the tokens to be stored', pollMs: 1 });
    });
    expect(await requested).toMatchObject({ outcome: 'token' });
    // The stored pair is the new one: the old refresh token would be refused now.
    await expire(credentialId);
    expect(await sso.joinToken(base, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
    expect(await read(credentialId)).toMatchObject({ state: 'active' });
  });

  test('that Zoom took back before its time is replaced once', async () => {
    const { credentialId } = await stored({ accessSeconds: 1 });
    await sso.database.query(
      `update platform_credentials set access_token_expires_at = now() + interval '1 hour' where credential_id = $1`,
      [credentialId],
    );
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const sendRequest = async () =>
      expect(await sso.joinToken(base, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
    expect(await renewedDuring(sendRequest)).toBe(1);
  });
});

describe('a consent', () => {
  test('that was taken back makes the credential invalid with the reason, and is not requested again', async () => {
    const { credentialId, userId } = await stored();
    await sso.zoom.revoke(userId);
    const given = await sso.joinToken(base, { teamId, credentialId });
    expect(given).toEqual({
      outcome: 'refused',
      message: expect.stringMatching(/credential is invalid.*invalid_grant.*authorise the app again/),
    });
    expect(await read(credentialId)).toMatchObject({
      state: 'invalid',
      last_error_message: expect.stringMatching(/invalid_grant/),
      last_error_at: expect.stringMatching(/Z$/),
    });
    expect(await sso.status(base, { teamId, credentialId })).toEqual({
      credential: { credentialId, state: 'invalid', lastError: expect.stringMatching(/invalid_grant/) },
    });
    const { refused } = await sso.zoom.counts();
    await sso.joinToken(base, { teamId, credentialId });
    expect((await sso.zoom.counts()).refused).toBe(refused);
  });

  test.each([429, 500, 503])('survives a response %i: the credential stays active', async (status) => {
    const { credentialId } = await stored();
    await expire(credentialId);
    await sso.zoom.strike({ at: 'token', status });
    expect(await sso.joinToken(base, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
    expect(await read(credentialId)).toMatchObject({ state: 'active', last_error_message: null });
  });

  test('survives a long outage, which is reported to the bot', async () => {
    const { credentialId } = await stored();
    await sso.zoom.strike({ at: 'obf', status: 500, times: 1_000 });
    const given = await sso.joinToken(base, { teamId, credentialId });
    await sso.zoom.heal();
    expect(given).toEqual({ outcome: 'refused', message: expect.stringMatching(/HTTP status 500.*not to blame/) });
    expect(await read(credentialId)).toMatchObject({ state: 'active', last_error_message: null });
  }, 60_000);
});

describe('without the right scope', () => {
  test('there is no token; the credential stays active and keeps the reason', async () => {
    const { credentialId } = await stored({ scope: 'user:read:user' });
    const given = await sso.joinToken(base, { teamId, credentialId });
    expect(given).toEqual({ outcome: 'refused', message: expect.stringMatching(/code 4711.*user:read:token/) });
    expect(await read(credentialId)).toMatchObject({
      state: 'active',
      last_error_message: expect.stringMatching(/user:read:token/),
    });
  });
});

describe('a change of the secret key', () => {
  test('costs no credential: the former key opens, and everything is sealed anew in the background', async () => {
    const { credentialId } = await stored();
    const next = {
      RAPPORTEUR_SECRET_KEY: randomBytes(32).toString('base64'),
      RAPPORTEUR_FORMER_SECRET_KEYS: sso.environment['RAPPORTEUR_SECRET_KEY'] ?? '',
    };
    const before = await sealed(credentialId);
    const young = await sso.start(next);
    expect(await sso.joinToken(young, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
    await waitFor(async () => (await sealed(credentialId)) !== before, { what: 'the secret to be sealed anew' });
    const alone = await sso.start({ RAPPORTEUR_SECRET_KEY: next.RAPPORTEUR_SECRET_KEY });
    expect(await sso.joinToken(alone, { teamId, credentialId })).toMatchObject({ outcome: 'token' });
  });
  const sealed = async (credentialId: string) => {
    const [row] = await sso.database.query<{ sealed: string }>(
      `select encode(client_secret, 'hex') as sealed from platform_credentials where credential_id = $1`,
      [credentialId],
    );
    return row?.sealed;
  };
});
