/** One provider of speech-to-text. */
interface ProviderDescriptor {
  /** Recordings; live audio. A member that is set: the provider has this mode. */
  readonly batch?: ProviderModeDescriptor;
  readonly live?: ProviderModeDescriptor;
  /**
   * vendor: takes a key of the deployment or of the customer. deployment: a server of the operator; a key is optional.
   * meeting: no key and no address.
   */
  readonly owner: 'vendor' | 'deployment' | 'meeting';
}

interface ProviderModeDescriptor {
  /** Region to base address; the first is the default, and an empty name means "no region". Empty: the operator names the address. */
  readonly regions: Readonly<Record<string, string>>;
  /** Recordings: what one request may hold. Omitted: nothing is known. */
  readonly limits?: Partial<BatchLimits>;
  /** The parameter that names the model, and the current default; null: the vendor's own. Omitted: there is no choice. */
  readonly model?: { readonly parameter: string; readonly current: string | readonly string[] | null };
  /**
   * Audio without a named language: the value for several languages, and the models that have it; null: a language is
   * needed. Omitted: the provider detects it.
   */
  readonly severalLanguages?: { readonly value: string; readonly models: RegExp } | null;
}

/** The longest audio of one request. */
export interface BatchLimits {
  readonly minutes: number;
  readonly bytes: number;
}

const hosts = (regions: readonly string[], addressOf: (region: string) => string) =>
  Object.fromEntries(regions.map((region) => [region, addressOf(region)]));
const named = (parameter: string, current: string | readonly string[] | null) => ({ parameter, current });

const noRegions = { regions: {} };

/** Every provider. Its two adapters are in `create-batch-provider.ts` and `open-live-session.ts`. */
const descriptors = {
  gladia: {
    owner: 'vendor',
    batch: {
      regions: { '': 'https://api.gladia.io' },
      limits: { minutes: 135, bytes: 1_000_000_000 },
      model: named('model', null),
    },
    live: { regions: hosts(['eu-west', 'us-west'], () => 'https://api.gladia.io'), model: named('model', null) },
  },
  deepgram: {
    owner: 'vendor',
    batch: {
      regions: { eu: 'https://api.eu.deepgram.com', global: 'https://api.deepgram.com' },
      limits: { bytes: 2_000_000_000 },
      model: named('model', 'nova-3'),
    },
    live: {
      regions: { eu: 'wss://api.eu.deepgram.com', global: 'wss://api.deepgram.com' },
      model: named('model', 'nova-3'),
      severalLanguages: { value: 'multi', models: /^nova-[23](-general)?$/ },
    },
  },
  assemblyai: {
    owner: 'vendor',
    batch: {
      regions: { eu: 'https://api.eu.assemblyai.com', us: 'https://api.assemblyai.com' },
      limits: { minutes: 600, bytes: 2_200_000_000 },
      // The second one for the languages that the first does not have.
      model: named('speech_models', ['assemblyai-stt-3-7', 'universal-2']),
    },
    live: {
      regions: { eu: 'wss://streaming.eu.assemblyai.com', us: 'wss://streaming.assemblyai.com' },
      model: named('speech_model', 'universal-3-6-pro'),
    },
  },
  speechmatics: {
    owner: 'vendor',
    batch: {
      regions: hosts(['eu1', 'us1', 'au1'], (region) => `https://${region}.asr.api.speechmatics.com`),
      limits: { bytes: 1_000_000_000 },
      model: named('model', 'standard'),
    },
    live: {
      regions: hosts(['eu', 'us', 'global'], (region) => `wss://${region}.rt.speechmatics.com`),
      model: named('model', 'standard'),
      severalLanguages: null,
    },
  },
  soniox: {
    owner: 'vendor',
    batch: {
      regions: {
        us: 'https://api.soniox.com',
        eu: 'https://api.eu.soniox.com',
        jp: 'https://api.jp.soniox.com',
      },
      limits: { minutes: 300 },
      model: named('model', 'stt-async-v5'),
    },
    live: {
      regions: {
        us: 'wss://stt-rt.soniox.com',
        eu: 'wss://stt-rt.eu.soniox.com',
        jp: 'wss://stt-rt.jp.soniox.com',
      },
      model: named('model', 'stt-rt-v5'),
    },
  },
  elevenlabs: {
    owner: 'vendor',
    live: {
      regions: {
        global: 'wss://api.elevenlabs.io',
        us: 'wss://api.us.elevenlabs.io',
        eu: 'wss://api.eu.residency.elevenlabs.io',
        in: 'wss://api.in.residency.elevenlabs.io',
      },
      model: named('model_id', 'scribe_v2_realtime'),
    },
  },
  // OpenAI's own limit, which servers of its form have as well.
  'openai-compatible': {
    owner: 'deployment',
    batch: { regions: {}, limits: { bytes: 25_000_000 }, model: named('model', 'whisper-1') },
  },
  local: { owner: 'deployment', batch: { regions: {}, model: named('model', 'whisper-1') }, live: noRegions },
  meeting_captions: { owner: 'meeting', batch: noRegions, live: noRegions },
} as const satisfies Readonly<Record<string, ProviderDescriptor>>;

