import { describe, expect, test } from '@jest/globals';
import { OutboundFailure } from '@rapporteur/outbound-http';
import { vendorRules } from '@rapporteur/simulator/speech-providers';
import type { SimulatedProvider } from '@rapporteur/simulator/speech-providers';
import { createBatchProvider } from '../create-batch-provider.ts';
import { findParameterProblem, withDefaults } from '../custom-params.ts';
import { openLiveSession } from '../open-live-session.ts';
import { batchVendors, defaultRegion, liveVendors, modeOf, regionsOf, vendorAddress } from '../providers.ts';
import type { ProviderMode } from '../providers.ts';
import { audioOf } from '../testing/batch-suite.ts';

const regions = (name: (typeof batchVendors)[number] | (typeof liveVendors)[number], mode: ProviderMode) => {
  const known = regionsOf(name, mode);
  return known.length === 0 ? [null] : known;
};
const batch = batchVendors.map((name) => ({ name, mode: 'batch' as const }));
const live = liveVendors.map((name) => ({ name, mode: 'live' as const }));

/** Notes addresses, and reaches none. */
function unreachable() {
  const urls: URL[] = [];
  const reach = async ({ url }: { readonly url: string }): Promise<never> => {
    urls.push(new URL(url));
    throw new OutboundFailure('connect', 'Nothing is called in this test.', 'test');
  };
  return { urls, http: { request: reach, connectSocket: reach } };
}

describe('the table of providers against the documents of the vendors', () => {
  test.each(batch)('calls documented hosts of $name, and all of them', async ({ name, mode }) => {
    const { urls, http } = unreachable();
    for (const region of regions(name, mode)) {
      const baseUrl = vendorAddress(name, mode, region) ?? '';
      const provider = createBatchProvider(name, { http, baseUrl, apiKey: 'k', customParams: {} });
      const audio = audioOf(Buffer.from('audio'));
      const work = { reference: 'r', audio, upload: 'u', callbackUrl: null, speakers: 'one' } as const;
      await expect(provider.submit(work)).rejects.toMatchObject({ kind: 'temporary' });
    }
    expect(urls.every(({ protocol }) => protocol === 'https:')).toBe(true);
    expect(new Set(urls.map(({ host }) => host))).toEqual(new Set(vendorRules[name].batch?.hosts));
  });

  test.each(live)('connects to documented hosts of $name, and to all of them', async ({ name, mode }) => {
    const { urls, http } = unreachable();
    for (const region of regions(name, mode)) {
      const baseUrl = vendorAddress(name, mode, region) ?? '';
      const access = { connections: http, baseUrl, apiKey: 'k', region, customParams: {}, onEvent: () => undefined };
      await expect(openLiveSession(name, access)).rejects.toMatchObject({ kind: 'temporary' });
    }
    expect(urls.every(({ protocol }) => protocol === (name === 'gladia' ? 'https:' : 'wss:'))).toBe(true);
    expect(new Set(urls.map(({ host }) => host))).toEqual(new Set(vendorRules[name].live?.hosts));
  });

  test.each([...batch, ...live])(
    'refuses retired parameters of $name in mode $mode, and names others',
    ({ name, mode }) => {
      const { retired = [] } = vendorRules[name as SimulatedProvider][mode] ?? {};
      const sentences = retired.map(
        (one) => findParameterProblem(name, mode, { language: 'en', [one]: 'x' })?.sentence,
      );
      expect(sentences).toEqual(retired.map(() => expect.stringMatching(/has replaced it\. Use \w+\./)));
    },
  );

  test.each([...batch, ...live])('names a current model of $name in mode $mode', ({ name, mode }) => {
    const { parameter, current } = modeOf(name, mode)?.model ?? { parameter: '', current: null };
    const { models } = vendorRules[name as SimulatedProvider][mode] ?? {};
    expect(parameter).toBe(models?.parameter);
    for (const model of [current ?? []].flat()) expect(models?.names).toContain(model);
    expect(defaultRegion(name, mode)).not.toBe('');
  });
});

describe('the model of a request', () => {
  test("is the request's, else the deployment's, else the current default", () => {
    expect(withDefaults('soniox', 'batch', { model: 'own' }, 'chosen')).toEqual({ model: 'own' });
    expect(withDefaults('soniox', 'batch', {}, 'chosen')).toEqual({ model: 'chosen' });
    expect(withDefaults('soniox', 'batch', {})).toEqual({ model: 'stt-async-v5' });
    expect(withDefaults('assemblyai', 'batch', {}, 'one+two')).toEqual({ speech_models: ['one', 'two'] });
    expect(withDefaults('gladia', 'batch', {})).toEqual({});
  });

  test('has several languages where the vendor has them, else a language is needed', () => {
    expect(withDefaults('deepgram', 'live', {})).toEqual({ model: 'nova-3', language: 'multi' });
    expect(withDefaults('deepgram', 'live', { language: 'de' })).toEqual({ model: 'nova-3', language: 'de' });
    expect(findParameterProblem('deepgram', 'live', { model: 'enhanced' })?.parameter).toBe('language');
    expect(findParameterProblem('deepgram', 'live', {}, 'enhanced')?.parameter).toBe('language');
    expect(findParameterProblem('deepgram', 'live', { model: 'enhanced', language: 'de' })).toBeNull();
    expect(findParameterProblem('speechmatics', 'batch', null)).toBeNull();
  });
});
