import type { CreateBotBody } from '../schema/create-bot-body.ts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import {
  batchProviders,
  findParameterProblem,
  isBatchProvider,
  isLiveProvider,
  isOfVendor,
  isSimulated,
  regionsOf,
} from '@rapporteur/speech-to-text/settings';
import type { ProviderName } from '@rapporteur/speech-to-text/settings';
import { invalid } from '@rapporteur/service-runtime';

type TranscriptionConfig = NonNullable<CreateBotBody['transcription_config']>;

/** Providers with a configured key, the default first; empty: no transcription. */
export type TranscriptionEngines = readonly string[];

/** Throws for an unknown provider. */
export function readEngines(names: readonly string[]): TranscriptionEngines {
  const unknown = names.find((name) => !isBatchProvider(name) || name === meetingCaptions);
  if (unknown === undefined) return names;
  throw new Error(
    `RAPPORTEUR_TRANSCRIPTION_ENGINES: ${unknown} is not a provider. Known: ${batchProviders.join(', ')}.`,
  );
}

/** The provider of a request that names none. */
export function providerOf(engines: TranscriptionEngines, config: TranscriptionConfig | null): string {
  return config?.provider ?? engines[0] ?? 'gladia';
}

/** The meeting's own captions, which the bot reads; no provider of the deployment is needed. */
export const meetingCaptions = 'meeting_captions';

/** Why this deployment cannot transcribe with this configuration, as a failure, or null. `field` names it. */
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
    switchField: 'transcription_enabled',
  } as const;
  return findUnusableEngine(place, config) ?? findUnusableFallback(engines, config, field);
}

function findUnusableFallback(
  engines: TranscriptionEngines,
  config: TranscriptionConfig | null,
  field: string,
): Failure | null {
  if (config === null || config.fallback === null) return null;
  const refuse = (sentence: string): Failure => invalid(`${field}.fallback`, sentence);
  if (config.provider !== meetingCaptions) return refuse(`Only the provider ${meetingCaptions} takes a fallback.`);
  if (engines.includes(config.fallback)) return null;
  return refuse(`It must be one of this deployment: ${engines.join(', ') || 'there is none'}.`);
}

export interface EnginePlace {
  readonly mode: 'batch' | 'live';
  /** Providers of the deployment. */
  readonly engines: readonly string[];
  /** Models of the deployment. */
  readonly models?: ReadonlyMap<string, string>;
  /** All supported providers. */
  readonly known: readonly string[];
  /** Field of the configuration, for messages. */
  readonly field: string;
  /** Field that enables transcription, for messages. */
  readonly switchField: string;
}

const defaultConfig = { api_key: null, region: null, custom_params: null };

/** Why this deployment cannot use an engine with this configuration, as a failure, or null. */
export function findUnusableEngine(place: EnginePlace, config: TranscriptionConfig | null): Failure | null {
  const { mode, engines, models, known, field, switchField } = place;
  const isCaptions = config?.provider === meetingCaptions;
  if (engines.length === 0 && !isCaptions) {
    const kind = mode === 'live' ? 'live speech-to-text engine' : 'speech-to-text engine';
    const message = `This deployment has no ${kind}: ${switchField.split('.').at(-1)} cannot be used so, nothing would transcribe.`;
    return fail('NOT_CONFIGURED_YET', { message, details: switchField });
  }
  const { api_key, region, custom_params } = config ?? defaultConfig;
  const provider = providerOf(engines, config);
  const refuse = (part: string, sentence: string): Failure => invalid(`${field}.${part}`, sentence);
  const offered = new Set([...known, ...engines]);
  if (!isProvider(provider) || (!offered.has(provider) && !isSimulated(provider))) {
    return refuse('provider', `It must be one of: ${[...offered].join(', ')}.`);
  }
  // A simulated provider accepts a key, and requires a simulator.
  const canUseOwnKey = isOfVendor(provider);
  const takesOwnKey = canUseOwnKey || isSimulated(provider);
  if (!engines.includes(provider) && !isCaptions && (api_key === null || !canUseOwnKey)) {
    const hint = canUseOwnKey ? 'Send an api_key, or use' : 'Use';
    const message = `This deployment is not configured for ${provider}. ${hint} one of: ${engines.join(', ')}.`;
    return fail('NOT_CONFIGURED_YET', { message, details: `${field}.provider` });
  }
  if (api_key !== null && !takesOwnKey) return refuse('api_key', `The provider ${provider} takes no key.`);
  const regions = regionsOf(provider, mode);
  if (region !== null && !regions.includes(region)) {
    const choice = regions.length === 0 ? 'it has none' : `known: ${regions.join(', ')}`;
    return refuse('region', `The provider ${provider} has no such region; ${choice}.`);
  }
  const problem = findParameterProblem(provider, mode, custom_params, models?.get(provider));
  if (problem === null) return null;
  return refuse(['custom_params', problem.parameter].filter(Boolean).join('.'), problem.sentence);
}

function isProvider(name: string): name is ProviderName {
  return isBatchProvider(name) || isLiveProvider(name);
}
