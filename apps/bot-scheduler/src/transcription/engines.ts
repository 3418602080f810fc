import type { CreateBotBody } from '../admission/create-bot-body.ts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import {
  batchProviders,
  findParameterProblem,
  isBatchProvider,
  isLiveProvider,
  regionsOf,
} from '@rapporteur/speech-to-text/settings';
import type { ProviderName } from '@rapporteur/speech-to-text/settings';

type TranscriptionConfig = NonNullable<CreateBotBody['transcription_config']>;

/** Providers that this deployment has keys for, the default first; empty: it does not transcribe. */
export type TranscriptionEngines = readonly string[];

/** Throws when a name is not a provider's. */
export function readEngines(names: readonly string[]): TranscriptionEngines {
  const unknown = names.find((name) => !isBatchProvider(name));
  if (unknown === undefined) return names;
  throw new Error(
    `RAPPORTEUR_TRANSCRIPTION_ENGINES: ${unknown} is not a provider. Known: ${batchProviders.join(', ')}.`,
  );
}

/** The provider of a request that names none. */
export function providerOf(engines: TranscriptionEngines, config: TranscriptionConfig | null): string {
  return config?.provider ?? engines[0] ?? 'gladia';
}

/** Why this deployment cannot transcribe so, as the failure to respond with, or null. `field` names the configuration. */
export function findUnusableTranscription(
  engines: TranscriptionEngines,
  config: TranscriptionConfig | null,
  field: string,
): Failure | null {
  const place = {
    mode: 'batch',
    engines,
    known: batchProviders,
    field,
    switchField: '/body/transcription_enabled',
  } as const;
  return findUnusableEngine(place, config);
}

export interface EnginePlace {
  readonly mode: 'batch' | 'live';
  /** Those of the deployment. */
  readonly engines: readonly string[];
  /** All there are. */
  readonly known: readonly string[];
  /** Names the configuration in responses. */
  readonly field: string;
  /** Names the setting that turns transcription on. */
  readonly switchField: string;
}

/** Why this deployment cannot use an engine so, as the failure to respond with, or null. */
export function findUnusableEngine(place: EnginePlace, config: TranscriptionConfig | null): Failure | null {
  const { mode, engines, known, field, switchField } = place;
  if (engines.length === 0) {
    const kind = mode === 'live' ? 'live speech-to-text engine' : 'speech-to-text engine';
    const message = `This deployment has no ${kind}: ${switchField.split('/').at(-1)} cannot be used so, nothing would transcribe.`;
    return fail('NOT_CONFIGURED_YET', { message, details: switchField });
  }
  if (config === null) return null;
  const { provider, api_key, region, custom_params } = config;
  const refuse = (part: string, sentence: string): Failure =>
    fail('VALIDATION', { message: `${field}/${part}: ${sentence}`, details: `${field}/${part}` });
  if (!isProvider(provider) || !known.includes(provider)) {
    return refuse('provider', `It must be one of: ${known.join(', ')}.`);
  }
  const takesOwnKey = provider !== 'local' && provider !== 'openai-compatible';
  if (!engines.includes(provider) && (api_key === null || !takesOwnKey)) {
    const hint = takesOwnKey ? 'Send an api_key, or use' : 'Use';
    const message = `This deployment is not configured for ${provider}. ${hint} one of: ${engines.join(', ')}.`;
    return fail('NOT_CONFIGURED_YET', { message, details: `${field}/provider` });
  }
  if (api_key !== null && !takesOwnKey) return refuse('api_key', `The provider ${provider} takes no key.`);
  const regions = regionsOf(provider, mode);
  if (region !== null && !regions.includes(region)) {
    const offered = regions.length === 0 ? 'it has none' : `known: ${regions.join(', ')}`;
    return refuse('region', `The provider ${provider} has no such region; ${offered}.`);
  }
  const problem = findParameterProblem(provider, mode, custom_params);
  if (problem === null) return null;
  return refuse(['custom_params', problem.parameter].filter(Boolean).join('/'), problem.sentence);
}

function isProvider(name: string): name is ProviderName {
  return isBatchProvider(name) || isLiveProvider(name);
}
