import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import type { ChildDefinition } from './child-service.ts';
import type { DataFolder } from './data-folder.ts';
import { hasLocalEngine } from './local-engine.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import type { StackOptions } from './options.ts';

/** Base URLs of this installation. */
export interface Addresses {
  readonly api: string;
  readonly admin: string;
  readonly files: string;
  readonly scheduler: string;
  readonly delivery: string;
  readonly ssoIdp: string;
  readonly webhooks: string;
  readonly simulator: string;
}

/** What the simulator says about itself on its control port. */
export interface SimulatorFacts {
  readonly httpsPort: number;
  readonly hostResolverRules: string;
  readonly certificateSpki: string;
  /** The Meeting SDK app that simulated Zoom meetings know. */
  readonly sdkApp: { readonly key: string; readonly secret: string };
  /** Host, with port, of the links to each simulated platform. */
  readonly linkHosts: Readonly<Record<string, string>>;
}

export interface StackParts {
  readonly root: string;
  readonly folder: DataFolder;
  readonly ports: Readonly<Record<string, number>>;
  readonly options: StackOptions;
  readonly servers: EmbeddedServers;
  readonly addresses: Addresses;
  readonly simulator: SimulatorFacts | null;
  /** The bot-runner's main file. */
  readonly runnerEntry: string;
}

const stopMs = { app: 25_000, scheduler: 60_000 } as const;

/** Every app with its settings, in the order of which the reverse is the order of stopping. */
export function serviceDefinitions(parts: StackParts): ChildDefinition[] {
  const { root, servers, folder } = parts;
  const app = (
    name: string,
    environment: Record<string, string>,
    stopAfterMs: number = stopMs.app,
  ): ChildDefinition => ({
    name,
    entry: join(root, 'apps', name, 'src/main.ts'),
    environment: withPrefix({
      HOST: '127.0.0.1',
      DATABASE_URL: servers.databaseUrl,
      INTERNAL_SECRET: folder.secrets.internal,
      LOG_LEVEL: parts.options.logLevel,
      ...environment,
      ...parts.options.settings?.[name],
    }),
    stopMs: stopAfterMs,
  });
  const bus = { BUS_URL: servers.busUrl, BUS_CREDENTIALS: servers.serviceCredentials };
  return [
    app('storage-config', storageSettings(parts)),
    app('delivery', { ...bus, ...deliverySettings(parts) }),
    app('sso-idp', ssoSettings(parts)),
    app('api-gateway', { ...bus, ...gatewaySettings(parts) }),
    app('transcriber', { ...bus, ...transcriberSettings(parts) }),
    app('bot-scheduler', { ...bus, ...schedulerSettings(parts) }, stopMs.scheduler),
  ];
}

function storageSettings({ ports, folder, addresses }: StackParts): Record<string, string> {
  return {
    PORT: String(ports['files']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['filesAdmin']),
    PUBLIC_URL: addresses.files,
    STORE_DRIVER: 'disk',
    STORE_FOLDER: folder.objects,
    SIGNING_SECRET: folder.secrets.signing,
  };
}

function deliverySettings({ ports, folder, addresses }: StackParts): Record<string, string> {
  return {
    PORT: String(ports['delivery']),
    STORAGE_URL: addresses.files,
    SCHEDULER_URL: addresses.scheduler,
    SECRET_KEY: folder.secrets.deliveryKey,
    // The one-machine default: a user tries webhooks against programs on this very machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

function ssoSettings({ ports, folder, addresses, simulator }: StackParts): Record<string, string> {
  const simulated = {
    ALPHA_OAUTH_URL: `${addresses.simulator}/zoom`,
    ALPHA_API_URL: `${addresses.simulator}/zoom`,
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
  return {
    PORT: String(ports['ssoIdp']),
    SECRET_KEY: folder.secrets.ssoKey,
    ...(simulator === null ? {} : simulated),
  };
}

/** The trial engine needs no key; with the simulator its providers stand in for the vendors', under a key that means nothing. */
function transcriberSettings({ ports, addresses, simulator }: StackParts): Record<string, string> {
  const names = ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox'];
  const simulated = {
    PROVIDER_ADDRESSES: names.map((name) => `${name}=${addresses.simulator}/speech/${name}`).join(','),
    ...Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_API_KEY`, 'simulated'])),
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
  return {
    PORT: String(ports['transcriber']),
    STORAGE_URL: addresses.files,
    SCHEDULER_URL: addresses.scheduler,
    WEBHOOK_PORT: String(ports['webhooks']),
    PUBLIC_URL: addresses.webhooks,
    LOCAL_ENGINE: String(hasLocalEngine()),
    ...(simulator === null ? {} : simulated),
  };
}

/** What recordings are transcribed with; the first is the default. */
function enginesOf({ simulator }: Pick<StackParts, 'simulator'>): string[] {
  const simulated = simulator === null ? [] : ['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox'];
  return [...(hasLocalEngine() ? ['local'] : []), ...simulated];
}

function gatewaySettings({ ports, folder, addresses }: StackParts): Record<string, string> {
  return {
    PORT: String(ports['api']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['admin']),
    ADMIN_TOKEN: folder.secrets.admin,
    BOT_SCHEDULER_URL: addresses.scheduler,
    DELIVERY_URL: addresses.delivery,
    SSO_IDP_URL: addresses.ssoIdp,
  };
}

function schedulerSettings({
  runnerEntry,
  ports,
  folder,
  options,
  addresses,
  servers,
  simulator,
}: StackParts): Record<string, string> {
  return {
    PORT: String(ports['scheduler']),
    STORAGE_URL: addresses.files,
    SSO_IDP_URL: addresses.ssoIdp,
    TRANSCRIPTION_ENGINES: enginesOf({ simulator }).join(','),
    PUBLIC_SCHEDULER_URL: addresses.scheduler,
    SECRET_KEY: folder.secrets.schedulerKey,
    RUNNER_ENTRY: runnerEntry,
    RUNS_FOLDER: folder.runs,
    CHROMIUM_PATH: findChromium(),
    MAX_CONCURRENT_BOTS: String(options.maxConcurrentBots),
    BUS_ACCOUNT_SEED: servers.accountSeed,
    // As with webhooks: pictures, streams and tokens may come from programs on this very machine.
    RUNNER_ALLOWED_ADDRESSES: 'loopback',
    RUNNER_REQUIRE_HTTPS: 'false',
    ...(simulator === null
      ? {}
      : {
          SIMULATOR_RULES: simulator.hostResolverRules,
          SIMULATOR_SPKI: simulator.certificateSpki,
          ALPHA_SDK_KEY: simulator.sdkApp.key,
          ALPHA_SDK_SECRET: simulator.sdkApp.secret,
          SIMULATOR_LINK_HOSTS: Object.values(simulator.linkHosts).join(','),
        }),
  };
}

function withPrefix(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`RAPPORTEUR_${name}`, value]));
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
    ],
    stopMs: stopMs.app,
  };
}

/** Asks the simulator how a browser reaches it. */
export async function simulatorFacts(controlUrl: string): Promise<SimulatorFacts> {
  const response = await fetch(`${controlUrl}/info`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The simulator answered ${response.status} to GET /info.`);
  return (await response.json()) as SimulatorFacts;
}
