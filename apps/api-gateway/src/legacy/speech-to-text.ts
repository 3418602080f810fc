import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import type { components } from '@rapporteur/contracts/public-api';
import { invalid } from '@rapporteur/service-runtime';

type SpeechToText = NonNullable<LegacyComponents['schemas']['SpeechToText']>;
type Provider = LegacyComponents['schemas']['SpeechToTextProvider'];
type TranscriptionConfig = NonNullable<components['schemas']['TranscriptionConfig']>;

/** Null: not offered; undefined: the deployment's default. Audio is sent to the requested provider only. */
const identifiers = {
  Gladia: 'gladia',
  Default: undefined,
  Runpod: null,
} as const satisfies Record<Provider, TranscriptionConfig['provider'] | null>;

export function speechToTextOf(given: SpeechToText): TranscriptionConfig {
  const { provider: name, api_key = null } = typeof given === 'string' ? { provider: given } : given;
  const provider = identifiers[name];
  if (provider === null) {
    throw invalid('speech_to_text', `${name} is not offered. Use Gladia or Default.`, 'NOT_CONFIGURED_YET');
  }
  return {
    ...(provider === undefined ? {} : { provider }),
    api_key,
    region: null,
    fallback: null,
    custom_params: null,
  };
}

/** The legacy name of a provider; providers without one keep their v2 identifier. */
export function legacyProviderOf(identifier: string): string {
  return identifier === identifiers.Gladia ? 'Gladia' : identifier;
}
