import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import type { ChildDefinition } from './child-service.ts';
import type { DataFolder } from './data-folder.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import type { StackOptions } from './options.ts';

/** Base URLs of this installation. */
export interface Addresses {
  readonly api: string;
  readonly admin: string;
  readonly files: string;
  readonly scheduler: string;
  readonly calendarSync: string;
  readonly delivery: string;
  readonly ssoIdp: string;
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
    app('calendar-sync', { ...bus, ...calendarSettings(parts) }),
    app('api-gateway', { ...bus, ...gatewaySettings(parts) }),
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

function calendarSettings({ ports, folder, addresses, simulator }: StackParts): Record<string, string> {
  const simulated = {
    GOOGLE_OAUTH_URL: `${addresses.simulator}/google/oauth2`,
    GOOGLE_API_URL: `${addresses.simulator}/google`,
    MICROSOFT_OAUTH_URL: `${addresses.simulator}/microsoft`,
    MICROSOFT_API_URL: `${addresses.simulator}/microsoft`,
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
    // The simulated providers reach the API of this machine; the real ones do not.
    PUBLIC_API_URL: addresses.api,
    SIMULATOR_LINK_HOSTS: Object.values(simulator?.linkHosts ?? {}).join(','),
    // A newcomer sees a change at once.
    SYNC_REST_MS: '1000',
  };
  return {
    PORT: String(ports['calendarSync']),
    SECRET_KEY: folder.secrets.calendarKey,
    SCHEDULER_URL: addresses.scheduler,
    ...(simulator === null ? {} : simulated),
  };
}

function gatewaySettings({ ports, folder, addresses }: StackParts): Record<string, string> {
  return {
    PORT: String(ports['api']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['admin']),
    ADMIN_TOKEN: folder.secrets.admin,
    BOT_SCHEDULER_URL: addresses.scheduler,
    CALENDAR_SYNC_URL: addresses.calendarSync,
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
