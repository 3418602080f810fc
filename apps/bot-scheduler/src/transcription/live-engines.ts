import type { z } from 'zod';
import type { LiveEngine, LiveTranscription } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { Failure } from '@rapporteur/failures';
import type { SecretBox } from '@rapporteur/secret-box';
import { secret, withoutEndingSlashes } from '@rapporteur/service-runtime';
import type { Secret } from '@rapporteur/service-runtime';
import {
  findParameterProblem,
  isLiveProvider,
  isOfVendor,
  isSimulated,
  keyedLiveApis,
  keySettingOf,
  liveProviders,
  readByProvider,
  vendorAddress,
  withDefaults,
} from '@rapporteur/speech-to-text/settings';
import type { KeySetting, LiveProviderName } from '@rapporteur/speech-to-text/settings';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { findUnusableEngine, meetingCaptions } from './engines.ts';

/** Live transcription settings of this deployment. */
export interface LiveSettings {
  /** Empty: streaming mode `transcription` is refused. */
  readonly engines: readonly LiveProviderName[];
  /** Used when the requested provider fails permanently; null: none. */
  readonly fallback: LiveProviderName | null;
  readonly keys: ReadonlyMap<LiveProviderName, string>;
  /** Addresses that replace the vendors' own. */
  readonly addresses: ReadonlyMap<LiveProviderName, string>;
  /** Models that replace the current defaults. */
  readonly models: ReadonlyMap<LiveProviderName, string>;
}

export const noLiveEngines: LiveSettings = {
  engines: [],
  fallback: null,
  keys: new Map(),
  addresses: new Map(),
  models: new Map(),
};

type LiveKeySetting = `live${Capitalize<KeySetting<(typeof keyedLiveApis)[number]>>}`;

export function liveKeySettingOf(name: (typeof keyedLiveApis)[number]): LiveKeySetting {
  const setting = keySettingOf(name);
  return `live${setting.charAt(0).toUpperCase()}${setting.slice(1)}` as LiveKeySetting;
}

/** Settings for the keys of live providers: `liveGladiaApiKey` and so on. */
export const liveKeySettings = Object.fromEntries(
  keyedLiveApis.map((name) => [liveKeySettingOf(name), secret().optional()]),
) as Record<LiveKeySetting, z.ZodOptional<ReturnType<typeof secret>>>;

type LiveKeys = Readonly<Record<LiveKeySetting, Secret | undefined>>;
type LiveConfig = Partial<LiveKeys> & {
  readonly liveTranscriptionEngines: readonly string[];
  readonly liveTranscriptionFallback?: string | undefined;
  readonly liveProviderAddresses: readonly string[];
  readonly liveProviderModels: readonly string[];
};

/** Throws for an unknown provider, or when a provider lacks its required key. */
export function readLiveSettings(config: LiveConfig): LiveSettings {
  const engines = config.liveTranscriptionEngines.map((name) => readName('LIVE_TRANSCRIPTION_ENGINES', name));
  const given = config.liveTranscriptionFallback;
  const fallback = given === undefined ? null : readName('LIVE_TRANSCRIPTION_FALLBACK', given);
  const keys = readKeys(config);
  const { liveProviderAddresses, liveProviderModels } = config;
  const addresses = readByProvider(
    'LIVE_PROVIDER_ADDRESSES',
    liveProviderAddresses,
    isLiveProvider,
    withoutEndingSlashes,
  );
  const models = readByProvider('LIVE_PROVIDER_MODELS', liveProviderModels, isLiveProvider);
  if (fallback !== null && !engines.includes(fallback)) {
    throw new Error('RAPPORTEUR_LIVE_TRANSCRIPTION_FALLBACK is not one of RAPPORTEUR_LIVE_TRANSCRIPTION_ENGINES.');
  }
  const problem = fallback === null ? null : findParameterProblem(fallback, 'live', {}, models.get(fallback));
  if (problem !== null)
    throw new Error(`RAPPORTEUR_LIVE_TRANSCRIPTION_FALLBACK: ${fallback} cannot be it. ${problem.sentence}`);
  const homeless = engines.find((name) => !isOfVendor(name) && !addresses.has(name));
  if (homeless !== undefined) {
    throw new Error(
      `RAPPORTEUR_LIVE_TRANSCRIPTION_ENGINES: ${homeless} needs an address in RAPPORTEUR_LIVE_PROVIDER_ADDRESSES.`,
    );
  }
  const keyless = engines.find((name) => isOfVendor(name) && !keys.has(name));
  if (keyless !== undefined) {
    throw new Error(
      `RAPPORTEUR_LIVE_TRANSCRIPTION_ENGINES: ${keyless} needs a key in RAPPORTEUR_LIVE_${keyless.toUpperCase()}_API_KEY.`,
    );
  }
  return { engines, fallback, keys, addresses, models };
}

