import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../ports.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ensureCluster, postgresDatabase, postgresUser } from './postgres-cluster.ts';
import { quietLogger } from './server-log.ts';
import type { ServerLogger } from './server-log.ts';
import { embeddedServer, endLeftover, SupervisedProcess } from './supervised-process.ts';
import type { SupervisedDefinition } from './supervised-process.ts';
import { canReach, findServerUser, reachablePlaceFor } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

export interface PostgresOptions {
  /** Contains the data cluster, the password (mode 0600) and the log. Created when missing. */
  readonly dataFolder: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly logger?: ServerLogger | undefined;
  /** `off` for tests: nothing is flushed; faster, but a power failure loses data, and stop does not write back. */
  readonly durability?: 'full' | 'off';
  /** Restarts after a crash; default true. */
  readonly restart?: boolean;
  /** For tests: when this process ends, even by SIGKILL, the server is stopped and this folder is deleted. */
  readonly diesWithUs?: { readonly folder?: string } | undefined;
  readonly onStarted?: ((pid: number) => void) | undefined;
  /**
   * When aborted, the start is cancelled: the started process is ended, and so is the server of a killed run on this
   * folder.
   */
  readonly calledOff?: AbortSignal | undefined;
}

export interface RunningPostgres {
  /** postgres://user:password@127.0.0.1:port/rapporteur. A secret: it contains the password. */
  readonly url: string;
  readonly port: number;
  /** The actual location of the data: `dataFolder`, or a public folder when the server's user has no access to that. */
  readonly dataFolder: string;
  /** The process id of its latest process. */
  readonly pid: number;
  /** SIGKILL without a restart, for tests. `start` restarts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Fast shutdown: open transactions are rolled back. Within about 10 s. Idempotent. */
  stop(): Promise<void>;
}

/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, which costs a recovery at the next start. */
const stopSignals = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 3_000 },
] as const;
const quickStopSignals = [{ signal: 'SIGQUIT', waitMs: 3_000 }] as const;
const portAttempts = 3;

interface Place {
  readonly folder: string;
  readonly cluster: string;
  readonly binaries: PostgresBinaries;
  readonly user: ServerUser | null;
  readonly port: number;
}

/**
 * Starts PostgreSQL on 127.0.0.1 and resolves when it accepts connections; creates the database on the first start. A
 * server of a killed run on this folder is stopped first. Rejects with its last log lines when it does not start within
 * 30 s.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const logger = options.logger ?? quietLogger;
  const fast = options.durability === 'off';
  const user = findServerUser();
  const binaries = findPostgresBinaries(user, logger);
  const folder = reachableDataFolder(resolve(options.dataFolder), user, logger);
  const password = await ensureCluster({ folder, binaries, user, fast });
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ? options.port : await freePort();
    const place = { folder, cluster: join(folder, 'cluster'), binaries, user, port };
    const server = new SupervisedProcess(definitionOf({ ...options, logger }, place));
    try {
      await server.start(options.calledOff);
      return running(server, place, password);
    } catch (error) {
      const portWasTaken = !options.port && /could not bind/i.test(String(error));
      if (!portWasTaken || attempt === portAttempts) throw error;
    }
  }
}

function running(server: SupervisedProcess, { folder, port }: Place, password: string): RunningPostgres {
  return {
    url: `postgres://${postgresUser}:${password}@127.0.0.1:${port}/${postgresDatabase}`,
    port,
    dataFolder: folder,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

function definitionOf(options: PostgresOptions & { logger: ServerLogger }, place: Place): SupervisedDefinition {
  const fast = options.durability === 'off';
  const signals = fast ? quickStopSignals : stopSignals;
  return {
    ...embeddedServer,
    name: 'PostgreSQL',
    program: place.binaries.postgres,
    arguments: ['-D', place.cluster, ...settingsOf(place.port, fast).flatMap((setting) => ['-c', setting])],
    folder: place.folder,
    runAs: place.user,
    logFile: join(place.folder, 'postgres.log'),
    logger: options.logger,
    prepare: () => endPreviousRun(place.cluster, signals),
    isReady: async (pid: number) => saysReady(place.cluster, pid),
    stopSignals: signals,
    restart: (options.restart ?? true) ? embeddedServer.restart : null,
    diesWithUs: options.diesWithUs === undefined ? undefined : { signal: 'QUIT', ...options.diesWithUs },
    onStarted: options.onStarted,
  };
}

function settingsOf(port: number, fast: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_line_prefix=%m [%p] %a ',
    ...(fast
      ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0']
      : []),
  ];
}

function reachableDataFolder(wanted: string, user: ServerUser | null, logger: ServerLogger): string {
  if (canReach(user, wanted)) return wanted;
  const place = reachablePlaceFor(wanted, 'data');
  logger.warn(
    { wanted, place },
    `PostgreSQL runs as the user postgres, which cannot enter ${wanted} (a folder above it is closed to others). Its data is kept in ${place} instead.`,
  );
  return place;
}

/** Line 8 of postmaster.pid is the state that pg_ctl waits for. */
function saysReady(cluster: string, pid: number): boolean {
  const lines = readLockFile(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function readLockFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

async function endPreviousRun(cluster: string, signals: typeof stopSignals | typeof quickStopSignals): Promise<void> {
  const pid = Number(readLockFile(cluster)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  await endLeftover(pid, cluster, signals);
  // The PID may belong to another process by now, which PostgreSQL would take for a running server.
  const lockFile = join(cluster, 'postmaster.pid');
  if (existsSync(lockFile)) rmSync(lockFile);
}
