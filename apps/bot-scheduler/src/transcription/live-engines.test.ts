import { describe, expect, test } from '@jest/globals';
import { Secret } from '@rapporteur/service-runtime';
import { createBotBody } from '../schema/create-bot-body.ts';
import { createBody } from '../testing/create-body.ts';
import { findUnusableLive, readLiveSettings } from './live-engines.ts';

const settings = (over: Partial<Parameters<typeof readLiveSettings>[0]> = {}) =>
  readLiveSettings({
    liveTranscriptionEngines: ['deepgram', 'local'],
    liveTranscriptionFallback: 'local',
    liveDeepgramApiKey: new Secret('a=b'),
    liveProviderAddresses: ['deepgram=ws://127.0.0.1:1/deepgram/', 'local=ws://127.0.0.1:2'],
    liveProviderModels: ['deepgram=nova-2'],
    ...over,
  });
const refusalOf = (transcription: object, given = settings()) =>
  findUnusableLive(
    given,
    createBotBody.parse(
      createBody({
        streaming_enabled: true,
        streaming_config: { mode: 'transcription', output_url: 'wss://a.example', transcription },
      }),
    ),
  );

describe('the settings for live transcription', () => {
  test('hold keys and addresses by provider', () => {
    expect(settings().keys.get('deepgram')).toBe('a=b');
    expect(settings().addresses.get('deepgram')).toBe('ws://127.0.0.1:1/deepgram');
  });

  test.each([
    ['a name that is no provider', { liveTranscriptionEngines: ['unknown'] }, /ENGINES: unknown/],
    [
      'a vendor without a key',
      { liveTranscriptionEngines: ['soniox', 'local'] },
      /soniox needs a key in RAPPORTEUR_LIVE_SONIOX_API_KEY/,
    ],
    ['a fallback that is not configured', { liveTranscriptionFallback: 'gladia' }, /FALLBACK is not one of/],
    [
      'the local engine without an address',
      { liveProviderAddresses: [] },
      /local needs an address in RAPPORTEUR_LIVE_PROVIDER_ADDRESSES/,
    ],
    [
      'a simulated provider without an address',
      { liveTranscriptionEngines: ['simulated-gladia'], liveTranscriptionFallback: undefined },
      /simulated-gladia needs an address/,
    ],
    [
      'a fallback that needs a language, which no request names for it',
      {
        liveTranscriptionEngines: ['deepgram', 'speechmatics'],
        liveTranscriptionFallback: 'speechmatics',
        liveSpeechmaticsApiKey: new Secret('b'),
      },
      /FALLBACK: speechmatics cannot be it\. The provider speechmatics detects no language/,
    ],
    ['an address without its provider', { liveProviderAddresses: ['canary'] }, /ADDRESSES: entry 1/],
  ])('refuse %s, without showing a value', (_what, over, words) => {
    expect(() => settings(over)).toThrow(words);
    expect(() => settings(over)).not.toThrow(/canary/);
  });
});

describe('a request for live transcription', () => {
  test('may name a provider that is configured, or any vendor with a key of its own', () => {
    expect(refusalOf({ provider: 'deepgram', region: 'global', custom_params: { model: 'nova-3' } })).toBeNull();
    expect(refusalOf({ provider: 'elevenlabs', api_key: 'own', region: 'in' })).toBeNull();
    expect(refusalOf({ provider: 'local' })).toBeNull();
  });

  test('means the first engine of the deployment where it names none', () => {
    expect(refusalOf({})).toBeNull();
    expect(refusalOf({ custom_params: { sample_rate: 1 } })).toMatchObject({ code: 'VALIDATION' });
  });

  test.each([
    ['a vendor without a key', { provider: 'gladia' }, 'transcription.provider', 'NOT_CONFIGURED_YET'],
    ['a provider of recordings only', { provider: 'openai-compatible' }, 'transcription.provider', 'VALIDATION'],
    ['a key for the local engine', { provider: 'local', api_key: 'x' }, 'transcription.api_key', 'VALIDATION'],
    ['a region that does not exist', { provider: 'deepgram', region: 'mars' }, 'transcription.region', 'VALIDATION'],
    [
      'the sample rate',
      { provider: 'deepgram', custom_params: { sample_rate: 1 } },
      'transcription.custom_params.sample_rate',
      'VALIDATION',
    ],
    [
      'no language, where the provider detects none in live audio',
      { provider: 'speechmatics', api_key: 'own' },
      'transcription.custom_params.language',
      'VALIDATION',
    ],
    [
      'no language with a model of one language',
      { provider: 'deepgram', custom_params: { model: 'enhanced' } },
      'transcription.custom_params.language',
      'VALIDATION',
    ],
  ])('is refused for %s', (_what, transcription, field, code) => {
    expect(refusalOf(transcription)).toMatchObject({ code, details: `streaming_config.${field}` });
  });

  test('is refused without a configuration, too, where the default provider needs a language', () => {
    const given = settings({
      liveTranscriptionEngines: ['speechmatics'],
      liveTranscriptionFallback: undefined,
      liveSpeechmaticsApiKey: new Secret('b'),
    });
    const streaming_config = { mode: 'transcription', output_url: 'wss://a.example' };
    const body = createBotBody.parse(createBody({ streaming_enabled: true, streaming_config }));
    expect(findUnusableLive(given, body)).toMatchObject({
      code: 'VALIDATION',
      details: 'streaming_config.transcription.custom_params.language',
    });
  });

  test('is refused where there is no live engine', () => {
    const none = settings({ liveTranscriptionEngines: [], liveTranscriptionFallback: undefined });
    expect(refusalOf({ provider: 'deepgram', api_key: 'own' }, none)).toMatchObject({
      code: 'NOT_CONFIGURED_YET',
      statusCode: 422,
      details: 'streaming_config.mode',
    });
  });
});
