import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import type { LoginSelector, ReserveLoginReply, SignInCommand, SignInReply } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { startSsoUnderTest } from '../testing/sso-under-test.ts';
import type { SsoUnderTest } from '../testing/sso-under-test.ts';

let sso: SsoUnderTest;
let bases: string[] = [];
let teamId = '';
let loginIds: string[] = [];

beforeAll(async () => {
  sso = await startSsoUnderTest();
  bases = [
    await sso.start({ RAPPORTEUR_SESSION_SWEEP_MS: '200' }),
    await sso.start({ RAPPORTEUR_SESSION_SWEEP_MS: '200' }),
  ];
}, 60_000);
afterAll(() => sso.stop());
beforeEach(async () => {
  teamId = randomUUID();
  loginIds = [];
  const [base = ''] = bases;
  const workspaces = sso.api(base, teamId, '/meet-workspaces');
  const made = await workspaces('POST', '', { domain: 'example.com', generate_keypair: true });
  const { workspace_id } = made.body['data'] as { workspace_id: string };
  for (const name of ['a', 'b', 'c']) {
    const body = { email: `${name}@example.com`, name, workspace_id, email_group: 'bots@example.com' };
    const login = await sso.api(base, teamId, '/meet-logins')('POST', '', body);
    loginIds.push((login.body['data'] as { credential_id: string }).credential_id);
  }
});

const anyLogin: LoginSelector = { platform: 'meet', credentialId: null, emailGroup: '' };
const reserve = (botId: string, selector: LoginSelector = anyLogin, replica = 0) =>
  sso.internal<ReserveLoginReply>(bases[replica] ?? '', internalCalls.logins.reserve.path, { botId, teamId, selector });
const signIn = (botId: string, over: Partial<SignInCommand> = {}) =>
  sso.internal<SignInReply>(bases[0] ?? '', internalCalls.logins.signIn.path, {
    botId,
    teamId,
    attempt: 1,
    meetingUrlHost: 'meet.google.com',
    selector: anyLogin,
    failed: null,
    ...over,
  });
const countSessions = async () => {
  const [row] = await sso.database.query<{ count: number }>(
    'select count(*)::int as count from login_sessions where team_id = $1',
    [teamId],
  );
  return row?.count;
};

describe('a pool of three logins', () => {
  test('gives exactly 60 slots to 100 bots at once on two replicas, evenly', async () => {
    const bots = Array.from({ length: 100 }, () => randomUUID());
    sso.bots.active.push(...bots);
    const replies = await Promise.all(bots.map((botId, index) => reserve(botId, anyLogin, index % 2)));
    const reserved = replies.flatMap((reply) => (reply.outcome === 'reserved' ? [reply.credentialId] : []));
    expect(reserved).toHaveLength(60);
    for (const id of loginIds) expect(reserved.filter((one) => one === id)).toHaveLength(20);
    expect(replies.find(({ outcome }) => outcome === 'unavailable')).toMatchObject({
      message: 'Every login that matches is used by 20 bots already.',
    });
    const utilization = await sso.api(bases[0] ?? '', teamId, '/meet-logins')('GET', '/utilization');
    expect(utilization.body['data']).toEqual({
      logins_total: 3,
      logins_active: 3,
      logins_invalid: 0,
      concurrent_sessions: 60,
      concurrent_capacity: 60,
      utilization_pct: 100,
      by_email_group: [{ email_group: 'bots@example.com', logins: 3, concurrent: 60, capacity: 60 }],
    });
    const used = await sso.api(bases[0] ?? '', teamId, '/meet-logins')('DELETE', `/${loginIds[0] ?? ''}`);
    expect({ status: used.status, code: used.body['code'] }).toEqual({ status: 409, code: 'FST_ERR_LOGIN_IN_USE' });
  }, 60_000);

  test('releases what ended bots hold before it states that nothing is free', async () => {
    const bots = Array.from({ length: 60 }, () => randomUUID());
    sso.bots.active.push(...bots);
    await Promise.all(bots.map((botId) => reserve(botId)));
    const [ended = ''] = bots;
    sso.bots.active.splice(sso.bots.active.indexOf(ended), 1);
    sso.bots.ended.push(ended);
    expect(await reserve(randomUUID())).toMatchObject({ outcome: 'reserved' });
  }, 60_000);

  test('gives one slot per bot, however often it is requested', async () => {
    const botId = randomUUID();
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => reserve(botId, anyLogin, index % 2)));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(await countSessions()).toBe(1);
  });

  test('is selected by group before id; an unknown group or id has none', async () => {
    const pinned = loginIds[2] ?? '';
    const selector = (over: Partial<LoginSelector>) => ({ ...anyLogin, emailGroup: null, ...over });
    expect(await reserve(randomUUID(), selector({ credentialId: pinned }))).toEqual({
      outcome: 'reserved',
      credentialId: pinned,
    });
    const both = await reserve(randomUUID(), selector({ credentialId: pinned, emailGroup: 'BOTS@example.com' }));
    expect(both).not.toMatchObject({ credentialId: pinned });
    for (const none of [{ emailGroup: 'unused@example.com' }, { credentialId: randomUUID() }, { credentialId: 'x' }])
      expect(await reserve(randomUUID(), selector(none))).toMatchObject({
        outcome: 'unavailable',
        message: 'The team has no login that matches.',
      });
    const elsewhere = { botId: randomUUID(), teamId: randomUUID(), selector: anyLogin };
    expect(await sso.internal(bases[0] ?? '', internalCalls.logins.reserve.path, elsewhere)).toMatchObject({
      outcome: 'unavailable',
    });
  });

  test('forgets bots that ended, and bots that never came to be once they had the time', async () => {
    const [ended, missing, fresh] = [randomUUID(), randomUUID(), randomUUID()];
    for (const botId of [ended, missing, fresh]) await reserve(botId);
    sso.bots.ended.push(ended);
    await sso.database.query(
      `update login_sessions set reserved_at = now() - interval '50 seconds' where bot_id = $1`,
      [missing],
    );
    await waitFor(async () => (await countSessions()) === 1, { what: 'the release of two slots' });
    const [left] = await sso.database.query<{ bot_id: string }>(
      'select bot_id from login_sessions where team_id = $1',
      [teamId],
    );
    expect(left?.bot_id).toBe(fresh);
  });
});

