import { describe, expect, test } from '@jest/globals';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { publicDocument } from '@rapporteur/contracts/public-api';
import { Failure } from '@rapporteur/failures';
import { checkOf } from '../testing/check-of.ts';
import { translateJoin } from './join-request.ts';
import type { JoinRequest } from './join-request.ts';

const apiKey = 'rap_canary';
const nowMs = Date.parse('2026-11-21T09:00:00Z');
const nowSeconds = nowMs / 1_000;
const smallest = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };

const fitsLegacy = checkOf(legacyDocument, 'JoinRequest');
const fitsModern = {
  '/v2/bots': checkOf(publicDocument, 'CreateBot'),
  '/v2/bots/scheduled': checkOf(publicDocument, 'ScheduleBot'),
};

/** As the contract returns it: defaults applied. */
async function accepted(over: Partial<JoinRequest>): Promise<JoinRequest> {
  const body = structuredClone({ ...smallest, ...over });
  expect(await fitsLegacy(body)).toBeNull();
  return body as JoinRequest;
}

async function translated(over: Partial<JoinRequest>): Promise<{ path: string; body: Record<string, unknown> }> {
  const { method, path, body } = translateJoin(await accepted(over), { apiKey, nowMs });
  expect(method).toBe('POST');
  return { path, body: body as Record<string, unknown> };
}

const noApp = { alpha_sdk_id: null, alpha_sdk_pwd: null };

/** The schemas of v2 limit timeouts more narrowly; bot-scheduler accepts the wider values sent here. */
async function expectFits(path: string, body: Record<string, unknown>): Promise<void> {
  const { legacy, ...rest } = structuredClone(body);
  expect(Object.keys(legacy as object).sort()).toEqual([
    'alpha_sdk_id',
    'alpha_sdk_pwd',
    'api_key',
    'deduplication_key',
    'webhook_url',
  ]);
  expect(await fitsModern[path as keyof typeof fitsModern](rest)).toBeNull();
  // No default replaces what was translated.
  expect({ ...rest, legacy }).toMatchObject(body);
}

const byDefault = (config: object) => ({
  transcription_enabled: true,
  transcription_config: { api_key: null, region: null, fallback: null, custom_params: null, ...config },
});
const transcribed = (config: object) => byDefault({ provider: 'gladia', ...config });
const streamed = (config: object) => ({
  streaming_enabled: true,
  streaming_config: {
    mode: 'audio',
    input_url: null,
    output_url: null,
    audio_frequency: 16_000,
    transcription: null,
    ...config,
  },
});
const zoom = { meeting_url: 'https://zoom.us/j/123456789' };

