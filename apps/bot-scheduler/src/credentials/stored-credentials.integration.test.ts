import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { waitFor } from '@rapporteur/testbed';
import { createBody } from '../testing/create-body.ts';
import { startStubCredentials } from '../testing/stub-credentials.ts';
import type { StubCredentials } from '../testing/stub-credentials.ts';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

const credentialId = 'b7a3a2a0-1d4c-4a51-8f1e-5f2d6f0b9c22';
const meetingUrl = 'https://zoom.us/j/12345678901';
const active = { credentialId, state: 'active', lastError: null } as const;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
let scheduler: TestScheduler;
let credentials: StubCredentials;
let bus: Bus;
let teamId = '';

beforeAll(async () => {
  credentials = await startStubCredentials();
  scheduler = await startTestScheduler({
    settings: { SSO_IDP_URL: credentials.url, ZOOM_SDK_KEY: 'operator', ZOOM_SDK_SECRET: 'operator-secret' },
  });
  bus = await connectBus({ url: scheduler.busUrl, name: 'runner', logger: quiet });
});
afterAll(async () => {
  await bus.close();
  await scheduler.stop();
  await credentials.stop();
});
beforeEach(async () => {
  credentials.requested.length = 0;
  credentials.commands.length = 0;
  credentials.status = active;
  credentials.broken = false;
  teamId = await addTeam(scheduler.database);
});

const body = (alpha_config: object, over: object = {}) =>
  createBody({ bot_name: 'records', meeting_url: meetingUrl, alpha_config, ...over });
const create = (alpha_config: object) => scheduler.sendRequest('POST', '/internal/v2/bots', teamId, body(alpha_config));
const schedule = (alpha_config: object) => {
  const join_at = new Date(Date.now() + 3_600_000).toISOString();
  return scheduler.sendRequest('POST', '/internal/v2/bots/scheduled', teamId, body(alpha_config, { join_at }));
};
const brief = ({ status, body: response }: Awaited<ReturnType<typeof create>>) => ({
  status,
  code: response['code'],
  details: response['details'],
});
const unusable = (field: string) => ({
  status: 422,
  code: 'FST_ERR_CREDENTIAL_UNUSABLE',
  details: `alpha_config.${field}`,
});

describe('a bot that is to join by a stored credential', () => {
  test.each([
    [{ credential_id: credentialId }, { credentialId }],
    [{ credential_user_id: 'u-1' }, { userId: 'u-1' }],
  ])('%j is taken when the credential is the own team and active', async (config, choice) => {
    expect((await create(config)).status).toBe(201);
    expect(credentials.requested).toEqual([{ teamId, ...choice }]);
  });

  test.each(['credential_id', 'credential_user_id'])(
    'is refused by %s when the team has none: the field is named',
    async (field) => {
      credentials.status = null;
      const response = await create({ [field]: credentialId });
      expect(brief(response)).toEqual(unusable(field));
      expect(response.body['message']).toMatch(/Your team has no stored Zoom credential/);
    },
  );

  test('is refused while the credential is invalid, with its last error and what to do', async () => {
    credentials.status = { credentialId, state: 'invalid', lastError: 'Zoom refused to renew it.' };
    const response = await create({ credential_user_id: 'u-1' });
    expect(brief(response)).toEqual(unusable('credential_user_id'));
    expect(response.body['message']).toMatch(/is invalid\. Zoom refused to renew it\. PATCH \/v2\/zoom-credentials/);
  });

  test('leaves nothing behind when it is refused, and is an error of its own in a batch', async () => {
    credentials.status = null;
    const items = [body({ credential_id: credentialId }), body({ obf_token_url: 'https://a.example/obf' })];
    const response = await scheduler.sendRequest('POST', '/internal/v2/bots/batch', teamId, {
      items: items.map((item, index) => ({ index, body: item })),
    });
    expect(response.body).toMatchObject({
      data: [{ index: 1 }],
      errors: [{ index: 0, code: 'CREDENTIAL_UNUSABLE', details: 'alpha_config.credential_id' }],
    });
    const [count] = await scheduler.database.query('select count(*)::int as bots from bots where team_id = $1', [
      teamId,
    ]);
    expect(count).toEqual({ bots: 1 });
  });

  test('is not accepted while the owner is not available: 503', async () => {
    credentials.broken = true;
    expect(brief(await create({ credential_id: credentialId }))).toMatchObject({
      status: 503,
      code: 'FST_ERR_UNAVAILABLE',
    });
  });

  test('gets in advance what it would meet', async () => {
    credentials.status = null;
    const response = await scheduler.sendRequest(
      'POST',
      '/internal/v2/bots/preflight',
      teamId,
      body({ credential_id: credentialId }),
    );
    expect(response.body['data']).toMatchObject({
      ready: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'credential', status: 'fail', code: 'FST_ERR_CREDENTIAL_UNUSABLE' }),
      ]),
    });
  });
});

