import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { bundlePage, pageFolderName } from '@rapporteur/packer';
import { batchVendors, liveVendors, simulatedNameOf } from '@rapporteur/speech-to-text/providers';
import { findChromium } from './chromium.ts';
import type { ChildDefinition } from './child-service.ts';
import type { DataFolder } from './data-folder.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import type { StackOptions } from './options.ts';
import { givenEngines, simulatedClients } from './given-settings.ts';
import type { GivenSettings } from './given-settings.ts';

/** The simulator's description of itself on its control port. */
export interface SimulatorFacts {
  readonly httpsPort: number;
  readonly hostResolverRules: string;
  readonly certificateSpki: string;
  /** The Meeting SDK app of simulated Zoom meetings. */
  readonly sdkApp: { readonly key: string; readonly secret: string };
  /** Host, with port, of the links to each simulated platform. */
  readonly linkHosts: Readonly<Record<string, string>>;
}

export interface StackDependencies {
  readonly root: string;
  readonly folder: DataFolder;
  readonly ports: Readonly<Record<string, number>>;
  readonly options: StackOptions;
  readonly given: GivenSettings;
  readonly servers: EmbeddedServers;
  /** The simulator's, once it runs; null without one. */
  readonly simulator: Promise<SimulatorFacts | null>;
  /** The main file of an app, packed or from its sources. */
  readonly entryOf: (app: string) => Promise<string>;
}

/** One app on this machine. A new app needs only an entry in `services`. */
export interface LocalService {
  /** Name of its folder below `apps`. */
  readonly name: string;
  /** Names of the ports that it listens on; `urlOf(parts, name)` is the address of one. */
  readonly ports: readonly string[];
  readonly usesBus: boolean;
  /** It encrypts stored data: it gets a key of its own as SECRET_KEY. */
  readonly hasSecretKey: boolean;
  readonly settings: (dependencies: StackDependencies) => Record<string, string> | Promise<Record<string, string>>;
  /** Runs before each start of it. */
  readonly prepare?: (dependencies: StackDependencies) => Promise<void>;
  /** In place of the usual ones. */
  readonly nodeArguments?: readonly string[];
  /** How long it may take to stop; default 25 000. */
  readonly stopMs?: number;
}

/** Reverse order of stopping: the scheduler finishes its bots while the others respond. */
export const services: readonly LocalService[] = [
  {
    name: 'storage-config',
    ports: ['files', 'filesAdmin'],
    usesBus: false,
    hasSecretKey: true,
    settings: storageSettings,
  },
  { name: 'delivery', ports: ['delivery'], usesBus: true, hasSecretKey: true, settings: deliverySettings },
  { name: 'sso-idp', ports: ['ssoIdp'], usesBus: true, hasSecretKey: true, settings: ssoSettings },
  {
    name: 'calendar-sync',
    ports: ['calendarSync'],
    usesBus: true,
    hasSecretKey: true,
    settings: calendarSettings,
    // A page of events allocates megabytes of short-lived objects: with a smaller young generation garbage collection
    // takes most of its CPU.
    nodeArguments: ['--max-semi-space-size=32', '--optimize-for-size'],
  },
  {
    name: 'console',
    ports: ['console'],
    usesBus: false,
    hasSecretKey: true,
    settings: consoleSettings,
    prepare: buildConsolePage,
  },
  { name: 'api-gateway', ports: ['api', 'admin'], usesBus: true, hasSecretKey: false, settings: gatewaySettings },
  {
    name: 'transcriber',
    ports: ['transcriber', 'webhooks'],
    usesBus: true,
    hasSecretKey: false,
    settings: transcriberSettings,
  },
  {
    name: 'bot-scheduler',
    ports: ['scheduler'],
    usesBus: true,
    hasSecretKey: true,
    settings: schedulerSettings,
    stopMs: 60_000,
  },
];

const usualStopMs = 25_000;

/** Node arguments of an idle service: a small young generation, and memory preferred over speed. */
const usualNodeArguments = ['--max-semi-space-size=2', '--optimize-for-size'];
/** Otherwise glibc keeps a memory arena for each thread; images set the same. */
const memoryEnvironment = { MALLOC_ARENA_MAX: '1' };

