const batchVendors = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox'] as const;
const liveVendors = [...batchVendors, 'elevenlabs'] as const;

/**
 * The providers of recorded audio. `openai-compatible` and `local` belong to the deployment, `meeting_captions` to the meeting, the
 * others to their vendors.
 */
export const batchProviders = [...batchVendors, 'openai-compatible', 'local', 'meeting_captions'] as const;
export type BatchProviderName = (typeof batchProviders)[number] | Simulated<(typeof batchVendors)[number]>;

/** The providers of live audio. */
export const liveProviders = [...liveVendors, 'local', 'meeting_captions'] as const;
export type LiveProviderName = (typeof liveProviders)[number] | Simulated<(typeof liveVendors)[number]>;

/**
 * The simulator's fake of a vendor: another provider with the same API, which works only where its address is
 * configured.
 */
export type Simulated<Name extends string> = `simulated-${Name}`;
/** The provider by whose API one is served: for a simulated one the vendor, else itself. */
export type ApiOf<Name extends string> = Name extends Simulated<infer Vendor> ? Vendor : Name;
export type BatchApi = ApiOf<BatchProviderName>;
export type LiveApi = ApiOf<LiveProviderName>;

const simulatedStart = 'simulated-';

export function isSimulated(name: string): boolean {
  return name.startsWith(simulatedStart);
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

interface Regions {
  /** Region to base address; the first is the default. */
  readonly batch: Readonly<Record<string, string>>;
  readonly live: Readonly<Record<string, string>>;
}

const gladia = 'https://api.gladia.io';

const speechmatics = (host: string, protocol: string) =>
  Object.fromEntries(['eu1', 'eu2', 'us1', 'us2', 'au1'].map((region) => [region, `${protocol}://${region}.${host}`]));

/** Vendors' addresses by region; an empty name means "no region". */
const regions: Readonly<Partial<Record<BatchApi | LiveApi, Regions>>> = {
  gladia: { batch: { '': gladia }, live: { 'eu-west': gladia, 'us-west': gladia } },
  deepgram: {
    batch: { eu: 'https://api.eu.deepgram.com', global: 'https://api.deepgram.com' },
    live: { eu: 'wss://api.eu.deepgram.com', global: 'wss://api.deepgram.com' },
  },
  assemblyai: {
    batch: { eu: 'https://api.eu.assemblyai.com', us: 'https://api.assemblyai.com' },
    live: { eu: 'wss://streaming.eu.assemblyai.com', us: 'wss://streaming.assemblyai.com' },
  },
  speechmatics: {
    batch: speechmatics('asr.api.speechmatics.com', 'https'),
    live: speechmatics('rt.speechmatics.com', 'wss'),
  },
  soniox: {
    batch: {
      us: 'https://api.soniox.com',
      eu: 'https://api.eu.soniox.com',
      jp: 'https://api.jp.soniox.com',
    },
    live: {
      us: 'wss://stt-rt.soniox.com',
      eu: 'wss://stt-rt.eu.soniox.com',
      jp: 'wss://stt-rt.jp.soniox.com',
    },
  },
  elevenlabs: {
    batch: {},
    live: {
      global: 'wss://api.elevenlabs.io',
      us: 'wss://api.us.elevenlabs.io',
      eu: 'wss://api.eu.residency.elevenlabs.io',
      in: 'wss://api.in.residency.elevenlabs.io',
    },
  },
};

/** Regions that a request may name; empty: the provider has none. */
export function regionsOf(provider: ProviderName, mode: ProviderMode): string[] {
  return Object.keys(regions[apiOf(provider)]?.[mode] ?? {}).filter((region) => region !== '');
}

/** Null: the provider has no regions. */
export function defaultRegion(provider: ProviderName, mode: ProviderMode): string | null {
  return regionsOf(provider, mode)[0] ?? null;
}

/** The vendor's address; null for a provider of the deployment, and for a simulated one. Throws for a region that does not exist. */
export function vendorAddress(provider: ProviderName, mode: ProviderMode, region: string | null): string | null {
  if (isSimulated(provider)) return null;
  const known = regions[apiOf(provider)]?.[mode];
  if (known === undefined) return null;
  const address = known[region ?? defaultRegion(provider, mode) ?? ''];
  if (address === undefined) throw new Error(`The provider ${provider} has no region ${region ?? ''}.`);
  return address;
}