function readName(setting: string, name: string): LiveProviderName {
  if (isLiveProvider(name) && name !== meetingCaptions) return name;
  throw new Error(`RAPPORTEUR_${setting}: ${name} is not a live provider. Known: ${liveProviders.join(', ')}.`);
}

function readKeys(config: Partial<LiveKeys>): ReadonlyMap<LiveProviderName, string> {
  return new Map(
    keyedLiveApis.flatMap((name) => {
      const key = config[liveKeySettingOf(name)];
      return key === undefined ? [] : [[name, key.reveal()] as const];
    }),
  );
}

/** Why the requested live transcription cannot be used, as a failure, or null. */
export function findUnusableLive(
  { engines, models }: LiveSettings,
  { streaming_enabled, streaming_config }: Pick<CreateBotBody, 'streaming_enabled' | 'streaming_config'>,
): Failure | null {
  if (!streaming_enabled || streaming_config?.mode !== 'transcription') return null;
  return findUnusableEngine(
    {
      mode: 'live',
      engines,
      models,
      known: liveProviders,
      field: 'streaming_config.transcription',
      switchField: 'streaming_config.mode',
    },
    streaming_config.transcription,
  );
}

interface StoredChoice {
  readonly streaming_config?: {
    readonly transcription?: {
      readonly provider: string;
      readonly region?: string | null;
      readonly custom_params?: Record<string, unknown> | null;
    } | null;
  } | null;
}

export interface LiveAccessDependencies {
  readonly database: Executor;
  readonly box: SecretBox;
  readonly live: LiveSettings;
}

/** Live transcription settings of a runner; null: not requested. Contains the keys of this bot's providers only. */
export async function liveTranscriptionOf(
  { database, box, live }: LiveAccessDependencies,
  bot: BotRow,
): Promise<LiveTranscription | null> {
  if (bot.configuration.streaming_config?.mode !== 'transcription') return null;
  const choice = (bot.request as StoredChoice).streaming_config?.transcription ?? null;
  const provider = choice?.provider ?? live.engines[0] ?? '';
  const ownKey = await readSecret({ database, box }, { teamId: bot.team_id, botId: bot.id }, 'streaming_api_key');
  const engines: LiveEngine[] = [];
  if (isLiveProvider(provider)) {
    const chosen = engineOf(live, provider, choice?.region ?? null, choice?.custom_params ?? {});
    engines.push({ ...chosen, apiKey: ownKey ?? chosen.apiKey });
  }
  if (live.fallback !== null && live.fallback !== provider) engines.push(engineOf(live, live.fallback, null));
  return engines.length === 0 ? null : { engines, extra: bot.extra };
}

function engineOf(
  { keys, addresses, models }: LiveSettings,
  provider: LiveProviderName,
  region: string | null,
  customParams: Readonly<Record<string, unknown>> = {},
): LiveEngine {
  const address = addresses.get(provider) ?? vendorAddress(provider, 'live', region) ?? '';
  return {
    provider,
    region,
    address,
    apiKey: keys.get(provider) ?? (isSimulated(provider) ? 'simulated' : null),
    customParams: withDefaults(provider, 'live', customParams, models.get(provider)),
  };
}