/** The definition of one app's process. Resolves when its settings are complete. */
export async function serviceDefinition(
  service: LocalService,
  dependencies: StackDependencies,
): Promise<ChildDefinition> {
  const { servers, folder, options } = dependencies;
  const { name } = service;
  const [entry, settings, databaseUrl, busUrl] = await Promise.all([
    dependencies.entryOf(name),
    service.settings(dependencies),
    reach(dependencies, name, 'postgres'),
    reach(dependencies, name, 'nats'),
  ]);
  return {
    name,
    entry,
    nodeArguments: service.nodeArguments ?? usualNodeArguments,
    prepare: async () => service.prepare?.(dependencies),
    environment: {
      ...memoryEnvironment,
      ...withPrefix({
        HOST: '127.0.0.1',
        LOG_LEVEL: options.logLevel,
        ...(options.tracesUrl === undefined ? {} : { TRACES_URL: options.tracesUrl }),
        DATABASE_URL: databaseUrl,
        INTERNAL_SECRET: folder.secrets.internal,
        ...(service.usesBus ? { BUS_URL: busUrl, BUS_CREDENTIALS: servers.serviceCredentials } : {}),
        ...(service.hasSecretKey ? secretKeysOf(folder, name) : {}),
        ...settings,
        ...dependencies.given.get(name),
        ...options.settings?.[name],
      }),
    },
    stopMs: service.stopMs ?? usualStopMs,
  };
}

/** The address of a server for one of its clients. */
async function reach(
  { servers, options }: StackDependencies,
  client: string,
  server: 'postgres' | 'nats',
): Promise<string> {
  const address = server === 'postgres' ? servers.databaseUrl : servers.busUrl;
  return options.reach === undefined ? address : options.reach(client, server, address);
}

function secretKeysOf(folder: DataFolder, service: string): Record<string, string> {
  const former = folder.formerSecretKeysOf(service);
  return { SECRET_KEY: folder.secretKeyOf(service), ...(former === null ? {} : { FORMER_SECRET_KEYS: former }) };
}

/** @throws Error when no part listens on a port of this name */
export function urlOf({ ports }: Pick<StackDependencies, 'ports'>, name: string): string {
  const port = ports[name];
  if (port === undefined) throw new Error(`No service of the local stack has a port called ${name}.`);
  return `http://127.0.0.1:${port}`;
}