describe('a legacy bot', () => {
  test('with only what is required has the settings of v2', async () => {
    expect(await translated({})).toEqual({
      path: '/v2/bots',
      body: {
        ...smallest,
        bot_image: null,
        bot_image_config: null,
        allow_multiple_bots: true,
        ignored_participant_names: [],
        recording_mode: 'speaker_view',
        entry_message: null,
        timeout_config: {
          waiting_room_timeout: 600,
          no_one_joined_timeout: 600,
          silence_timeout: 600,
          grace_period: 0,
          max_recording_duration: null,
          everyone_left_timeout: 60,
          empty_meeting_timeout: 1_800,
        },
        alpha_config: null,
        meet_config: null,
        teams_config: null,
        extra: null,
        streaming_enabled: false,
        streaming_config: null,
        transcription_enabled: false,
        transcription_config: null,
        callback_enabled: false,
        callback_config: null,
        legacy: { webhook_url: null, api_key: null, deduplication_key: null, ...noApp },
      },
    });
  });

  const table: readonly (readonly [Partial<JoinRequest>, Record<string, unknown>])[] = [
    [{ bot_image: 'https://a.example/b.png' }, { bot_image: 'https://a.example/b.png' }],
    [{ entry_message: 'Hello.' }, { entry_message: 'Hello.' }],
    [{ recording_mode: 'audio_only' }, { recording_mode: 'audio_only' }],
    [{ recording_mode: 'gallery_view' }, { recording_mode: 'gallery_view' }],
    [{ recording_mode: null }, { recording_mode: 'speaker_view' }],
    [{ reserved: true }, { recording_mode: 'speaker_view' }],
    [{ extra: { customer: 'c-1' } }, { extra: { customer: 'c-1' } }],
    [{ extra: [1, 'two'] }, { extra: { legacy_extra: [1, 'two'] } }],
    [{ extra: false }, { extra: { legacy_extra: false } }],
    [
      { deduplication_key: 'd-1' },
      { legacy: { webhook_url: null, api_key: null, deduplication_key: 'd-1', ...noApp }, allow_multiple_bots: true },
    ],
    [
      { webhook_url: 'http://a.example/hook' },
      { legacy: { webhook_url: 'http://a.example/hook', api_key: apiKey, deduplication_key: null, ...noApp } },
    ],
    [
      { automatic_leave: { waiting_room_timeout: 300, noone_joined_timeout: null, silence_timeout: 900 } },
      { timeout_config: expect.objectContaining({ waiting_room_timeout: 300, no_one_joined_timeout: 600 }) },
    ],
    [
      { automatic_leave: { silence_timeout: 900 } as JoinRequest['automatic_leave'] },
      { timeout_config: expect.objectContaining({ waiting_room_timeout: 600, silence_timeout: 900 }) },
    ],
    [
      { speech_to_text: 'Default' },
      { transcription_config: expect.not.objectContaining({ provider: expect.anything() }) },
    ],
    [{ speech_to_text: 'Gladia' }, transcribed({})],
    [{ speech_to_text: { provider: 'Gladia', api_key: 'k' } }, transcribed({ api_key: 'k' })],
    [{ speech_to_text: { provider: 'Default', api_key: null } }, byDefault({})],
    [
      { speech_to_text: 'Default', transcription_custom_parameters: { language: 'en' } },
      byDefault({ custom_params: { language: 'en' } }),
    ],
    [
      { streaming: { input: 'wss://a.example/in', output: null, audio_frequency: null } },
      streamed({ input_url: 'wss://a.example/in' }),
    ],
    [
      { streaming: { input: null, output: 'ws://a.example/out', audio_frequency: '24khz' } },
      streamed({ output_url: 'ws://a.example/out', audio_frequency: 24_000 }),
    ],
    [
      { streaming: { input: null, output: null, audio_frequency: '16khz' } },
      { streaming_enabled: false, streaming_config: null },
    ],
    [
      { ...zoom, alpha_access_token_url: 'https://a.example/zak', alpha_obf_token_user_id: 'u-1' },
      { alpha_config: { zak_token_url: 'https://a.example/zak', credential_user_id: 'u-1' } },
    ],
    [{ ...zoom, alpha_obf_token: 'jwt' }, { alpha_config: { obf_token: 'jwt' } }],
    [
      { ...zoom, alpha_obf_token_url: 'https://a.example/obf' },
      { alpha_config: { obf_token_url: 'https://a.example/obf' } },
    ],
    [
      { ...zoom, alpha_sdk_id: 'id', alpha_sdk_pwd: 'pwd' },
      { legacy: expect.objectContaining({ alpha_sdk_id: 'id', alpha_sdk_pwd: 'pwd' }), alpha_config: null },
    ],
    [{ start_time: nowSeconds }, { bot_name: 'Rapporteur' }],
    [{ start_time: 0 }, { bot_name: 'Rapporteur' }],
  ];

  test.each(table)('of %j has %j, and fits v2', async (given, settings) => {
    const { path, body } = await translated(given);
    expect(path).toBe('/v2/bots');
    expect(body).toMatchObject(settings);
    await expectFits(path, body);
  });

  test.each([
    [nowSeconds + 1, '2026-11-21T09:00:01.000Z'],
    [nowSeconds + 3_600, '2026-11-21T10:00:00.000Z'],
    [Number.MAX_SAFE_INTEGER, '+275760-09-13T00:00:00.000Z'],
  ])('with start_time %d joins at %s', async (start_time, join_at) => {
    const { path, body } = await translated({ start_time });
    expect(path).toBe('/v2/bots/scheduled');
    expect(body).toMatchObject({ join_at });
    if (start_time < 2 ** 40) await expectFits(path, body);
  });

  test.each([0, 119, 3_601, 86_400])('may leave after %d s, outside of what v2 allows', async (seconds) => {
    const automatic_leave = {
      waiting_room_timeout: seconds,
      noone_joined_timeout: seconds,
      silence_timeout: seconds,
    };
    expect((await translated({ automatic_leave })).body['timeout_config']).toEqual({
      waiting_room_timeout: seconds,
      no_one_joined_timeout: seconds,
      silence_timeout: seconds,
      grace_period: 0,
      max_recording_duration: null,
      everyone_left_timeout: 60,
      empty_meeting_timeout: 1_800,
    });
  });
});

describe('a legacy bot is refused', () => {
  test.each<[string, Partial<JoinRequest>, string]>([
    ['with half of its SDK credentials', { ...zoom, alpha_sdk_id: 'id' }, 'SET_ALPHA_ID_AND_PWD_TOGETHER'],
    ['with the other half', { ...zoom, alpha_sdk_pwd: 'pwd' }, 'SET_ALPHA_ID_AND_PWD_TOGETHER'],
    ['with a provider that is not offered', { speech_to_text: 'Runpod' }, 'NOT_CONFIGURED_YET'],
    ['with it as an object', { speech_to_text: { provider: 'Runpod', api_key: 'k' } }, 'NOT_CONFIGURED_YET'],
    ['with parameters for no provider', { transcription_custom_parameters: {} }, 'VALIDATION'],
  ])('%s', async (_what, given, code) => {
    const body = await accepted(given);
    const refusal = (() => {
      try {
        return translateJoin(body, { apiKey, nowMs });
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Failure);
    expect((refusal as Failure).code).toBe(code);
  });
});
