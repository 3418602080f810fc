import { join } from 'node:path';
import { childService } from './child-service.ts';
import type { ChildDefinition } from './child-service.ts';
import { openDataFolder, StackRecordFile, writePrivately } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { startEmbeddedServers } from './embedded-servers.ts';
import type { EmbeddedServers } from './embedded-servers.ts';
import { SupervisedProcess } from './embedded/supervised-process.ts';
import { ensureFirstTeam } from './first-team.ts';
import type { StackOptions } from './options.ts';
import { entries } from './entries.ts';
import { readGivenSettings } from './given-settings.ts';
import { choosePorts } from './ports.ts';
import { reclaimChildren } from './reclaim.ts';
import { announceStack } from './running-stacks.ts';
import {
  serviceDefinition,
  services,
  simulatorDefinition,
  simulatorFacts,
  urlOf,
  whisperDefinition,
} from './services.ts';
import { watchSources } from './source-watch.ts';
import { hasPython } from './whisper/install-whisper.ts';
import type { LocalService, SimulatorFacts, StackDependencies } from './services.ts';

export type { StackOptions } from './options.ts';

export interface RunningStack {
  readonly apiUrl: string;
  readonly filesUrl: string;
  readonly simulatorUrl: string | null;
  readonly adminUrl: string;
  /** The local transcription engine; null: none here. */
  readonly engineUrl: string | null;
  readonly dataFolder: DataFolder;
  /** Shown once: the key of the team that this first start created. */
  readonly firstKey: string | null;
  /** PIDs by name, for tests that kill one. */
  pidOf(name: string): number | undefined;
  /** For tests that stop one of them. */
  readonly servers: Pick<EmbeddedServers, 'postgres' | 'nats'>;
  /** PIDs of all parts by name. */
  processes(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface StackPorts {
  readonly root: string;
  readonly say: (text: string) => void;
  /** When aborted, the start is cancelled, as after a failure. No effect after the start: use `stop`. */
  readonly calledOff?: AbortSignal;
}

const names = services.map(({ name }) => name);
const serverNames = 'PostgreSQL and NATS';
const progressMs = 10_000;

/**
 * Starts the whole service on this machine: PostgreSQL, NATS, every app, and the simulator unless it is switched off.
 * Each part is a process of its own. Started parts are stopped in reverse order, also when a later part fails or the
 * start is cancelled.
 */
export async function startStack(options: StackOptions, outside: StackPorts): Promise<RunningStack> {
  const { root, say, calledOff } = outside;
  const { given, folder, record, ports, files } = await prepareStart(options, outside);
  const started: { stop(): Promise<void> }[] = [];
  const starting = new Set([serverNames, ...(options.simulator ? ['simulator'] : []), ...names]);
  const progress = setInterval(() => say(`Still starting: ${[...starting].join(', ')} …`), progressMs);
  const pids = new Map<string, number>();
  const stop = stopOnce(started);
  const startChild = async (definition: ChildDefinition): Promise<void> => {
    const child = childService(definition, {
      logFolder: folder.logs,
      onStarted: (name, pid) => {
        pids.set(name, pid);
        record.setChild(name, pid);
      },
      say,
    });
    started.push(child);
    await child.start(calledOff);
    starting.delete(definition.name);
  };
  try {
    const simulatorUrl = options.simulator ? urlOf({ ports }, 'simulator') : null;
    const simulator = startSimulator({ root, folder, ports, url: simulatorUrl, startChild });
    // The services that need it receive the error; one failure is enough.
    simulator.catch(() => undefined);
    const servers = await startEmbeddedServers(folder, ports, {
      say,
      onStarted: (name, pid) => void pids.set(name, pid),
      calledOff,
    });
    starting.delete(serverNames);
    started.push(servers);
    const { of: entryOf } = files;
    const dependencies = { root, folder, ports, options, given, servers, simulator, entryOf };
    await startTogether(dependencies, startChild, started);
    if ('whisper' in ports) await startChild(whisperDefinition(dependencies));
    const admin = { url: urlOf(dependencies, 'admin'), token: folder.secrets.admin };
    writePrivately(folder.adminFile, admin);
    // A cancellation from here on does not stop the start: the key would be lost.
    calledOff?.throwIfAborted();
    const firstKey = await ensureFirstTeam(admin);
    const endAnnouncement = announceStack(root, folder.path);
    started.push({ stop: async () => endAnnouncement() });
    if (options.dev === true) started.push(restartOnChange(root, started, say));
    return {
      apiUrl: urlOf(dependencies, 'api'),
      filesUrl: urlOf(dependencies, 'files'),
      simulatorUrl,
      adminUrl: admin.url,
      engineUrl: 'whisper' in ports ? urlOf(dependencies, 'whisper') : null,
      dataFolder: folder,
      servers,
      firstKey,
      pidOf: (name) => pids.get(name),
      processes: () => pids,
      stop,
    };
  } catch (error) {
    await stop();
    // They remove what they have created incompletely.
    await files.settled();
    throw error;
  } finally {
    clearInterval(progress);
  }
}

async function prepareStart(options: StackOptions, { root, say, calledOff }: StackPorts) {
  const given = await readGivenSettings(root, names);
  const folder = openDataFolder(options.dataFolder);
  const record = new StackRecordFile(folder);
  await reclaimChildren(record.previous, say);
  const ports = await choosePorts(wantedPorts(options, hasWhisper(say)), record.previous?.ports ?? {});
  record.setPorts(ports);
  const files = entries(root, {
    sources: options.dev === true,
    say: (text) => void (calledOff?.aborted === true || say(text)),
  });
  // While the servers start.
  for (const app of ['bot-runner', ...names]) void files.of(app);
  return { given, folder, record, ports, files };
}

interface SimulatorStart {
  readonly root: string;
  readonly folder: DataFolder;
  readonly ports: Readonly<Record<string, number>>;
  readonly url: string | null;
  readonly startChild: (definition: ChildDefinition) => Promise<void>;
}

async function startSimulator({ url, startChild, ...place }: SimulatorStart): Promise<SimulatorFacts | null> {
  if (url === null) return null;
  await startChild(simulatorDefinition(place.root, place.folder, place.ports));
  return simulatorFacts(url);
}

/** All in parallel: no app needs another to start, and a restart has to take seconds. */
async function startTogether(
  dependencies: StackDependencies,
  startChild: (definition: ChildDefinition) => Promise<void>,
  started: { stop(): Promise<void> }[],
): Promise<void> {
  const start = async (service: LocalService) => startChild(await serviceDefinition(service, dependencies));
  const results = await Promise.allSettled(services.map(start));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason as Error;
  // Stopping begins at the end of the list: the scheduler finishes its bots while the others still respond.
  const order = services.map(({ name }) => name);
  started.sort((a, b) => rank(a, order) - rank(b, order));
}

/** For `npm run dev`. A service that fails to start is restarted on the next change. */
function restartOnChange(
  root: string,
  started: readonly { stop(): Promise<void> }[],
  say: (text: string) => void,
): { stop(): Promise<void> } {
  const restart = async (names: readonly string[]): Promise<void> => {
    const changed = started
      .filter((part) => part instanceof SupervisedProcess)
      .filter(({ name }) => names.includes(name));
    say(`Sources have changed: ${changed.map(({ name }) => name).join(', ')} start again.`);
    const results = await Promise.allSettled(changed.map((child) => child.restart()));
    for (const result of results) if (result.status === 'rejected') say((result.reason as Error).message);
  };
  let running = Promise.resolve();
  const end = watchSources(
    root,
    services.map(({ name }) => name),
    (names) => {
      running = running.then(() => restart(names));
    },
  );
  return {
    stop: async () => {
      end();
      await running;
    },
  };
}

function rank(part: { stop(): Promise<void> }, order: readonly string[]): number {
  return part instanceof SupervisedProcess ? order.indexOf(part.name) + 1 : 0;
}

function stopOnce(started: readonly { stop(): Promise<void> }[]): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const part of started.toReversed()) await part.stop();
  };
  return () => (stopping ??= run());
}

function hasWhisper(say: (text: string) => void): boolean {
  if (hasPython()) return true;
  say('Python 3.11 with venv is missing: this machine has no local transcription (provider local).');
  return false;
}

function wantedPorts(options: StackOptions, withWhisper: boolean): Record<string, number> {
  return {
    ...(withWhisper ? { whisper: 0 } : {}),
    ...Object.fromEntries(services.flatMap((service) => service.ports.map((name) => [name, 0]))),
    api: options.ports.api,
    files: options.ports.files,
    simulator: options.ports.simulator,
    simulatorHttps: options.ports.simulatorHttps ?? 0,
    postgres: 0,
    nats: 0,
  };
}

export function rootOf(moduleFolder: string): string {
  return join(moduleFolder, '..', '..', '..');
}
