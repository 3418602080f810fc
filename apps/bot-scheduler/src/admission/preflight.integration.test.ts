import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
let { database, create, countRows } = {} as AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ database, create, countRows } = harness);
});
afterAll(() => harness.close());

interface Preflight {
  readonly ready: boolean;
  readonly checks: { name: string; status: string; code: string | null; message: string | null }[];
  readonly not_checked: { name: string; message: string }[];
  readonly meeting: object | null;
  readonly daily_bots: { used: number; cap: number };
  readonly tokens: { available: number; reserved_per_bot: number };
}

const sendRequest = (teamId: string, over: Record<string, unknown> = {}) =>
  harness.sendRequest('POST', '/internal/v2/bots/preflight', teamId, createBody(over));
async function preflight(teamId: string, over: Record<string, unknown> = {}): Promise<Preflight> {
  const before = await countRows(teamId);
  const { status, body } = await sendRequest(teamId, over);
  expect(status).toBe(200);
  expect(await countRows(teamId)).toEqual(before);
  return body.data as unknown as Preflight;
}
const notPassed = ({ checks }: Preflight) =>
  checks.filter(({ status }) => status !== 'pass').map(({ name, status, code }) => [name, status, code]);

describe('a preflight', () => {
  test('of a bot that could be created reports it, creates nothing, and agrees with creating it', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 3, tokens: 7_200 });
    createdId(await create(teamId));
    const response = await preflight(teamId);
    expect(response).toEqual({
      ready: true,
      checks: ['meeting_url', 'platform', 'features', 'daily_bot_cap', 'tokens', 'duplicate', 'credential'].map(
        (name) => ({ name, status: 'pass', code: null, message: null }),
      ),
      not_checked: [
        {
          name: 'meeting',
          message: 'Whether the meeting exists, has begun and admits the bot shows when the bot joins.',
        },
      ],
      meeting: {
        platform: 'meet',
        meeting_id: 'abc-defg-hij',
        canonical_url: 'https://meet.google.com/abc-defg-hij',
      },
      daily_bots: { used: 1, cap: 3 },
      tokens: { available: 5_400, reserved_per_bot: 1_800 },
    });
    createdId(await create(teamId));
  });

  test('names every obstacle at once, with the codes that creating would give', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 1, tokens: 1_800 });
    createdId(await create(teamId));
    const response = await preflight(teamId, {
      allow_multiple_bots: false,
      transcription_enabled: true,
      meet_config: {},
    });
    expect(response.ready).toBe(false);
    expect(notPassed(response)).toEqual([
      ['features', 'fail', 'FST_ERR_NOT_CONFIGURED'],
      ['daily_bot_cap', 'fail', 'FST_ERR_DAILY_BOT_CAP_REACHED'],
      ['tokens', 'fail', 'FST_ERR_INSUFFICIENT_TOKENS'],
      ['duplicate', 'fail', 'FST_ERR_BOT_ALREADY_EXISTS'],
      ['credential', 'fail', 'MEET_LOGIN_UNAVAILABLE'],
    ]);
    for (const { message } of response.checks.filter(({ status }) => status === 'fail')) {
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
    await harness.clock.advance(24 * 3_600_000);
    expect(await preflight(teamId)).toMatchObject({ ready: false, daily_bots: { used: 0, cap: 1 } });
  });

  test('names what it could not check: a key of the customer and a callback address', async () => {
    const response = await preflight(await addTeam(database), {
      transcription_enabled: true,
      transcription_config: { provider: 'deepgram', api_key: 'own' },
      callback_enabled: true,
      callback_config: { url: 'https://example.com/done' },
    });
    expect(response.not_checked.map(({ name }) => name)).toEqual(['meeting', 'provider_key', 'callback']);
  });

  test.each([
    [
      'https://zoom.us/j/12345678901',
      { silence_timeout: 900, no_one_joined_timeout: 300 },
      ['no_one_joined_timeout', 'silence_timeout'],
    ],
    ['https://meet.google.com/abc-defg-hij', { empty_meeting_timeout: null }, ['empty_meeting_timeout']],
  ])('names timeouts without effect on the platform of %s, as the details do', async (meeting_url, given, unused) => {
    const teamId = await addTeam(database);
    const timeout_config = { ...(createBody()['timeout_config'] as object), ...given };
    const response = await preflight(teamId, { meeting_url, timeout_config });
    expect([response.ready, notPassed(response)]).toEqual([true, [['platform', 'warn', null]]]);
    const { message } = response.checks.find(({ name }) => name === 'platform') ?? {};
    for (const name of unused) expect(message).toContain(`timeout_config.${name}`);
    const botId = createdId(await create(teamId, { meeting_url, timeout_config }));
    const { body } = await harness.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId);
    expect(body.data).toMatchObject({ settings_without_effect: unused.map((name) => `timeout_config.${name}`) });
  });

  test('of a link that is no meeting judges what does not depend on it', async () => {
    const teamId = await addTeam(database);
    const response = await preflight(teamId, { meeting_url: 'https://example.com/x' });
    expect(response).toMatchObject({ ready: false, not_checked: [], meeting: null });
    expect(notPassed(response)).toEqual([['meeting_url', 'fail', 'FST_ERR_INVALID_MEETING_URL']]);
    expect(response.checks.map(({ name }) => name)).toEqual([
      'meeting_url',
      'features',
      'daily_bot_cap',
      'tokens',
      'credential',
    ]);
  });

  test('states what is not there for a platform, when settings are of another, and when a bot would be anonymous', async () => {
    const teamId = await addTeam(database);
    const zoom = { meeting_url: 'https://zoom.us/j/12345678901' };
    expect((await preflight(teamId, zoom)).ready).toBe(true);
    expect(notPassed(await preflight(teamId, { ...zoom, alpha_config: { obf_token: 'x' } }))).toEqual([
      ['features', 'fail', 'FST_ERR_NOT_CONFIGURED'],
    ]);
    expect(notPassed(await preflight(teamId, { alpha_config: {} }))).toEqual([
      ['platform', 'fail', 'FST_ERR_VALIDATION'],
    ]);
    const anonymous = await preflight(teamId, { meet_config: { fallback: 'anonymous' } });
    expect(anonymous.ready).toBe(true);
    expect(notPassed(anonymous)).toEqual([['credential', 'warn', 'MEET_LOGIN_UNAVAILABLE']]);
  });

  test("warns of parameters of a provider that are not known, which are the vendor's to judge", async () => {
    const transcription_config = { provider: 'deepgram', custom_params: { language: 'en', nonsense: 1 } };
    const result = await preflight(await addTeam(database), { transcription_config });
    expect(result.ready).toBe(true);
    expect(notPassed(result)).toEqual([['features', 'warn', null]]);
    expect(result.checks.find(({ name }) => name === 'features')?.message).toContain('as they are: nonsense.');
  });

  test('warns of an engine of the deployment that is not ready yet', async () => {
    const installing = await openAdmissionHarness(null, {
      engines: ['local', 'deepgram'],
      findProviderProblem: async (provider) => (provider === 'local' ? 'The local engine is being installed.' : null),
    });
    const teamId = await addTeam(installing.database, { tokens: 100_000 });
    const featuresWith = async (over: Record<string, unknown>) => {
      const body = createBody({ transcription_enabled: true, ...over });
      const response = await installing.sendRequest('POST', '/internal/v2/bots/preflight', teamId, body);
      const { ready, checks } = response.body.data as unknown as Preflight;
      return { ready, features: checks.find(({ name }) => name === 'features') };
    };
    expect(await featuresWith({})).toEqual({
      ready: true,
      features: {
        name: 'features',
        status: 'warn',
        code: null,
        message: 'The local engine is being installed. Recordings wait for it and keep their audio.',
      },
    });
    expect((await featuresWith({ transcription_config: { provider: 'deepgram' } })).features?.status).toBe('pass');
    await installing.close();
  });

  test('of a bot whose callback may not be called states it', async () => {
    const callback_config = { url: 'https://169.254.169.254/latest' };
    const result = await preflight(await addTeam(database), { callback_enabled: true, callback_config });
    expect(notPassed(result)).toEqual([['features', 'fail', 'FST_ERR_ADDRESS_REFUSED']]);
  });

  test('of a bot that would stream judges its addresses, and states what it would reserve', async () => {
    const teamId = await addTeam(database, { tokens: 1_980 });
    const streaming = (output_url: string, input_url: string | null = null) =>
      preflight(teamId, { streaming_enabled: true, streaming_config: { output_url, input_url } });
    expect(await streaming('wss://a.example')).toMatchObject({ ready: true, tokens: { reserved_per_bot: 1_980 } });
    const inside = await streaming('wss://10.0.0.1/', 'wss://a.example');
    expect(notPassed(inside)).toEqual([
      ['features', 'fail', 'FST_ERR_ADDRESS_REFUSED'],
      ['tokens', 'fail', 'FST_ERR_INSUFFICIENT_TOKENS'],
    ]);
    expect(inside.tokens.reserved_per_bot).toBe(2_160);
    expect(inside.checks.find(({ name }) => name === 'tokens')?.message).toContain('reserves 2160 tokens');
  });

  test('of a body that is wrong in itself, or for a team not known here, is refused like its creation', async () => {
    const teamId = await addTeam(database);
    expect(await sendRequest(teamId, { callback_enabled: true })).toMatchObject({
      status: 400,
      body: { code: 'FST_ERR_VALIDATION' },
    });
    expect(await sendRequest(randomUUID())).toMatchObject({ status: 503, body: { retryAfter: 1 } });
  });
});
