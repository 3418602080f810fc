import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endChild, hasEnded } from '@rapporteur/process-identity';
import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import {
  createTestDatabase,
  freePort,
  serviceProcesses,
  startFreezingProxy,
  startOwnNats,
  waitFor,
} from '@rapporteur/testbed';
import type { FreezingProxy, ServiceProcess } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import type { Capacity } from '../launch/capacity.ts';
import { openBotsDatabase, requests, quickSettings } from './test-scheduler.ts';

/** The service as in production: a separate process, started, killed and restarted by the test. */
export interface SchedulerProcess extends ReturnType<typeof requests> {
  readonly database: Database;
  readonly runsFolder: string;
  /** `over`: settings that replace those of before, also for later starts. */
  start(over?: Record<string, string>): Promise<void>;
  /** The body of `GET /capacity`. */
  capacity(): Promise<Capacity>;
  /** Resolves with the exit code, or the signal's name. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null>;
  /** Proxies between all instances and their servers. */
  readonly proxies: { readonly database: FreezingProxy; readonly bus: FreezingProxy };
  /** The process id of the first instance. */
  pid(): number;
  /**
   * Starts another instance on the same database and bus, which launches no bots unless `over` enables it, and can be
   * frozen.
   */
  startReplica(over?: Record<string, string>): Promise<ServiceProcess>;
  remove(): Promise<void>;
}

/** A stub of storage-config: grants everything, signs without checks. */
function startStorage(): Promise<Receiver> {
  return startReceiver(({ path, body }, response) => {
    const { keys = {} } = JSON.parse(String(body)) as { keys?: Record<string, string> };
    const urls = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, `https://files.test/${key}`]));
    const replies: Record<string, unknown> = {
      [internalCalls.storage.grantUpload.path]: { url: 'http://files.test', grant: 'grant' },
      [internalCalls.storage.signUrls.path]: { urls, expiresAt: new Date().toISOString() },
    };
    const reply = replies[path] ?? { success: true };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
}

const endDeadlineMs = 120_000;
const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

async function startProxies(database: string, bus: string): Promise<SchedulerProcess['proxies']> {
  return { database: await startFreezingProxy(database), bus: await startFreezingProxy(bus) };
}

/** `direct`: no connection passes through the proxies, which take CPU time of this process. */
export async function prepareSchedulerProcess(
  over: Record<string, string> = {},
  { direct = false }: { readonly direct?: boolean } = {},
): Promise<SchedulerProcess> {
  const [testDatabase, nats, storage, port] = await Promise.all([
    createTestDatabase(openBotsDatabase),
    startOwnNats(),
    startStorage(),
    freePort(),
  ]);
  const proxies = await startProxies(testDatabase.url, nats.url);
  const runsFolder = mkdtempSync(join(tmpdir(), 'rapporteur-runs-'));
  const url = `http://127.0.0.1:${port}`;
  const environment = quickSettings({
    PORT: String(port),
    DATABASE_URL: direct ? testDatabase.url : proxies.database.url,
    BUS_URL: direct ? nats.url : proxies.bus.url,
    RUNS_FOLDER: runsFolder,
    STORAGE_URL: storage.url,
    PUBLIC_SCHEDULER_URL: url,
    LOG_LEVEL: 'error',
    ...over,
  });
  const database = await openBotsDatabase(testDatabase.url);
  const replicas = serviceProcesses(entry);
  let child: ChildProcess | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null> => {
    if (child === undefined || hasEnded(child)) return null;
    await endChild(child, [{ signal, waitMs: endDeadlineMs }]);
    return child.exitCode ?? child.signalCode;
  };
  return {
    database,
    runsFolder,
    ...requests(database, url),
    proxies,
    pid: () => child?.pid ?? 0,
    capacity: async () => (await fetch(`${url}/capacity`)).json() as Promise<Capacity>,
    start: async (over = {}) => {
      for (const [name, value] of Object.entries(over)) environment[`RAPPORTEUR_${name}`] = value;
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
        env: { ...environment, PATH, NODE_COMPILE_CACHE },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      await waitFor(async () => (await fetch(`${url}/health/ready`)).ok, {
        what: 'the scheduler to be ready',
      });
    },
    end,
    startReplica: (over = {}) =>
      replicas.start({
        ...environment,
        RAPPORTEUR_PORT: '0',
        RAPPORTEUR_LOG_LEVEL: 'info',
        RAPPORTEUR_MAX_CONCURRENT_BOTS: '0',
        ...over,
      }),
    remove: async () => {
      await replicas.killAll();
      await end('SIGTERM');
      await storage.close();
      await Promise.all([proxies.database.stop(), proxies.bus.stop()]);
      await database.close();
      await nats.remove();
      await testDatabase.drop();
      rmSync(runsFolder, { recursive: true, force: true });
    },
  };
}
