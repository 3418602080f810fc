import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renameDurably, writeDurably } from '@rapporteur/event-bus/durable-file';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);
const initDeadlineMs = 60_000;

export const postgresUser = 'rapporteur';
export const postgresDatabase = 'rapporteur';

export interface ClusterPlace {
  /** The stack's folder: contains `cluster/` (the server's), `password` (0600) and the log. */
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly user: ServerUser | null;
  /** For tests: skips flushing to disk while the cluster is created. */
  readonly fast: boolean;
}

/** Creates the data cluster atomically when it is missing, and returns the password of its only user. */
export async function ensureCluster(place: ClusterPlace): Promise<string> {
  mkdirSync(place.folder, { recursive: true, mode: 0o755 });
  if (place.user !== null) chmodSync(place.folder, 0o755);
  const passwordFile = join(place.folder, 'password');
  const clusterFolder = join(place.folder, 'cluster');
  if (existsSync(clusterFolder)) return readPassword(passwordFile, clusterFolder);
  await makeCluster(place);
  return readPassword(passwordFile, clusterFolder);
}

function readPassword(file: string, clusterFolder: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new Error(
    `The database in ${clusterFolder} is there but the file with its password, ${file}, is missing. Put the file back, or delete both to begin with an empty database.`,
  );
}

async function makeCluster({ folder, binaries, user, fast }: ClusterPlace): Promise<void> {
  const unfinished = join(folder, 'cluster.unfinished');
  const passwordForInit = join(folder, 'password.initdb');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  writeDurably(join(folder, 'password'), `${password}\n`);
  writeFileSync(passwordForInit, `${password}\n`, { mode: 0o600 });
  if (user !== null) for (const path of [unfinished, passwordForInit]) chownSync(path, user.uid, user.gid);
  const asServer = { ...user, cwd: folder, timeout: initDeadlineMs, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  try {
    await run(
      binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${postgresUser}`,
        `--pwfile=${passwordForInit}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(fast ? ['--no-sync', '--wal-segsize=1'] : []),
      ],
      asServer,
    );
    await createDatabase(binaries, unfinished, asServer);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(`PostgreSQL could not make its data folder ${unfinished}. It said:\n${said}`, { cause: error });
  } finally {
    rmSync(passwordForInit, { force: true });
  }
  renameDurably(unfinished, join(folder, 'cluster'));
}

/** Single-user mode needs neither a port nor a client. */
async function createDatabase(
  binaries: PostgresBinaries,
  clusterFolder: string,
  asServer: { cwd: string; timeout: number; env: Record<string, string> },
): Promise<void> {
  const finished = run(binaries.postgres, ['--single', '-F', '-D', clusterFolder, 'postgres'], asServer);
  finished.child.stdin?.end(`create database ${postgresDatabase};\n`);
  await finished;
}