function storageSettings(dependencies: StackDependencies): Record<string, string> {
  const { ports, folder } = dependencies;
  return {
    PORT: String(ports['files']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['filesAdmin']),
    PUBLIC_URL: urlOf(dependencies, 'files'),
    STORE_DRIVER: 'disk',
    STORE_FOLDER: folder.objects,
    SIGNING_SECRET: folder.secrets.signing,
    // For buckets of an object store on this machine, as for webhooks.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

function deliverySettings(dependencies: StackDependencies): Record<string, string> {
  return {
    PORT: String(dependencies.ports['delivery']),
    STORAGE_URL: urlOf(dependencies, 'files'),
    SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    TRANSCRIBER_URL: urlOf(dependencies, 'transcriber'),
    // The one-machine default, for webhooks to programs on this machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

async function ssoSettings(dependencies: StackDependencies): Promise<Record<string, string>> {
  const simulator = await dependencies.simulator;
  const simulated = () => ({
    SIMULATED_ZOOM_URL: `${urlOf(dependencies, 'simulator')}/zoom`,
    SIMULATED_GOOGLE_URL: `${urlOf(dependencies, 'simulator')}/google`,
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  });
  return {
    PORT: String(dependencies.ports['ssoIdp']),
    BOT_SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    PUBLIC_URL: urlOf(dependencies, 'api'),
    ...(simulator === null ? {} : simulated()),
  };
}

/** Where calendar providers redirect the browser after a consent: a page of the console. */
function consentRedirectOf(dependencies: Pick<StackDependencies, 'ports'>): string {
  return `${urlOf(dependencies, 'api')}/console/calendars`;
}

async function calendarSettings(dependencies: StackDependencies): Promise<Record<string, string>> {
  const simulator = await dependencies.simulator;
  const simulated = (linkHosts: readonly string[]) => ({
    SIMULATOR_URL: urlOf(dependencies, 'simulator'),
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
    // The simulated providers reach the API of this machine; the real ones do not.
    PUBLIC_API_URL: urlOf(dependencies, 'api'),
    SIMULATOR_LINK_HOSTS: linkHosts.join(','),
    // Changes are visible at once.
    SYNC_REST_MS: '1000',
    ...simulatedClients,
  });
  return {
    PORT: String(dependencies.ports['calendarSync']),
    SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    CONSENT_REDIRECT_URL: consentRedirectOf(dependencies),
    ...(simulator === null ? {} : simulated(Object.values(simulator.linkHosts))),
  };
}

/**
 * The local engine first, where Python is installed; then vendors whose key is given, and the simulator's providers,
 * which return the speech of its meetings.
 */
function engineLists({ ports, given }: StackDependencies, isSimulated: boolean): Record<string, string> {
  const own = 'whisper' in ports ? ['local'] : [];
  const { batch, live } = givenEngines(given);
  const list = (vendors: readonly string[], simulated: readonly Parameters<typeof simulatedNameOf>[0][]): string =>
    [...own, ...vendors, ...(isSimulated ? simulated.map(simulatedNameOf) : [])].join(',');
  return { TRANSCRIPTION_ENGINES: list(batch, batchVendors), LIVE_TRANSCRIPTION_ENGINES: list(live, liveVendors) };
}

async function transcriberSettings(dependencies: StackDependencies): Promise<Record<string, string>> {
  const providers = `${urlOf(dependencies, 'simulator')}/speech`;
  const isSimulated = (await dependencies.simulator) !== null;
  const simulated = (): Record<string, string> => ({
    PROVIDER_ADDRESSES: batchVendors.map((name) => `${simulatedNameOf(name)}=${providers}/${name}`).join(','),
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  });
  return {
    ...(isSimulated ? simulated() : {}),
    PORT: String(dependencies.ports['transcriber']),
    STORAGE_URL: urlOf(dependencies, 'files'),
    SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    // What waits for the engine of this machine begins soon after it is installed.
    RETRY_LONGEST_MS: '15000',
    WEBHOOK_PORT: String(dependencies.ports['webhooks']),
    PUBLIC_URL: urlOf(dependencies, 'webhooks'),
    ...('whisper' in dependencies.ports ? { LOCAL_URL: urlOf(dependencies, 'whisper') } : {}),
  };
}

function gatewaySettings(dependencies: StackDependencies): Record<string, string> {
  const { ports, folder } = dependencies;
  return {
    PORT: String(ports['api']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['admin']),
    ADMIN_TOKEN: folder.secrets.admin,
    BOT_SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    CALENDAR_SYNC_URL: urlOf(dependencies, 'calendarSync'),
    DELIVERY_URL: urlOf(dependencies, 'delivery'),
    SSO_IDP_URL: urlOf(dependencies, 'ssoIdp'),
    CONSOLE_URL: urlOf(dependencies, 'console'),
    DOCS_FOLDER: join(dependencies.root, 'dist/docs'),
    STORAGE_CONFIG_URL: urlOf(dependencies, 'files'),
  };
}

async function consoleSettings(dependencies: StackDependencies): Promise<Record<string, string>> {
  return {
    PORT: String(dependencies.ports['console']),
    API_URL: urlOf(dependencies, 'api'),
    // Where the provider sends the browser back to. Without it the console may have any address.
    ...(dependencies.given.get('console')?.['OIDC_ISSUER'] === undefined
      ? {}
      : { PUBLIC_URL: urlOf(dependencies, 'api') }),
    PUBLIC_FOLDER:
      (await builtPageFolder(dependencies)) ?? join(dirname(await dependencies.entryOf('console')), pageFolderName),
    // Recordings are on this machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

/**
 * The folder of the console's page for a server that runs from its sources; null for a packed one, which includes it.
 */
async function builtPageFolder({ folder, entryOf }: StackDependencies): Promise<string | null> {
  return (await entryOf('console')).endsWith('.ts') ? join(folder.path, 'console-page') : null;
}

async function buildConsolePage(dependencies: StackDependencies): Promise<void> {
  const target = await builtPageFolder(dependencies);
  if (target !== null) await bundlePage(dependencies.root, 'console', target);
}

function liveAddress(dependencies: StackDependencies, name: string): string {
  const address = `${urlOf(dependencies, 'simulator')}/speech/${name}`;
  // A session with Gladia begins with an HTTP request.
  return name === 'gladia' ? address : address.replace(/^http/, 'ws');
}

async function schedulerSettings(dependencies: StackDependencies): Promise<Record<string, string>> {
  const { ports, folder, options, servers } = dependencies;
  const [simulator, runnerEntry] = await Promise.all([dependencies.simulator, dependencies.entryOf('bot-runner')]);
  return {
    PORT: String(ports['scheduler']),
    STORAGE_URL: urlOf(dependencies, 'files'),
    SSO_IDP_URL: urlOf(dependencies, 'ssoIdp'),
    TRANSCRIBER_URL: urlOf(dependencies, 'transcriber'),
    ...engineLists(dependencies, simulator !== null),
    PUBLIC_SCHEDULER_URL: urlOf(dependencies, 'scheduler'),
    RUNNER_ENTRY: runnerEntry,
    RUNS_FOLDER: folder.runs,
    CHROMIUM_PATH: findChromium(),
    MAX_CONCURRENT_BOTS: String(options.maxConcurrentBots),
    BUS_ACCOUNT_SEED: servers.accountSeed,
    RUNNER_BUS_URL: await reach(dependencies, 'bot-runner', 'nats'),
    // Callbacks, images, streams and tokens may use addresses of programs on this machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
    RUNNER_ALLOWED_ADDRESSES: 'loopback',
    RUNNER_REQUIRE_HTTPS: 'false',
    LIVE_PROVIDER_ADDRESSES: [
      ...('whisper' in ports ? [`local=${urlOf(dependencies, 'whisper').replace(/^http/, 'ws')}`] : []),
      ...(simulator === null
        ? []
        : liveVendors.map((name) => `${simulatedNameOf(name)}=${liveAddress(dependencies, name)}`)),
    ].join(','),
    ...(simulator === null
      ? {}
      : {
          SIMULATOR_RULES: simulator.hostResolverRules,
          SIMULATOR_SPKI: simulator.certificateSpki,
          ZOOM_SDK_KEY: simulator.sdkApp.key,
          ZOOM_SDK_SECRET: simulator.sdkApp.secret,
          SIMULATOR_LINK_HOSTS: Object.values(simulator.linkHosts).join(','),
        }),
  };
}

function withPrefix(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RAPPORTEUR_${name}`, value]));
}

/**
 * The model of the local engine where none is given: `base` has about 100 languages and fewer errors in noise, for twice
 * the CPU of `tiny.en` (docs/guides/transcription.md).
 */
export function modelFor(cores: number, memoryBytes: number): 'base' | 'tiny.en' {
  return cores >= 4 && memoryBytes >= 7 * 2 ** 30 ? 'base' : 'tiny.en';
}

/** The local transcription server: its packages and model are downloaded after everything else has started. */
export function whisperDefinition({
  root,
  ports,
  given,
}: Pick<StackDependencies, 'root' | 'ports' | 'given'>): ChildDefinition {
  return {
    name: 'whisper',
    entry: join(root, 'deploy/local/src/whisper/main.ts'),
    arguments: [root],
    environment: withPrefix({
      PORT: String(ports['whisper']),
      EXIT_WITH_PARENT: 'true',
      MODEL: modelFor(availableParallelism(), totalmem()),
      ...given.get('whisper'),
    }),
    stopMs: 15_000,
  };
}

export function simulatorDefinition(
  root: string,
  folder: DataFolder,
  ports: Readonly<Record<string, number>>,
): ChildDefinition {
  return {
    name: 'simulator',
    entry: join(root, 'tools/simulator/src/main.ts'),
    arguments: [
      `--data-folder=${folder.simulator}`,
      `--https-port=${ports['simulatorHttps'] ?? 0}`,
      `--control-port=${ports['simulator'] ?? 0}`,
      // The speech and video of the first room are rendered while the services start.
      // Cached by content: one rendering serves every stack and test of this checkout.
      `--media-folder=${join(root, 'node_modules/.cache/rapporteur-simulator')}`,
      `--consent-redirect=${consentRedirectOf({ ports })}`,
      '--prepare',
    ],
    stopMs: usualStopMs,
  };
}

/** Requests from the simulator how a browser connects to it. */
export async function simulatorFacts(controlUrl: string): Promise<SimulatorFacts> {
  const response = await fetch(`${controlUrl}/info`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The simulator responded ${response.status} to GET /info.`);
  return (await response.json()) as SimulatorFacts;
}