type Descriptors = typeof descriptors;
type NamesOf<Wanted> = {
  [Name in keyof Descriptors]: Descriptors[Name] extends Wanted ? Name : never;
}[keyof Descriptors];
const namesOf = <Name>(has: (descriptor: ProviderDescriptor) => boolean): readonly Name[] =>
  Object.entries(descriptors).flatMap(([name, descriptor]) => (has(descriptor) ? [name as Name] : []));

export type BatchApi = NamesOf<{ readonly batch: object }>;
export type LiveApi = NamesOf<{ readonly live: object }>;
type BatchVendor = NamesOf<{ readonly batch: object; readonly owner: 'vendor' }>;
type LiveVendor = NamesOf<{ readonly live: object; readonly owner: 'vendor' }>;
/** A server of the operator. */
export type DeploymentApi = NamesOf<{ readonly owner: 'deployment' }>;

/** The providers of recorded audio, and of live audio. */
export const batchProviders = namesOf<BatchApi>(({ batch }) => batch !== undefined);
export const liveProviders = namesOf<LiveApi>(({ live }) => live !== undefined);
/** Those with their own key; the simulator implements each as `simulated-<vendor>`. */
export const batchVendors = namesOf<BatchVendor>(({ batch, owner }) => batch !== undefined && owner === 'vendor');
export const liveVendors = namesOf<LiveVendor>(({ live, owner }) => live !== undefined && owner === 'vendor');

/** APIs that may have a key. */
export type KeyedApi = NamesOf<{ readonly owner: 'vendor' | 'deployment' }>;
export const keyedBatchApis = namesOf<BatchApi & KeyedApi>(
  ({ batch, owner }) => batch !== undefined && owner !== 'meeting',
);
export const keyedLiveApis = namesOf<LiveApi & KeyedApi>(
  ({ live, owner }) => live !== undefined && owner !== 'meeting',
);

export type BatchProviderName = BatchApi | Simulated<BatchVendor>;
export type LiveProviderName = LiveApi | Simulated<LiveVendor>;

/**
 * The simulator's fake of a vendor: another provider with the same API, which works only where its address is
 * configured.
 */
export type Simulated<Name extends string> = `simulated-${Name}`;
/** The provider by whose API one is served: for a simulated one the vendor, else itself. */
export type ApiOf<Name extends string> = Name extends Simulated<infer Vendor> ? Vendor : Name;

const simulatedStart = 'simulated-' as const;

export function isSimulated(name: string): boolean {
  return name.startsWith(simulatedStart);
}

export function simulatedNameOf<Name extends BatchVendor | LiveVendor>(vendor: Name): Simulated<Name> {
  return `${simulatedStart}${vendor}`;
}

