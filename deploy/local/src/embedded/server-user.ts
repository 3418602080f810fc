import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The user that PostgreSQL runs as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const userName = 'postgres';
/** Accessible to every user on every Linux; used when the requested folder is inside a private home. */
const publicPlace = '/var/lib/rapporteur';

/**
 * PostgreSQL refuses to run as root. As root this returns the system user `postgres`, created when missing; otherwise
 * null: the current user.
 */
export function findServerUser(): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  const existing = lookUp();
  if (existing !== null) return existing;
  const made = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', userName],
    { encoding: 'utf8' },
  );
  const user = lookUp();
  if (user !== null) return user;
  const why = made.error?.message ?? made.stderr.trim();
  throw new Error(
    `PostgreSQL does not run as root and the system user ${userName} could not be made (${why}). Make it with "useradd --system ${userName}", or start as another user than root.`,
  );
}

function lookUp(): ServerUser | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, userName]).stdout?.toString() || NaN));
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid as number, gid: gid as number } : null;
}

/** True when `user` may enter every folder down to `path`; missing parts count as accessible. */
export function canReach(user: ServerUser | null, path: string): boolean {
  if (user === null) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && !mayEnter(user, folder)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function mayEnter(user: ServerUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/** The folder to use when the server user has no access to `path`: always the same for the same path. */
export function reachablePlaceFor(path: string, kind: string): string {
  const key = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 12);
  return join(publicPlace, `${kind}-${key}`);
}
