import { join } from 'node:path';
import { ChildService } from './child-service.ts';
import type { ChildDefinition } from './child-service.ts';
import { openDataFolder, StackRecordFile, writePrivately } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { startEmbeddedServers } from './embedded-servers.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import { ensureFirstTeam } from './first-team.ts';
import type { StackOptions } from './options.ts';
import { runnerEntry } from './packed-runner/index.ts';
import { choosePorts } from './ports.ts';
import { reclaimChildren } from './reclaim.ts';
import { serviceDefinitions, simulatorDefinition, simulatorFacts } from './services.ts';
import type { Addresses } from './services.ts';

export type { StackOptions } from './options.ts';

export interface RunningStack {
  readonly apiUrl: string;
  readonly filesUrl: string;
  readonly simulatorUrl: string | null;
  readonly adminUrl: string;
  readonly dataFolder: DataFolder;
  /** Shown once: the key of the team that this first start created. */
  readonly firstKey: string | null;
  /** Process numbers by name, for tests that kill one. */
  pidOf(name: string): number | undefined;
  stop(): Promise<void>;
}

export interface StackPorts {
  readonly root: string;
  readonly say: (text: string) => void;
  /** When aborted, the start is given up, as after a failure. Later it means nothing: use `stop`. */
  readonly calledOff?: AbortSignal;
}

/**
 * Starts the whole service on this machine: PostgreSQL, NATS, every app, and the simulator unless it is switched off.
 * Each part is a process of its own; what was started is stopped in reverse order, also when a later part fails or the
 * start is called off.
 */
export async function startStack(options: StackOptions, { root, say, calledOff }: StackPorts): Promise<RunningStack> {
  const folder = openDataFolder(options.dataFolder);
  const record = new StackRecordFile(folder);
  await reclaimChildren(record.previous, say);
  const ports = await choosePorts(wantedPorts(options), record.previous?.ports ?? {});
  record.setPorts(ports);
  // While the servers start.
  const runner = runnerEntry(root, (text) => void (calledOff?.aborted === true || say(text)));
  const started: { stop(): Promise<void> }[] = [];
  const pids = new Map<string, number>();
  const stop = stopOnce(started);
  const startChild = async (definition: ChildDefinition): Promise<void> => {
    const child = new ChildService(definition, {
      logFolder: folder.logs,
      onStarted: (name, pid) => {
        pids.set(name, pid);
        record.setChild(name, pid);
      },
      onCrash: (name, how, logFile) => say(`${name} ended (${how}) and is started again. Its log: ${logFile}`),
    });
    started.push(child);
    await child.start(calledOff);
  };
  try {
    const servers = await startEmbeddedServers(folder, ports, {
      say,
      onStarted: (name, pid) => void pids.set(name, pid),
      calledOff,
    });
    started.push(servers);
    const addresses = addressesOf(ports);
    if (options.simulator) await startChild(simulatorDefinition(root, folder, ports));
    const simulator = options.simulator ? await simulatorFacts(addresses.simulator) : null;
    const definitions = serviceDefinitions({
      root,
      folder,
      ports,
      options,
      servers: servers as EmbeddedServers,
      addresses,
      simulator,
      runnerEntry: await runner,
    });
    await startTogether(definitions, startChild, started);
    const admin = { url: addresses.admin, token: folder.secrets.admin };
    writePrivately(folder.adminFile, admin);
    // Called off from here on it still starts: the key would be lost.
    calledOff?.throwIfAborted();
    const firstKey = await ensureFirstTeam(admin);
    return {
      apiUrl: addresses.api,
      filesUrl: addresses.files,
      simulatorUrl: options.simulator ? addresses.simulator : null,
      adminUrl: addresses.admin,
      dataFolder: folder,
      firstKey,
      pidOf: (name) => pids.get(name),
      stop,
    };
  } catch (error) {
    await stop();
    // It clears away what it has made half.
    await runner;
    throw error;
  }
}

/** All at once: no app needs another to start, and a second start has to take seconds. */
async function startTogether(
  definitions: readonly ChildDefinition[],
  startChild: (definition: ChildDefinition) => Promise<void>,
  started: { stop(): Promise<void> }[],
): Promise<void> {
  const results = await Promise.allSettled(definitions.map(startChild));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason as Error;
  // Stopping goes from the end of the list: the scheduler finishes its bots while the others still answer.
  const order = definitions.map((definition) => definition.name);
  started.sort((a, b) => rank(a, order) - rank(b, order));
}

function rank(part: { stop(): Promise<void> }, order: readonly string[]): number {
  return part instanceof ChildService ? order.indexOf(part.name) + 1 : 0;
}

function stopOnce(started: readonly { stop(): Promise<void> }[]): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const part of started.toReversed()) await part.stop();
  };
  return () => (stopping ??= run());
}

function wantedPorts(options: StackOptions): Record<string, number> {
  return {
    api: options.ports.api,
    files: options.ports.files,
    simulator: options.ports.simulator,
    simulatorHttps: 0,
    postgres: 0,
    nats: 0,
    admin: 0,
    filesAdmin: 0,
    scheduler: 0,
    delivery: 0,
    ssoIdp: 0,
    transcriber: 0,
    webhooks: 0,
  };
}

function addressesOf(ports: Readonly<Record<string, number>>): Addresses {
  const at = (name: string): string => `http://127.0.0.1:${ports[name] ?? 0}`;
  return {
    api: at('api'),
    admin: at('admin'),
    files: at('files'),
    scheduler: at('scheduler'),
    delivery: at('delivery'),
    ssoIdp: at('ssoIdp'),
    webhooks: at('webhooks'),
    simulator: at('simulator'),
  };
}

export function rootOf(moduleFolder: string): string {
  return join(moduleFolder, '..', '..', '..');
}