/** The provider whose API and settings `name` has: for a simulated one the vendor, else itself. */
export function apiOf<Name extends ProviderName>(name: Name): ApiOf<Name> {
  return nameBehind(name) as ApiOf<Name>;
}

function nameBehind(name: string): string {
  return isSimulated(name) ? name.slice(simulatedStart.length) : name;
}

export type ProviderName = BatchProviderName | LiveProviderName;
export type ProviderMode = 'batch' | 'live';

export function isBatchProvider(name: string): name is BatchProviderName {
  const vendors: readonly string[] = batchVendors;
  return isSimulated(name) ? vendors.includes(nameBehind(name)) : (batchProviders as readonly string[]).includes(name);
}

export function isLiveProvider(name: string): name is LiveProviderName {
  const vendors: readonly string[] = liveVendors;
  return isSimulated(name) ? vendors.includes(nameBehind(name)) : (liveProviders as readonly string[]).includes(name);
}

/** Undefined: the provider does not have the mode. */
export function modeOf(provider: ProviderName, mode: ProviderMode): ProviderModeDescriptor | undefined {
  const descriptor: ProviderDescriptor = descriptors[apiOf(provider)];
  return descriptor[mode];
}

/** What one request of a provider may hold; Infinity: no limit is known. */
export function batchLimitsOf(provider: BatchProviderName): BatchLimits {
  return { minutes: Infinity, bytes: Infinity, ...modeOf(provider, 'batch')?.limits };
}

/** A provider of the deployment: its address is a setting, and a key is optional. */
export function isOfDeployment(name: ProviderName): name is DeploymentApi {
  return !isSimulated(name) && descriptors[apiOf(name)].owner === 'deployment';
}

/** A vendor's own service, which requires a key. */
export function isOfVendor(name: ProviderName): boolean {
  return !isSimulated(name) && descriptors[apiOf(name)].owner === 'vendor';
}

/** Name of the setting with the deployment's key: `openaiCompatibleApiKey`. */
export type KeySetting<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Rest>}ApiKey`
  : `${Name}ApiKey`;

export function keySettingOf<Name extends string>(name: Name): KeySetting<Name> {
  return `${name.replace(/-(.)/, (_dash, letter: string) => letter.toUpperCase())}ApiKey` as KeySetting<Name>;
}

/** Regions that a request may name; empty: the provider has none. */
export function regionsOf(provider: ProviderName, mode: ProviderMode): string[] {
  return Object.keys(modeOf(provider, mode)?.regions ?? {}).filter((region) => region !== '');
}

/** Null: the provider has no regions. */
export function defaultRegion(provider: ProviderName, mode: ProviderMode): string | null {
  return regionsOf(provider, mode)[0] ?? null;
}

/** The vendor's address; null for a provider of the deployment, and for a simulated one. Throws for a region that does not exist. */
export function vendorAddress(provider: ProviderName, mode: ProviderMode, region: string | null): string | null {
  if (isSimulated(provider)) return null;
  const known = modeOf(provider, mode)?.regions;
  if (known === undefined || Object.keys(known).length === 0) return null;
  const address = known[region ?? defaultRegion(provider, mode) ?? ''];
  if (address === undefined) throw new Error(`The provider ${provider} has no region ${region ?? ''}.`);
  return address;
}

/** Entries `provider=value` of a setting. The message of a wrong one has no value: an address may contain a token. */
export function readByProvider<Name extends ProviderName>(
  setting: string,
  entries: readonly string[],
  isName: (name: string) => name is Name,
  clean: (value: string) => string = (value) => value,
): ReadonlyMap<Name, string> {
  return new Map(
    entries.map((entry, index) => {
      const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/.exec(entry) ?? [];
      if (isName(name)) return [name, clean(value)] as const;
      throw new Error(`RAPPORTEUR_${setting}: entry ${index + 1} is not of the form provider=value.`);
    }),
  );
}
