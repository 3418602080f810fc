import { describe, expect, test } from '@jest/globals';
import { speechToText } from '../schema/create-bot-body.ts';
import { findUnusableTranscription, providerOf, readEngines } from './engines.ts';

const engines = readEngines(['local', 'deepgram']);
const refusalOf = (given: Record<string, unknown> | null, names: readonly string[] = engines) =>
  findUnusableTranscription(names, given === null ? null : speechToText.parse(given), 'transcription_config');

describe('a request to transcribe', () => {
  test('uses the first engine when it names none', () => {
    expect(providerOf(engines, null)).toBe('local');
    expect(refusalOf(null)).toBeNull();
  });

  test.each([{}, { custom_params: null }])('means the same by %j as by null: the first engine', (given) => {
    expect(providerOf(engines, speechToText.parse(given))).toBe('local');
    expect(refusalOf(given)).toBeNull();
    expect(refusalOf(given, [])).toMatchObject({ code: 'NOT_CONFIGURED_YET', details: 'transcription_enabled' });
  });

  test('is refused where there is no engine', () => {
    expect(refusalOf(null, [])).toMatchObject({ code: 'NOT_CONFIGURED_YET', statusCode: 422 });
  });

  test('may name a provider that is configured, or any vendor with a key of its own', () => {
    expect(refusalOf({ provider: 'deepgram' })).toBeNull();
    expect(refusalOf({ provider: 'gladia', api_key: 'own' })).toBeNull();
  });

  test("may name the meeting's own captions everywhere, with a provider of the deployment in their place", () => {
    expect(refusalOf({ provider: 'meeting_captions' }, [])).toBeNull();
    expect(
      refusalOf({ provider: 'meeting_captions', custom_params: { language: 'de' }, fallback: 'deepgram' }),
    ).toBeNull();
    expect(() => readEngines(['meeting_captions'])).toThrow('not a provider');
  });

  test("may have a parameter that is not known here, which is the vendor's to judge", () => {
    expect(refusalOf({ provider: 'deepgram', custom_params: { nonsense: 1, constructor: 'x' } })).toBeNull();
  });

  test.each([
    ['a fallback of another provider', { provider: 'deepgram', fallback: 'local' }, 'fallback', 'VALIDATION'],
    [
      'a fallback that is not of the deployment',
      { provider: 'meeting_captions', fallback: 'gladia' },
      'fallback',
      'VALIDATION',
    ],
    ['a key for captions', { provider: 'meeting_captions', api_key: 'x' }, 'api_key', 'VALIDATION'],
    ['a vendor without a key', { provider: 'gladia' }, 'provider', 'NOT_CONFIGURED_YET'],
    [
      'a server that is not configured',
      { provider: 'openai-compatible', api_key: 'x' },
      'provider',
      'NOT_CONFIGURED_YET',
    ],
    [
      'a simulated provider where no simulator runs, whatever key is given',
      { provider: 'simulated-deepgram', api_key: 'x' },
      'provider',
      'NOT_CONFIGURED_YET',
    ],
    ['a key for the local engine', { provider: 'local', api_key: 'x' }, 'api_key', 'VALIDATION'],
    ['a region that does not exist', { provider: 'deepgram', region: 'mars' }, 'region', 'VALIDATION'],
    ['a region where there is none', { provider: 'local', region: 'eu' }, 'region', 'VALIDATION'],
    [
      'the sample rate',
      { provider: 'deepgram', custom_params: { sample_rate: 1 } },
      'custom_params.sample_rate',
      'VALIDATION',
    ],
    [
      'an address for callbacks',
      { provider: 'deepgram', custom_params: { callback: 'x' } },
      'custom_params.callback',
      'VALIDATION',
    ],
    [
      'a parameter that the vendor has replaced',
      { provider: 'assemblyai', api_key: 'x', custom_params: { speech_model: 'best' } },
      'custom_params.speech_model',
      'VALIDATION',
    ],
    [
      'the form of the result, however it is written',
      { provider: 'deepgram', custom_params: { 'Callback[]': 'x' } },
      'custom_params.Callback[]',
      'VALIDATION',
    ],
    [
      'an unknown parameter of an engine of the deployment',
      { provider: 'local', custom_params: { nonsense: 1 } },
      'custom_params.nonsense',
      'VALIDATION',
    ],
    [
      'a parameter of the wrong type',
      { provider: 'deepgram', custom_params: { model: 1 } },
      'custom_params.model',
      'VALIDATION',
    ],
    [
      'what is no name of a parameter',
      { provider: 'deepgram', custom_params: { 'a b': 'x' } },
      'custom_params.a b',
      'VALIDATION',
    ],
  ])('is refused for %s, which it names', (_what, given, field, code) => {
    expect(refusalOf(given)).toMatchObject({ code, details: `transcription_config.${field}` });
  });

  test('takes the parameters of the provider', () => {
    const custom_params = { model: 'nova-3', keyterm: ['Rapporteur'], punctuate: true };
    expect(refusalOf({ provider: 'deepgram', region: 'global', custom_params })).toBeNull();
  });
});

test('a simulated provider is one of the engines, with the parameters and regions of its vendor', () => {
  const simulated = readEngines(['local', 'simulated-deepgram']);
  expect(refusalOf({ provider: 'simulated-deepgram', region: 'eu', api_key: 'own' }, simulated)).toBeNull();
  expect(refusalOf({ provider: 'simulated-deepgram', region: 'mars' }, simulated)).toMatchObject({
    code: 'VALIDATION',
  });
  expect(refusalOf({ provider: 'deepgram' }, simulated)).toMatchObject({
    message: expect.stringContaining('one of: local, simulated-deepgram.'),
  });
});

test('an engine that does not exist stops the start', () => {
  expect(() => readEngines(['whisper'])).toThrow('RAPPORTEUR_TRANSCRIPTION_ENGINES: whisper is not a provider.');
});
