import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endChild, untilReady } from '@rapporteur/process-identity';
import { freePort } from '@rapporteur/testbed';

const run = promisify(execFile);
const packages = '/usr/lib/postgresql';

/** A PostgreSQL of the machine with its client programs, as operators use it. */
export interface DebianPostgres {
  urlOf(database: string): string;
  /** Runs `pg_dump`, `createdb` and others of the same version. */
  runClient(program: string, args: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** In a folder and on a port of its own. @throws Error without Debian's package `postgresql` */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const newest = existsSync(packages)
    ? readdirSync(packages)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  if (newest === undefined) throw new Error("This test needs Debian's package postgresql: apt-get install postgresql.");
  const programs = join(packages, newest, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-debian-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(folder, 0o755);
  const user = await unprivilegedUser();
  if (user !== null) await run('chown', [`${user.uid}:${user.gid}`, data]);
  const options = { ...user, cwd: '/' };
  const port = await freePort();
  await run(join(programs, 'initdb'), ['-D', data, '-U', 'rapporteur', '--auth=trust', '--no-sync'], options);
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=300'];
  const server = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
  const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'rapporteur'];
  const isReady = () =>
    run(join(programs, 'pg_isready'), connection).then(
      () => true,
      () => false,
    );
  const stop = async (): Promise<void> => {
    await endChild(server, [{ signal: 'SIGINT', waitMs: 30_000 }]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(server, isReady, { name: 'PostgreSQL', deadlineMs: 120_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urlOf: (database) => `postgres://rapporteur@127.0.0.1:${port}/${database}`,
    runClient: async (program, more) => void (await run(join(programs, program), [...connection, ...more])),
    stop,
  };
}

/** PostgreSQL refuses to run as root; null: we are not. */
async function unprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}
