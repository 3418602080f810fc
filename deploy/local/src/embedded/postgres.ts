import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../ports.ts';
import { blockedAt, ownFolder, postgresProgramFolder, serverUser } from './postgres-program.ts';
import type { ServerUser } from './postgres-program.ts';
import { endOrphan, ServerProcess } from './server-process.ts';

export interface PostgresOptions {
  /** Everything of this server is below it: `cluster`, the password file and the log. */
  readonly dataFolder: string;
  /** 0: any free one. */
  readonly port: number;
  /** `off` only for tests: a crash of the machine may lose data. */
  readonly durability?: 'full' | 'off';
}

export interface RunningPostgres {
  /** With user and password, for the database `rapporteur`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const databaseName = 'rapporteur';

/**
 * Starts PostgreSQL on the loopback; creates the cluster on the first start, ends one that a killed run left behind.
 * Throws with the server's last words when it does not come up.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const user = serverUser();
  const blocked = blockedAt(join(options.dataFolder, '..'), user);
  if (blocked !== null) {
    throw new Error(`PostgreSQL runs as the user "postgres" when we are root, and that user may not enter ${blocked}. Choose another place: npm start -- --data-folder /var/lib/rapporteur`);
  }
  const program = postgresProgramFolder(user);
  ownFolder(options.dataFolder, user);
  const cluster = join(options.dataFolder, 'cluster');
  const password = passwordOf(join(options.dataFolder, 'password'), user);
  await endOrphanOf(cluster);
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster({ program, cluster, user, passwordFile: join(options.dataFolder, 'password') });
  const port = options.port === 0 ? await freePort() : options.port;
  const urlOf = (database: string): string => `postgres://rapporteur:${password}@127.0.0.1:${port}/${database}`;
  const server = await ServerProcess.start({
    name: 'PostgreSQL',
    program: join(program, 'bin/postgres'),
    arguments: ['-D', cluster, ...settings(port, options.durability ?? 'full')],
    logFile: join(options.dataFolder, 'postgres.log'),
    user,
    workingFolder: options.dataFolder,
    isReady: () => answers(urlOf('postgres')),
    readyDeadlineMs: 30_000,
    stopSignal: 'SIGINT',
  });
  await createDatabase(urlOf('postgres'));
  return { url: urlOf(databaseName), port, pid: server.pid, stop: () => server.stop(), kill: () => server.kill() };
}

function settings(port: number, durability: 'full' | 'off'): string[] {
  const values: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] %a ',
    ...(durability === 'off' ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function passwordOf(file: string, user: ServerUser | null): string {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (user !== null) chownSync(file, user.uid, user.gid);
  }
  return readFileSync(file, 'utf8');
}

function createCluster(options: { program: string; cluster: string; user: ServerUser | null; passwordFile: string }): void {
  const { program, cluster, user, passwordFile } = options;
  const run = spawnSync(
    join(program, 'bin/initdb'),
    ['-D', cluster, '-U', 'rapporteur', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C', '--no-sync'],
    {
      encoding: 'utf8',
      timeout: 60_000,
      cwd: join(cluster, '..'),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    },
  );
  if (run.status === 0) return;
  // A half-made cluster would be taken for a whole one next time.
  rmSync(cluster, { recursive: true, force: true });
  throw new Error(`PostgreSQL could not create its data folder ${cluster}:\n${run.stderr || (run.error?.message ?? '')}`);
}

async function endOrphanOf(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  await endOrphan({ pid, cmdlineHolds: cluster, signal: 'SIGINT' });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  // A refused connection also comes as an event; the answer is the rejection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}