describe('a scheduled bot', () => {
  test('needs a credential that exists; its state and its user are looked at when it joins', async () => {
    credentials.status = { credentialId, state: 'invalid', lastError: 'Gone.' };
    expect((await schedule({ credential_id: credentialId })).status).toBe(201);
    credentials.status = null;
    expect(brief(await schedule({ credential_id: credentialId }))).toEqual(unusable('credential_id'));
    expect((await schedule({ credential_user_id: 'u-later' })).status).toBe(201);
  });

  test('is not changed to a credential that the team does not have', async () => {
    const { body: made } = await schedule({ credential_user_id: 'u-1' });
    const path = `/internal/v2/bots/scheduled/${String(made.data['bot_id'])}`;
    credentials.status = null;
    const response = await scheduler.sendRequest('PATCH', path, teamId, {
      alpha_config: { credential_id: credentialId },
    });
    expect(brief(response)).toEqual(unusable('credential_id'));
    expect((await scheduler.sendRequest('PATCH', path, teamId, { bot_name: 'Renamed' })).status).toBe(200);
  });
});

describe('a change that waits for the service with the credentials', () => {
  test('holds neither the scheduled bot nor a connection, and is made on the bot as it is then', async () => {
    const { body: made } = await schedule({ credential_user_id: 'u-1' });
    const botId = String(made.data['bot_id']);
    const path = `/internal/v2/bots/scheduled/${botId}`;
    const response = Promise.withResolvers<void>();
    credentials.ready = response.promise;
    try {
      const change = { alpha_config: { credential_id: credentialId } };
      const slow = Array.from({ length: 12 }, () => scheduler.sendRequest('PATCH', path, teamId, change));
      await waitFor(() => credentials.requested.length === 12, { what: 'every change to ask for the credential' });
      expect((await scheduler.sendRequest('PATCH', path, teamId, { bot_name: 'Renamed' })).status).toBe(200);
      response.resolve();
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    } finally {
      response.resolve();
      credentials.ready = Promise.resolve();
    }
    const [row] = await scheduler.database.query('select bot_name, request from scheduled_bots where id = $1', [botId]);
    expect(row).toMatchObject({ bot_name: 'Renamed', request: { alpha_config: { credential_id: credentialId } } });
  });

  test('is not made on a bot that was cancelled meanwhile', async () => {
    const { body: made } = await schedule({ credential_user_id: 'u-1' });
    const path = `/internal/v2/bots/scheduled/${String(made.data['bot_id'])}`;
    const response = Promise.withResolvers<void>();
    credentials.ready = response.promise;
    try {
      const slow = scheduler.sendRequest('PATCH', path, teamId, { alpha_config: { credential_id: credentialId } });
      await waitFor(() => credentials.requested.length === 1, { what: 'the change to ask for the credential' });
      expect((await scheduler.sendRequest('DELETE', path, teamId)).status).toBe(200);
      response.resolve();
      expect((await slow).status).toBe(409);
    } finally {
      response.resolve();
      credentials.ready = Promise.resolve();
    }
  });
});