describe('a sign-in that does not work', () => {
  const failed = (credentialId: string, code: NonNullable<SignInCommand['failed']>['code']) => ({
    credentialId,
    code,
    message: 'It did not work.',
    unknownPage: false,
    idpStatus: null,
    idpSubStatus: null,
    finalUrlHost: 'accounts.google.com',
  });
  const read = async (path: string) =>
    (await sso.api(bases[0] ?? '', teamId, '')('GET', path)).body['data'] as Record<string, unknown>;

  test('makes the login invalid, states why, and the next login of the pool is given', async () => {
    const botId = randomUUID();
    await reserve(botId);
    const first = await signIn(botId);
    if (first.outcome !== 'credentials') throw new Error('There are no credentials.');
    expect(first.credentials).toMatchObject({
      platform: 'meet',
      domain: 'example.com',
      signInUrl: 'https://api.example.test/v2/meet-sso/sign-in',
      ticket: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { credentialId } = first.credentials;
    const order = { failed: failed(credentialId, 'MEET_LOGIN_FAILED_TIMEOUT') };
    const second = await signIn(botId, order);
    expect(second).toMatchObject({ outcome: 'credentials' });
    expect(second).not.toMatchObject({ credentials: { credentialId } });
    expect(await read(`/meet-logins/${credentialId}`)).toMatchObject({
      state: 'invalid',
      active_session_count: 0,
      last_error_message: 'It did not work.',
      failure_data: {
        code: 'MEET_LOGIN_FAILED_TIMEOUT',
        bot_id: botId,
        meeting_url_host: 'meet.google.com',
        attempt: 1,
        final_url_host: 'accounts.google.com',
      },
    });
    expect(await signIn(botId, order)).toMatchObject({ outcome: 'credentials' });
    expect(await countSessions()).toBe(1);
  });

  test('at a page that is not known leaves the login active, and states the page', async () => {
    const botId = randomUUID();
    await reserve(botId);
    const first = await signIn(botId);
    if (first.outcome !== 'credentials') throw new Error('There are no credentials.');
    const { credentialId } = first.credentials;
    await signIn(botId, { failed: { ...failed(credentialId, 'MEET_LOGIN_FAILED_TIMEOUT'), unknownPage: true } });
    expect(await read(`/meet-logins/${credentialId}`)).toMatchObject({
      state: 'active',
      last_error_message: 'It did not work.',
    });
  });

  test('by a rejected assertion makes the workspace invalid, and with it every login', async () => {
    const botId = randomUUID();
    await reserve(botId);
    const first = await signIn(botId);
    if (first.outcome !== 'credentials') throw new Error('There are no credentials.');
    const { credentialId } = first.credentials;
    const order = { failed: failed(credentialId, 'MEET_LOGIN_FAILED_SAML_REJECTED') };
    expect(await signIn(botId, order)).toEqual({
      outcome: 'unavailable',
      message: 'No other login of the pool is active and free.',
    });
    const login = await read(`/meet-logins/${credentialId}`);
    expect(login['state']).toBe('active');
    expect(await read(`/meet-workspaces/${String(login['workspace_id'])}`)).toMatchObject({ state: 'invalid' });
    expect(await reserve(randomUUID())).toMatchObject({
      outcome: 'unavailable',
      message: 'Every login that matches is invalid, or its workspace is.',
    });
    expect(await countSessions()).toBe(0);
    const patch = await sso.api(bases[0] ?? '', teamId, '/meet-workspaces')(
      'PATCH',
      `/${String(login['workspace_id'])}`,
      {
        state: 'active',
      },
    );
    expect(patch.body['data']).toMatchObject({ state: 'active', failure_data: null });
    expect(await reserve(randomUUID())).toMatchObject({ outcome: 'reserved' });
  });

  test('has no next login where one login was selected', async () => {
    const [pinned = ''] = loginIds;
    const selector = { ...anyLogin, emailGroup: null, credentialId: pinned };
    const botId = randomUUID();
    await reserve(botId, selector);
    const order = { selector, failed: failed(pinned, 'MEET_LOGIN_FAILED_TIMEOUT') };
    expect(await signIn(botId, order)).toMatchObject({ outcome: 'unavailable' });
  });
});
