import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyWebhook } from '@rapporteur/sdk';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';
import { eventOf } from './api-client.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

const domain = 'bots.example.com';
let dataFolder = '';
let api: OwnTeam['api'];
let simulator: OwnTeam['simulator'];
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ api, simulator, dataFolder } = await createOwnTeam());
}, 180_000);

afterAll(async () => {
  await receiver?.close();
}, 60_000);

const data = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
  const response = await api.call<{ data: Record<string, string> }>(method, path, body);
  if (response.status >= 300)
    throw new Error(`${method} ${path} responded with ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body.data;
};
/** The settings of the SSO profile by an administrator of the domain. */
const setProfile = (workspace: Record<string, string>, over: object = {}) =>
  simulator.post('/google-domains', {
    domain: workspace['domain'],
    signInUrl: workspace['sign_in_url'],
    certificates: [workspace['cert_pem']],
    ...over,
  });
const meetRoom = () => simulator.startRoom({ meet: { signInWall: 'redirect' }, speakers: 2 });
type BotBody = Omit<Parameters<OwnTeam['api']['createBot']>[0], 'bot_name'>;
const failedWith = async (body: BotBody) => {
  const bot = await api.waitForStatus(await api.createBot({ bot_name: 'Bot', ...body }), ['failed'], 120_000);
  return { code: bot.error_code, message: bot.error_message ?? '' };
};
const refusedWith = async (body: BotBody) => {
  const { status, body: response } = await api.call<{ code?: string }>('POST', '/v2/bots', {
    bot_name: 'Bot',
    ...body,
  });
  return { status, code: response.code };
};

// At the same time: most of each is waiting.
describe('a bot of a Google Workspace domain, one of a Microsoft 365 tenant, and one of a calendar', () => {
  test.concurrent('signs in by SAML, joins a meeting for signed-in users only, and says which login it used', async () => {
    const workspace = await data('POST', '/v2/meet-workspaces', { domain, generate_keypair: true });
    const path = `/v2/meet-workspaces/${workspace['workspace_id'] ?? ''}`;
    const { workspace_id } = workspace;
    const logins = [];
    for (const name of ['one', 'two'])
      logins.push(
        await data('POST', '/v2/meet-logins', {
          email: `${name}@${domain}`,
          name,
          workspace_id,
          email_group: `all@${domain}`,
        }),
      );
    const [{ credential_id = '' } = {}] = logins;
    const meet_config = { credential_id };
    await setProfile(workspace, { behavior: 'confirms' });

    const meeting_url = (await meetRoom()).url;
    const botId = await api.createBot({ bot_name: 'Signed in', meeting_url, meet_config });
    await api.waitForStatus(botId, ['in_call_recording'], 120_000);
    expect(await data('GET', `/v2/meet-logins/${credential_id}`)).toMatchObject({ active_session_count: 1 });
    await api.sdk.leaveBot({ bot_id: botId });
    const done = await api.waitForStatus(botId, ['completed'], 60_000);
    expect(done).toMatchObject({ error_code: null, meet_login_credential_id: credential_id });

    // Without a login, the same meeting requires one.
    expect(await failedWith({ meeting_url })).toMatchObject({ code: 'MEET_LOGIN_REQUIRED' });

    // The sign-in never completes: the login is invalid, and bots that pin it find none.
    await setProfile(workspace, { behavior: 'stalls' });
    expect(await failedWith({ meeting_url, meet_config })).toMatchObject({ code: 'MEET_LOGIN_FAILED_TIMEOUT' });
    expect(await data('GET', `/v2/meet-logins/${credential_id}`)).toMatchObject({ state: 'invalid' });
    expect(await refusedWith({ meeting_url, meet_config })).toEqual({ status: 409, code: 'MEET_LOGIN_UNAVAILABLE' });

    // Another certificate is registered: the workspace is invalid until it is repaired.
    await data('PATCH', `/v2/meet-logins/${credential_id}`, { state: 'active' });
    const other = await data('POST', '/v2/meet-workspaces', { domain: 'other.example.com', generate_keypair: true });
    await setProfile(workspace, { certificates: [other['cert_pem']] });
    const rejected = await failedWith({ meeting_url, meet_config: { email_group: `all@${domain}` } });
    expect(rejected).toMatchObject({ code: 'MEET_LOGIN_FAILED_SAML_REJECTED' });
    expect(await data('GET', path)).toMatchObject({
      state: 'invalid',
      failure_data: { code: 'MEET_LOGIN_FAILED_SAML_REJECTED', meeting_url_host: expect.any(String) },
    });
    const verification = await data('POST', `${path}/verify`, { credential_id });
    expect(verification).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        { name: 'idp_redirects_to_us', status: 'pass', message: null },
        { name: 'issuer_is_domain_specific', status: 'pass', message: null },
        { name: 'sign_in_url_reachable', status: 'pass', message: null },
        expect.objectContaining({ name: 'test_login', status: 'fail' }),
      ]),
    });
    await setProfile(workspace);
    await data('PATCH', path, { state: 'active' });
    expect(await data('POST', `${path}/verify`, { credential_id })).toMatchObject({ ok: true });
  }, 480_000);

  test.concurrent('rotates its certificate: the former one signs until a verification signs in with the new one', async () => {
    const own = 'rotation.example.com';
    const event = 'meet_workspace.verification_changed';
    const { secret } = await api.sdk.createWebhookEndpoint({ body: { url: receiver.url, events: [event] } });
    const workspace = await data('POST', '/v2/meet-workspaces', { domain: own, generate_keypair: true });
    const { workspace_id = '', cert_pem: former } = workspace;
    const path = `/v2/meet-workspaces/${workspace_id}`;
    const login = { email: `bot@${own}`, name: 'Bot', workspace_id };
    const { credential_id = '' } = await data('POST', '/v2/meet-logins', login);
    await setProfile(workspace);
    const { url: meeting_url } = await meetRoom();
    const verify = () => data('POST', `${path}/verify`, { credential_id });
    const signIn = async () => {
      const botId = await api.createBot({ bot_name: 'Signed in', meeting_url, meet_config: { credential_id } });
      await api.waitForStatus(botId, ['in_call_recording'], 120_000);
      await api.sdk.leaveBot({ bot_id: botId });
      const done = await api.waitForStatus(botId, ['completed'], 60_000);
      expect(done.meet_login_credential_id).toBe(credential_id);
    };
    expect(await verify()).toMatchObject({ ok: true });

    // Any RSA pair works; the simulator has one in the folder of the stack.
    const [private_key_pem, cert_pem] = ['key', 'certificate'].map((name) =>
      readFileSync(join(dataFolder, 'simulator', `simulator-${name}.pem`), 'utf8'),
    );
    const rotating = await data('PATCH', path, { cert_pem, private_key_pem });
    expect(rotating).toMatchObject({ cert_pem, signing_cert_pem: former });
    await signIn();
    expect(await verify()).toMatchObject({
      ok: true,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'test_login', status: 'warn' })]),
    });
    expect(await data('GET', path)).toMatchObject({ signing_cert_pem: former });

    await setProfile(workspace, { certificates: [former, cert_pem] });
    expect(await verify()).toMatchObject({
      checks: expect.arrayContaining([{ name: 'test_login', status: 'pass', message: null }]),
    });
    expect(await data('GET', path)).toMatchObject({ cert_pem, signing_cert_pem: cert_pem });
    await setProfile(workspace, { certificates: [cert_pem] });
    await signIn();

    const changes = await waitFor(
      () => {
        const sent = receiver.calls.filter(({ body }) => body.includes(event) && body.includes(workspace_id));
        const tested = sent.filter(({ body }) => body.includes('"changed_checks":["test_login"]'));
        return tested.length >= 2 ? tested : undefined;
      },
      { what: 'webhooks about the test sign-in' },
    );
    const statuses = changes.map(({ body, headers }) => {
      const { checks } = verifyWebhook(body, headers, secret ?? '').data as {
        checks: { name: string; status: string }[];
      };
      return checks.find(({ name }) => name === 'test_login')?.status;
    });
    expect(statuses.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(['pass', 'warn']);
  }, 480_000);

  test.concurrent('signs in with its password; a refused password has its own error code', async () => {
    const { workspace_id } = await data('POST', '/v2/teams-workspaces', { domain });
    const email = `teams@${domain}`;
    const password = 'canary of teams';
    const { credential_id = '' } = await data('POST', '/v2/teams-logins', { email, name: 'T', password, workspace_id });
    const account = (over: object = {}) => simulator.post('/microsoft-accounts', { email, password, ...over });
    const room = await simulator.startRoom({ platform: 'teams', teams: { signInWall: 'redirect' }, speakers: 2 });
    const body = { meeting_url: room.url, teams_config: { credential_id } };

    await account();
    const botId = await api.createBot({ bot_name: 'Signed in', ...body });
    await api.waitForStatus(botId, ['in_call_recording'], 120_000);
    await api.sdk.leaveBot({ bot_id: botId });
    await api.waitForStatus(botId, ['completed'], 60_000);

    await account({ password: 'another' });
    const code = 'TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS';
    expect(await failedWith(body)).toMatchObject({ code });
    const login = await data('GET', `/v2/teams-logins/${credential_id}`);
    expect(login).toMatchObject({ state: 'invalid', failure_data: { code } });
    expect(await refusedWith(body)).toEqual({ status: 409, code: 'TEAMS_LOGIN_UNAVAILABLE' });
  }, 420_000);

  test.concurrent('is scheduled by a rule on a calendar event, follows it, signs in when it begins, and names the event', async () => {
    const { secret } = await api.sdk.createWebhookEndpoint({
      body: {
        url: receiver.url,
        events: ['bot.completed', 'calendar.event_created', 'calendar.event_updated'],
      },
    });
    const own = 'calendar.example.com';
    const workspace = await data('POST', '/v2/meet-workspaces', { domain: own, generate_keypair: true });
    await setProfile(workspace);
    const { workspace_id } = workspace;
    const { credential_id = '' } = await data('POST', '/v2/meet-logins', {
      email: `bot@${own}`,
      name: 'Bot',
      workspace_id,
      email_group: `bots@${own}`,
    });
    const account = { platform: 'google', email: `ada-${randomBytes(4).toString('hex')}@${own}` };
    const { id: calendar, connection } = await simulator.create<{ id: string; connection: object }>(
      '/calendars',
      account,
    );
    const { calendar_id: calendarId = '' } = await data('POST', '/v2/calendars', connection);
    // The first sync has one calendar.events_synced; from then on each change has an event of its own.
    await waitFor(async () => (await data('GET', `/v2/calendars/${calendarId}`))['sync_status'] === 'success', {
      what: 'the first sync',
    });
    await data('POST', '/v2/calendar-rules', {
      name: 'Recorded meetings',
      enabled: true,
      conditions: { title_contains: 'recorded' },
      bot: { bot_name: 'By the rule', meet_config: { email_group: `bots@${own}` } },
    });
    const startIn = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19);
    const { url: meetingUrl } = await meetRoom();
    const events = `/calendars/${encodeURIComponent(calendar)}/events`;
    const draft = { start: startIn(3_600), meetingUrl };
    await simulator.create(events, { ...draft, title: 'Lunch' });
    const event = await simulator.create<{ id: string }>(events, { ...draft, title: 'Recorded planning' });
    const scheduledAt = (start: string) =>
      waitFor(
        async () => {
          const { body } = await api.call<{ data: { bot_id: string; join_at: string; bot_name: string }[] }>(
            'GET',
            '/v2/bots/scheduled',
          );
          const ruled = body.data.filter(({ bot_name }) => bot_name === 'By the rule');
          expect(ruled.length).toBeLessThanOrEqual(1);
          return ruled.find(({ join_at }) => Date.parse(join_at) === Date.parse(`${start}Z`));
        },
        { what: `one bot at ${start}` },
      );
    const { bot_id: botId } = await scheduledAt(draft.start);
    const start = startIn(60);
    await simulator.change(`${events}/${event.id}`, { start });
    expect((await scheduledAt(start)).bot_id).toBe(botId);

    const recording = await waitFor(async () => (await api.call('GET', `/v2/bots/${botId}`)).status === 200, {
      what: 'the schedule to become a bot',
      timeoutMs: 120_000,
    }).then(() => api.waitForStatus(botId, ['in_call_recording'], 120_000));
    expect(recording.meet_login_credential_id).toBe(credential_id);
    expect(Date.parse(recording.joined_at ?? '')).toBeGreaterThanOrEqual(Date.parse(`${start}Z`));
    await api.sdk.leaveBot({ bot_id: botId });
    expect(await api.waitForStatus(botId, ['completed'], 60_000)).toMatchObject({ error_code: null });

    const received = async (name: string, part: string) => {
      const webhook = await waitFor(
        () => receiver.calls.find((call) => eventOf(call) === name && call.body.includes(part)),
        { what: `${name} with ${part}` },
      );
      return verifyWebhook(webhook.body, webhook.headers, secret ?? '').data as Record<string, unknown>;
    };
    const created = await received('calendar.event_created', 'Recorded planning');
    const [{ event_id } = { event_id: '' }] = created['instances'] as { event_id: string }[];
    expect(await received('bot.completed', botId)).toMatchObject({ bot_id: botId, event_id });
    expect(await received('calendar.event_updated', 'Recorded planning')).toMatchObject({
      affected_instances: [{ event_id }],
    });
  }, 420_000);

  test('leaves in no log what it signs in with', () => {
    for (const name of readdirSync(join(dataFolder, 'logs'))) {
      const log = readFileSync(join(dataFolder, 'logs', name), 'utf8');
      expect({ name, holds: /canary of teams|SAMLResponse=|PRIVATE KEY/.test(log) }).toEqual({ name, holds: false });
    }
  });
});