describe('a runner that requests what its bot joins with', () => {
  const token = {
    outcome: 'token',
    credentialId,
    app: { key: 'their-app', secret: 'their-secret' },
    obfToken: 'obf-1',
  } as const;
  type Holder = { readonly botId: string; readonly attempt: number; readonly fencing: number };
  const sendBot = async (alpha_config: object): Promise<Holder> => {
    const botId = await scheduler.sendBot(teamId, 'records', { meeting_url: meetingUrl, alpha_config });
    const { attempt } = await scheduler.waitForStatus(botId, 'in_call_recording');
    const [lease] = await scheduler.database.query<{ fencing: number }>(
      'select fencing from leases where bot_id = $1',
      [botId],
    );
    return { botId, attempt, fencing: lease?.fencing ?? 0 };
  };
  const sendRequest = (holder: Holder, subject = holder.botId, timeoutMs = 20_000) =>
    bus.request(runnerSubjects.joinToken(subject), holder, { timeoutMs });
  const getsNoResponse = (holder: Holder, subject = holder.botId) =>
    expect(sendRequest(holder, subject, 500)).rejects.toMatchObject({ code: 'UNAVAILABLE' });

  test("gets its credential's token for its own meeting, and the signature of that app; the app's secret stays here", async () => {
    credentials.token = token;
    const holder = await sendBot({ credential_user_id: 'u-1' });
    const reply = (await sendRequest(holder)) as { sdk: { signature: string } };
    expect(reply).toEqual({
      outcome: 'token',
      obfToken: 'obf-1',
      sdk: { key: 'their-app', signature: expect.stringMatching(/^ey/) },
    });
    expect(credentials.commands).toEqual([
      { choice: { teamId, userId: 'u-1' }, botId: holder.botId, meetingId: '12345678901' },
    ]);
    const [head, claims, mark] = reply.sdk.signature.split('.');
    expect(mark).toBe(createHmac('sha256', 'their-secret').update(`${head}.${claims}`).digest('base64url'));
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      appKey: 'their-app',
      mn: 12_345_678_901,
    });
    expect(JSON.stringify(reply)).not.toContain('their-secret');
  });

  test('gets the reason why there is none, also when the service is away', async () => {
    credentials.token = { outcome: 'refused', message: 'The stored Zoom credential is invalid.' };
    const holder = await sendBot({ credential_id: credentialId });
    expect(await sendRequest(holder)).toEqual({
      outcome: 'refused',
      message: 'The stored Zoom credential is invalid.',
    });
    credentials.broken = true;
    expect(await sendRequest(holder)).toEqual({
      outcome: 'refused',
      message: expect.stringMatching(/did not respond in time/),
    });
  });

  test('gets nothing for a bot without a stored credential', async () => {
    const holder = await sendBot({ obf_token_url: 'https://a.example/obf' });
    expect(await sendRequest(holder)).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/without a stored/),
    });
    expect(credentials.commands).toEqual([]);
  });

  test('gets no response under a fencing number, an attempt or a subject that is not its own, nor after its lease', async () => {
    credentials.token = token;
    const holder = await sendBot({ credential_id: credentialId });
    const other = await sendBot({ obf_token_url: 'https://a.example/obf' });
    await getsNoResponse({ ...holder, fencing: holder.fencing + 1 });
    await getsNoResponse({ ...holder, attempt: 2 });
    await getsNoResponse(holder, other.botId);
    await getsNoResponse({ ...other, botId: holder.botId, fencing: holder.fencing }, other.botId);
    await scheduler.sendRequest('POST', `/internal/v2/bots/${holder.botId}/leave`, teamId);
    await scheduler.waitForStatus(holder.botId, 'completed');
    await getsNoResponse(holder);
    expect(credentials.commands).toEqual([]);
  }, 90_000);
});
