import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import type { ChildDefinition } from './child-service.ts';
import type { DataFolder } from './data-folder.ts';
import { hasLocalEngine } from './local-engine.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import type { StackOptions } from './options.ts';

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
  /** The simulator's, once it runs; null without one. */
  readonly simulator: Promise<SimulatorFacts | null>;
  /** The main file of an app: packed, or that of the sources. */
  readonly entryOf: (app: string) => Promise<string>;
}

/** One app on this machine. A new one is an entry in `services`, and nothing else here or in stack.ts. */
export interface LocalService {
  /** Of its folder below `apps`. */
  readonly name: string;
  /** Names of the ports that it listens on; `urlOf(parts, name)` is the address of one. */
  readonly ports: readonly string[];
  readonly usesBus: boolean;
  /** It encrypts what it stores: it gets a key of its own as SECRET_KEY. */
  readonly hasSecretKey: boolean;
  readonly settings: (parts: StackParts) => Record<string, string> | Promise<Record<string, string>>;
  /** How long it may take to stop; default 25 000. */
  readonly stopMs?: number;
}

/** In the order of which the reverse is the order of stopping: the scheduler finishes its bots while the others answer. */
export const services: readonly LocalService[] = [
  {
    name: 'storage-config',
    ports: ['files', 'filesAdmin'],
    usesBus: false,
    hasSecretKey: true,
    settings: storageSettings,
  },
  { name: 'delivery', ports: ['delivery'], usesBus: true, hasSecretKey: true, settings: deliverySettings },
  { name: 'sso-idp', ports: ['ssoIdp'], usesBus: false, hasSecretKey: true, settings: ssoSettings },
  {
    name: 'calendar-sync',
    ports: ['calendarSync'],
    usesBus: true,
    hasSecretKey: true,
    settings: calendarSettings,
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

/** An idle service needs little: less memory is kept for new objects, and more often given back. */
const nodeArguments = ['--max-semi-space-size=2', '--optimize-for-size'];

/** What starts one app with its settings. Resolves when what they need is known. */
export async function serviceDefinition(service: LocalService, parts: StackParts): Promise<ChildDefinition> {
  const { servers, folder, options } = parts;
  const { name } = service;
  const [entry, settings] = await Promise.all([parts.entryOf(name), service.settings(parts)]);
  return {
    name,
    entry,
    nodeArguments,
    environment: withPrefix({
      HOST: '127.0.0.1',
      DATABASE_URL: servers.databaseUrl,
      INTERNAL_SECRET: folder.secrets.internal,
      LOG_LEVEL: options.logLevel,
      ...(service.usesBus ? { BUS_URL: servers.busUrl, BUS_CREDENTIALS: servers.serviceCredentials } : {}),
      ...(service.hasSecretKey ? { SECRET_KEY: folder.secretKeyOf(name) } : {}),
      ...settings,
      ...options.settings?.[name],
    }),
    stopMs: service.stopMs ?? usualStopMs,
  };
}

/** @throws Error when no part listens on a port of this name */
export function urlOf({ ports }: Pick<StackParts, 'ports'>, name: string): string {
  const port = ports[name];
  if (port === undefined) throw new Error(`No service of the local stack has a port called ${name}.`);
  return `http://127.0.0.1:${port}`;
}

function storageSettings(parts: StackParts): Record<string, string> {
  const { ports, folder } = parts;
  return {
    PORT: String(ports['files']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['filesAdmin']),
    PUBLIC_URL: urlOf(parts, 'files'),
    STORE_DRIVER: 'disk',
    STORE_FOLDER: folder.objects,
    SIGNING_SECRET: folder.secrets.signing,
    // As with webhooks: a user tries buckets of an object store on this very machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

function deliverySettings(parts: StackParts): Record<string, string> {
  return {
    PORT: String(parts.ports['delivery']),
    STORAGE_URL: urlOf(parts, 'files'),
    SCHEDULER_URL: urlOf(parts, 'scheduler'),
    // The one-machine default: a user tries webhooks against programs on this very machine.
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  };
}

async function ssoSettings(parts: StackParts): Promise<Record<string, string>> {
  const simulator = await parts.simulator;
  const simulated = () => ({
    ALPHA_OAUTH_URL: `${urlOf(parts, 'simulator')}/zoom`,
    ALPHA_API_URL: `${urlOf(parts, 'simulator')}/zoom`,
    SIMULATED_GOOGLE_URL: `${urlOf(parts, 'simulator')}/google`,
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
  });
  return {
    PORT: String(parts.ports['ssoIdp']),
    BOT_SCHEDULER_URL: urlOf(parts, 'scheduler'),
    PUBLIC_URL: urlOf(parts, 'api'),
    ...(simulator === null ? {} : simulated()),
  };
}

async function calendarSettings(parts: StackParts): Promise<Record<string, string>> {
  const simulator = await parts.simulator;
  const simulated = (linkHosts: readonly string[]) => ({
    GOOGLE_OAUTH_URL: `${urlOf(parts, 'simulator')}/google/oauth2`,
    GOOGLE_API_URL: `${urlOf(parts, 'simulator')}/google`,
    MICROSOFT_OAUTH_URL: `${urlOf(parts, 'simulator')}/microsoft`,
    MICROSOFT_API_URL: `${urlOf(parts, 'simulator')}/microsoft`,
    ALLOWED_ADDRESSES: 'loopback',
    REQUIRE_HTTPS: 'false',
    // The simulated providers reach the API of this machine; the real ones do not.
    PUBLIC_API_URL: urlOf(parts, 'api'),
    SIMULATOR_LINK_HOSTS: linkHosts.join(','),
    // A newcomer sees a change at once.
    SYNC_REST_MS: '1000',
  });
  return {
    PORT: String(parts.ports['calendarSync']),
    SCHEDULER_URL: urlOf(parts, 'scheduler'),
    ...(simulator === null ? {} : simulated(Object.values(simulator.linkHosts))),
  };
}

/** The trial engine alone: the simulator's provider servers do not recognize the speech of its meetings. */
function transcriberSettings(parts: StackParts): Record<string, string> {
  return {
    PORT: String(parts.ports['transcriber']),
    STORAGE_URL: urlOf(parts, 'files'),
    SCHEDULER_URL: urlOf(parts, 'scheduler'),
    WEBHOOK_PORT: String(parts.ports['webhooks']),
    PUBLIC_URL: urlOf(parts, 'webhooks'),
    LOCAL_ENGINE: String(hasLocalEngine()),
  };
}

function gatewaySettings(parts: StackParts): Record<string, string> {
  const { ports, folder } = parts;
  return {
    PORT: String(ports['api']),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(ports['admin']),
    ADMIN_TOKEN: folder.secrets.admin,
    BOT_SCHEDULER_URL: urlOf(parts, 'scheduler'),
    CALENDAR_SYNC_URL: urlOf(parts, 'calendarSync'),
    DELIVERY_URL: urlOf(parts, 'delivery'),
    SSO_IDP_URL: urlOf(parts, 'ssoIdp'),
    STORAGE_CONFIG_URL: urlOf(parts, 'files'),
  };
}

async function schedulerSettings(parts: StackParts): Promise<Record<string, string>> {
  const { ports, folder, options, servers } = parts;
  const [simulator, runnerEntry] = await Promise.all([parts.simulator, parts.entryOf('bot-runner')]);
  return {
    PORT: String(ports['scheduler']),
    STORAGE_URL: urlOf(parts, 'files'),
    SSO_IDP_URL: urlOf(parts, 'ssoIdp'),
    TRANSCRIPTION_ENGINES: hasLocalEngine() ? 'local' : '',
    PUBLIC_SCHEDULER_URL: urlOf(parts, 'scheduler'),
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
      // The speech and video of the first room are made while the services start.
      '--prepare',
    ],
    stopMs: usualStopMs,
  };
}

/** Asks the simulator how a browser reaches it. */
export async function simulatorFacts(controlUrl: string): Promise<SimulatorFacts> {
  const response = await fetch(`${controlUrl}/info`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`The simulator answered ${response.status} to GET /info.`);
  return (await response.json()) as SimulatorFacts;
}
