import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createWebServer, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@rapporteur/local-stack';
import { endChild, hasEnded, untilReady } from '@rapporteur/process-identity';
import { calendarRoutes, createCalendars } from '@rapporteur/simulator';
import type { SimulatedCalendars } from '@rapporteur/simulator';
import { startStack } from '@rapporteur/local-stack/stack';
import type { StackOptions } from '@rapporteur/local-stack/stack';
import { keepLogsOf } from '@rapporteur/testbed';
import express from 'express';

/** The service as `npm start` runs it, with as many gateways as requested and no bots. */
export interface ServiceStack {
  /** Address of each gateway, the stack's own first. */
  readonly gatewayUrls: readonly string[];
  readonly databaseUrl: string;
  readonly admin: { readonly url: string; readonly token: string };
  readonly logFolder: string;
  /** The simulated calendar providers of calendar-sync; they run in this process. */
  readonly calendars: SimulatedCalendars;
  readonly calendarsUrl: string;
  /** Process id of everything that runs, by name. */
  pids(): ReadonlyMap<string, number>;
  /**
   * Starts a second process of one app, with settings and Node arguments of its own; ends with the stack at the latest.
   */
  startCopy(app: CopiedApp, options?: CopyOptions): Promise<RunningCopy>;
  stop(): Promise<void>;
}

export type CopiedApp = 'api-gateway' | 'bot-scheduler' | 'sso-idp';

export interface CopyOptions {
  /** In place of the running one's, by the name of the variable. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
}

export interface RunningCopy {
  readonly url: string;
  /** 0 once it has ended. */
  pid(): number;
  /** Stops it and waits for its end. Safe twice. */
  stop(): Promise<void>;
}

