import { describe, expect, test } from '@jest/globals';
import { Failure } from '@rapporteur/failures';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import { readInput } from '@rapporteur/service-runtime';
import { createBody } from '../testing/create-body.ts';
import { createBotBody } from '../schema/create-bot-body.ts';
import { prepareBot } from './prepare-bot.ts';
import type { PreparedBot } from './prepare-bot.ts';
import type { ZoomAccess } from './zoom-access.ts';

const outbound = createOutboundHttp({ allow: ['10.0.0.0/8'], requireHttps: true });
const dependencies = { simulatorLinkHosts: [], checkAddress: outbound.checkUrl, checkWebhook: outbound.checkUrl };
const prepare = (over: Record<string, unknown> = {}, zoomAccess?: ZoomAccess): PreparedBot =>
  prepareBot(
    { ...dependencies, ...(zoomAccess === undefined ? {} : { zoom: zoomAccess }) },
    readInput(createBotBody, createBody(over)),
  );

function refusal(over: Record<string, unknown>, zoomAccess?: ZoomAccess): Failure {
  try {
    prepare(over, zoomAccess);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

const zoom = 'https://zoom.us/j/12345678901';
const teams = 'https://teams.live.com/meet/9312345678901?p=abc';
const callback = { url: 'https://example.com/done', method: 'POST', secret: null };

describe('a create request', () => {
  test('with what this deployment can do has nothing against it', () => {
    expect(prepare().link).toMatchObject({ platform: 'meet', meetingId: 'abc-defg-hij' });
    expect(prepare({ meet_config: { fallback: 'anonymous' } }).configuration.login).toBeNull();
    expect(prepare({ callback_enabled: true, callback_config: callback }).request).toMatchObject({
      callback_enabled: true,
      callback_config: { url: callback.url, method: 'POST' },
    });
  });

  test('gets every default of the specification, also inside its objects, from every caller', () => {
    const { bot_name, meeting_url } = createBody();
    const sparse = {
      bot_name,
      meeting_url,
      timeout_config: { silence_timeout: 900 },
      callback_config: { url: 'https://a.example' },
      transcription_config: {},
      streaming_config: { output_url: 'wss://a.example' },
    };
    expect(prepareBot({ ...dependencies, engines: ['local'] }, readInput(createBotBody, sparse)).request).toEqual({
      ...createBody(),
      timeout_config: { ...(createBody()['timeout_config'] as object), silence_timeout: 900 },
      callback_config: { url: 'https://a.example', method: 'POST' },
      transcription_config: { provider: 'local', region: null, fallback: null, custom_params: null },
      streaming_config: {
        mode: 'audio',
        input_url: null,
        output_url: 'wss://a.example',
        audio_frequency: 24_000,
        transcription: null,
      },
      calendar: null,
    });
  });

  test.each([
    ['transcription_enabled', { transcription_enabled: true }],
    [
      'streaming_config.mode',
      {
        streaming_enabled: true,
        streaming_config: { mode: 'transcription', output_url: 'wss://a.example', transcription: {} },
      },
    ],
    ['alpha_config.obf_token', { meeting_url: zoom, alpha_config: { obf_token: 'x' } }],
    ['alpha_config.credential_user_id', { meeting_url: zoom, alpha_config: { credential_user_id: 'x' } }],
  ])('that requests %s is refused by name, in plain words, not accepted and dropped', (field, over) => {
    const failure = refusal(over);
    expect(failure).toMatchObject({ code: 'NOT_CONFIGURED_YET', statusCode: 422, details: field });
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
  });

  test.each(['speaker_view', 'gallery_view', 'audio_only'] as const)('that requests %s is taken as it is', (mode) => {
    expect(prepare({ recording_mode: mode }).request).toMatchObject({ recording_mode: mode });
  });

  test.each([
    ['nothing', {}, [], null],
    ['one image', { bot_image: 'https://a.example/1.png' }, ['https://a.example/1.png'], null],
    ['a configuration without an image', { bot_image_config: {} }, [], null],
    [
      'a list of one image with a configuration',
      { bot_image: ['https://a.example/1.png'], bot_image_config: { loop_mode: 'bot_status' } },
      ['https://a.example/1.png'],
      null,
    ],
    [
      'several images',
      { bot_image: ['https://a.example/1.png', 'https://a.example/2.webp'], bot_image_config: {} },
      ['https://a.example/1.png', 'https://a.example/2.webp'],
      { loop_mode: 'auto', image_duration: 30 },
    ],
    [
      'images by what it does',
      {
        bot_image: ['https://a.example/1.png', 'https://a.example/2.png'],
        bot_image_config: { loop_mode: 'bot_status' },
      },
      ['https://a.example/1.png', 'https://a.example/2.png'],
      { loop_mode: 'bot_status', image_duration: 30 },
    ],
  ] as const)('that shows %s has it in its configuration', (_what, over, bot_image, bot_image_config) => {
    expect(prepare(over).configuration).toMatchObject({ bot_image, bot_image_config });
  });

  test.each([
    ['bot_image', 'http://a.example/1.png', 'VALIDATION', 'must start with https://'],
    ['bot_image', 'https://user:secret@a.example/1.png', 'VALIDATION', 'user name or password'],
    ['bot_image', 'https://169.254.169.254/latest', 'ADDRESS_REFUSED', 'public address'],
    ['bot_image[1]', ['https://a.example/1.png', 'https://db.internal/2.png'], 'ADDRESS_REFUSED', 'public address'],
  ])(
    'whose %s may not be fetched is refused, with the field named and without the address',
    (field, image, code, words) => {
      const failure = refusal({ bot_image: image });
      expect(failure).toMatchObject({ code, statusCode: 400, details: field });
      expect(failure.message).toContain(`${field}: `);
      expect(failure.message).toContain(words);
      expect(failure.message).not.toMatch(/secret|internal|169/);
    },
  );

  const legacyWith = (webhook_url: string) => ({
    legacy: {
      webhook_url,
      api_key: null,
      api_key_id: null,
      deduplication_key: null,
      alpha_sdk_id: null,
      alpha_sdk_pwd: null,
    },
  });
  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://0xA9FEA9FE/',
    'https://2852039166/',
    'https://0251.0376.0251.0376/',
    'https://[::ffff:169.254.169.254]/',
    'https://127.1/',
    'https://localhost./',
    'https://a.localhost/',
    'https://user:secret@a.example/',
    'http://a.example/',
    'ftp://a.example/',
    'https://a.example:0/',
  ])('whose callback, webhook, token or image address is %s is refused by the same rule', (url) => {
    const places: [string, Record<string, unknown>][] = [
      ['callback_config.url', { callback_enabled: true, callback_config: { url } }],
      ['callback_config.url', { callback_config: { url } }],
      ['webhook_url', legacyWith(url)],
      ['bot_image', { bot_image: url }],
      ['alpha_config.obf_token_url', { meeting_url: zoom, alpha_config: { obf_token_url: url } }],
      ['alpha_config.zak_token_url', { meeting_url: zoom, alpha_config: { zak_token_url: url } }],
    ];
    const zoomSettings = { sdk: true, credentials: null };
    for (const [field, over] of places) {
      const failure = refusal(over, zoomSettings);
      expect([failure.statusCode, failure.details]).toEqual([400, field]);
      expect(failure.message).not.toContain('secret');
    }
  });

  test('that streams sound has what its runner needs, and nothing of it while streaming is off', () => {
    const streaming_config = {
      output_url: 'wss://a.example/out',
      input_url: 'ws://10.1.2.3:80/in',
      audio_frequency: null,
    };
    expect(prepare({ streaming_enabled: true, streaming_config }).configuration.streaming_config).toEqual({
      mode: 'audio',
      output_url: 'wss://a.example/out',
      input_url: 'ws://10.1.2.3:80/in',
      audio_frequency: 24_000,
    });
    expect(prepare({ streaming_config }).configuration.streaming_config).toBeNull();
  });

  test.each([
    ['output_url', 'ws://a.example/out', 'VALIDATION', 'must start with wss://'],
    ['output_url', 'wss://a.example/#x', 'VALIDATION', 'holds a #'],
    ['input_url', 'wss://user:secret@a.example/', 'VALIDATION', 'user name or password'],
    ['input_url', 'wss://127.0.0.1/', 'ADDRESS_REFUSED', 'public address'],
    ['output_url', 'wss://metadata.google.internal/', 'ADDRESS_REFUSED', 'public address'],
  ])('whose streaming %s is %s is refused, with the field named and without the address', (name, url, code, words) => {
    const failure = refusal({ streaming_enabled: true, streaming_config: { [name]: url } });
    expect(failure).toMatchObject({ code, statusCode: 400, details: `streaming_config.${name}` });
    expect(failure.message).toContain(`streaming_config.${name}: `);
    expect(failure.message).toContain(words);
    expect(failure.message).not.toContain('secret');
    expect(refusal({ streaming_config: { [name]: url } }).details).toBe(failure.details);
  });

  test.each([
    ['alpha_config', { alpha_config: { obf_token: 'x' } }, 'Zoom only'],
    ['teams_config', { teams_config: {} }, 'Microsoft Teams only'],
    ['meet_config', { meeting_url: zoom, meet_config: {} }, 'Google Meet only'],
    ['alpha_config', { meeting_url: teams, alpha_config: {} }, 'Zoom only'],
    ['callback_config', { callback_enabled: true }, 'where the callback goes'],
    ['streaming_config', { streaming_enabled: true }, 'where the audio goes'],
    ['streaming_config', { streaming_enabled: true, streaming_config: {} }, 'output_url'],
    [
      'streaming_config.output_url',
      {
        streaming_enabled: true,
        streaming_config: { mode: 'transcription', input_url: 'wss://a.example', transcription: {} },
      },
      'transcript',
    ],
  ])('whose %s contradicts the rest is not valid, and states which field and why', (field, over, words) => {
    const failure = refusal(over);
    expect(failure).toMatchObject({ code: 'VALIDATION', details: field });
    expect(failure.message).toContain(`${field}: `);
    expect(failure.message).toContain(words);
  });

  test('leads to a Zoom meeting as a guest, without tokens', () => {
    expect(prepare({ meeting_url: zoom }).link.platform).toBe('zoom');
    expect(prepare({ meeting_url: zoom, alpha_config: {} }).link.platform).toBe('zoom');
  });

  test('with several errors gets the first in the documented order', () => {
    const everything = { meeting_url: zoom, meet_config: {}, transcription_enabled: true, callback_enabled: true };
    expect(refusal(everything).details).toBe('callback_config');
    expect(refusal({ ...everything, callback_config: callback }).details).toBe('meet_config');
    expect(refusal({ meeting_url: zoom, transcription_enabled: true }).details).toBe('transcription_enabled');
    expect(refusal({ meet_config: {}, transcription_enabled: true }).code).toBe('NOT_CONFIGURED_YET');
  });

  test('that insists on a login fails as the specification states, because there is none', () => {
    for (const meet_config of [{}, { fallback: 'fail' }, { email_group: '', fallback: 'fail' }]) {
      expect(refusal({ meet_config })).toMatchObject({ code: 'MEET_LOGIN_UNAVAILABLE' });
    }
    const failure = refusal({ meeting_url: teams, teams_config: {} });
    expect(failure).toMatchObject({ code: 'TEAMS_LOGIN_UNAVAILABLE', details: 'teams_config' });
  });

  test('for a Teams meeting is taken, without a login where its fallback allows that', () => {
    expect(prepare({ meeting_url: teams }).link.platform).toBe('teams');
    const prepared = prepare({ meeting_url: teams, teams_config: { fallback: 'anonymous' } });
    expect(prepared.configuration.login).toBeNull();
  });

  test('of the legacy API has its own duplicate rule', () => {
    const legacy = { webhook_url: 'https://a.example', api_key: 'k', deduplication_key: null };
    expect(prepare().duplicates).toBe('allowed');
    expect(prepare({ allow_multiple_bots: false }).duplicates).toBe('none');
    expect(prepare({ legacy })).toMatchObject({
      duplicates: 'same-api-key',
      legacy: { webhookUrl: 'https://a.example' },
      secrets: { legacy_api_key: 'k' },
    });
    expect(prepare({ legacy: { ...legacy, deduplication_key: 'one' } })).toMatchObject({
      duplicates: 'same-key',
      deduplicationKey: 'one',
    });
  });
});

test('no secret is in what is stored as the request', () => {
  const prepared = prepare({
    callback_config: { ...callback, secret: 'canary-1' },
    transcription_config: { api_key: 'canary-2' },
    streaming_config: { transcription: { api_key: 'canary-3' } },
    legacy: { webhook_url: null, api_key: 'canary-4', deduplication_key: null },
  });
  expect(JSON.stringify({ ...prepared, secrets: null })).not.toContain('canary');
  expect(prepared.secrets).toEqual({
    callback_secret: 'canary-1',
    transcription_api_key: 'canary-2',
    streaming_api_key: 'canary-3',
    legacy_api_key: 'canary-4',
  });
});