export interface ServiceStackOptions {
  readonly gateways: number;
  /** Calendar providers send their notifications to the first gateway. */
  readonly publicApi?: boolean;
  readonly settings?: StackOptions['settings'];
  readonly say: (text: string) => void;
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const readyMs = 30_000;
const stopMs = 60_000;
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const names = [
  'postgres',
  'nats',
  'storage-config',
  'delivery',
  'sso-idp',
  'calendar-sync',
  'api-gateway',
  'bot-scheduler',
] as const;

/** Starts it in a folder of its own, which is removed with it. */
export async function startServiceStack({
  gateways,
  publicApi = false,
  settings = {},
  say,
}: ServiceStackOptions): Promise<ServiceStack> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rapporteur-fuzz-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(dataFolder, 0o755);
  keepLogsOf(dataFolder);
  const copies: RunningCopy[] = [];
  const platform = await startRefusingPlatform();
  const providers = await startCalendarProviders();
  const apiPort = publicApi ? await freePort() : 0;
  const pushed = publicApi ? { PUBLIC_API_URL: `http://127.0.0.1:${apiPort}` } : {};
  const stack = await startStack(
    {
      dataFolder,
      ports: { api: apiPort, files: 0, simulator: 0 },
      simulator: false,
      maxConcurrentBots: 0,
      logLevel: 'info',
      settings: {
        ...settings,
        'sso-idp': { ...platform.settings, ...settings['sso-idp'] },
        'calendar-sync': { ...providers.settings, ...pushed, ...settings['calendar-sync'] },
      },
    },
    { root, say },
  );
  const stop = async (): Promise<void> => {
    for (const copy of copies.toReversed()) await copy.stop();
    await stack.stop();
    platform.stop();
    await providers.stop();
    for (const signal of endings) process.off(signal, interrupted);
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  const interrupted = (): void => void stop().finally(() => process.exit(130));
  for (const signal of endings) process.once(signal, interrupted);
  const startCopy = async (app: CopiedApp, options: CopyOptions = {}): Promise<RunningCopy> => {
    const settings = { ...environmentOf(stack.pidOf(app) ?? 0), ...options.settings };
    const logFile = join(stack.dataFolder.logs, `${app}-${copies.length + 2}.log`);
    const copy = await runCopy(app, { ...options, settings }, logFile);
    copies.push(copy);
    return copy;
  };
  try {
    while (copies.length < gateways - 1) await startCopy('api-gateway');
    return {
      gatewayUrls: [stack.apiUrl, ...copies.map((copy) => copy.url)],
      databaseUrl: environmentOf(stack.pidOf('api-gateway') ?? 0)['RAPPORTEUR_DATABASE_URL'] ?? '',
      admin: { url: stack.adminUrl, token: stack.dataFolder.secrets.admin },
      logFolder: stack.dataFolder.logs,
      calendars: providers.calendars,
      calendarsUrl: providers.url,
      pids: () =>
        new Map([
          ...names.map((name) => [name, stack.pidOf(name) ?? 0] as const),
          ...copies.map((copy, at) => [`copy ${at + 2}`, copy.pid()] as const),
        ]),
      startCopy,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A fake of a platform's accounts: generated codes and app pairs never leave this machine, and all are refused. */
async function startRefusingPlatform() {
  const server = createWebServer((_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { ZOOM_OAUTH_URL: url, ZOOM_API_URL: url, ALLOWED_ADDRESSES: 'loopback', REQUIRE_HTTPS: 'false' };
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { settings, stop };
}

/** A second process of a running program, on other ports. */
async function runCopy(
  app: CopiedApp,
  { settings = {}, nodeArguments = [] }: CopyOptions,
  logFile: string,
): Promise<RunningCopy> {
  const port = await freePort();
  const ports = { RAPPORTEUR_PORT: String(port) };
  if (settings['RAPPORTEUR_ADMIN_PORT'] !== undefined)
    Object.assign(ports, { RAPPORTEUR_ADMIN_PORT: String(await freePort()) });
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...nodeArguments, join(root, 'apps', app, 'src/main.ts')],
    {
      stdio: ['ignore', log, log, 'ipc'],
      env: { ...settings, ...ports },
    },
  );
  const ready = new Promise<void>((resolve) =>
    child.on('message', (message: { ready?: string }) => void (message.ready === undefined || resolve())),
  );
  const details = (): string => `Its log: ${logFile}`;
  await untilReady(child, ready, { name: `The second ${app}`, deadlineMs: readyMs, details });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => (hasEnded(child) ? 0 : (child.pid ?? 0)),
    stop: () => endChild(child, [{ signal: 'SIGTERM', waitMs: stopMs }]),
  };
}

function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const equals = entry.indexOf('=');
      // The IPC channel belongs to the parent process.
      return equals < 1 || entry.startsWith('NODE_CHANNEL') ? [] : [[entry.slice(0, equals), entry.slice(equals + 1)]];
    }),
  );
}

/** Resident memory of a process in MiB; 0 when it is gone. */
export function residentMibOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** All logs of the services. */
export function logsOf(logFolder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(logFolder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => [name, readFileSync(join(logFolder, name), 'utf8')]),
  );
}

interface CalendarProviders {
  readonly calendars: SimulatedCalendars;
  readonly url: string;
  /** Settings that make calendar-sync use it. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Google Calendar and Microsoft Graph in this process. Credentials that it did not issue are refused. */
async function startCalendarProviders(): Promise<CalendarProviders> {
  const calendars = createCalendars(() => Date.now());
  const app = express();
  app.use(express.json({ limit: 1_000_000 }), calendarRoutes(calendars));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    calendars,
    url,
    settings: {
      GOOGLE_OAUTH_URL: `${url}/google/oauth2`,
      GOOGLE_API_URL: `${url}/google`,
      MICROSOFT_OAUTH_URL: `${url}/microsoft`,
      MICROSOFT_API_URL: `${url}/microsoft`,
      ALLOWED_ADDRESSES: 'loopback',
      REQUIRE_HTTPS: 'false',
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
