import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AdminAddress } from './admin-api.ts';
import { StateError, UsageError } from './sentences.ts';

export interface AddressOptions {
  readonly adminUrl?: string | undefined;
  readonly adminTokenFile?: string | undefined;
  readonly dataFolder?: string | undefined;
}

export interface Places {
  /** Relative paths start here. */
  readonly folder: string;
  /** Data folders of the running stacks on this machine. */
  readonly runningStacks: readonly string[];
}

/**
 * From the options, or from the file of the stack on this machine in its data folder: the running one, else the default
 * one. Throws UsageError with the fix.
 */
export function findAdminApi(options: AddressOptions, places: Places): AdminAddress {
  const { adminUrl: url, adminTokenFile: tokenFile } = options;
  if (url !== undefined || tokenFile !== undefined) {
    if (url === undefined || tokenFile === undefined)
      throw new UsageError('Give --admin-url and --admin-token-file together.');
    if (!URL.canParse(url))
      throw new UsageError(`--admin-url must be an address such as http://127.0.0.1:8082, not ${url}.`);
    return { url: url.replace(/\/$/, ''), token: read(resolve(places.folder, tokenFile)).trim() };
  }
  return readAdminFile(dataFolderOf(options.dataFolder, places));
}

/** Absolute path of the named data folder, else that of the stack that runs, else the usual one. Throws UsageError when several run. */
export function dataFolderOf(named: string | undefined, { folder, runningStacks }: Places): string {
  const [running, ...others] = runningStacks;
  if (named === undefined && others.length > 0) {
    const list = runningStacks.map((place) => `  ${place}`).join('\n');
    throw new UsageError(
      `Several stacks run on this machine. Name the data folder of one with --data-folder:\n${list}`,
    );
  }
  return resolve(folder, named ?? running ?? '.rapporteur');
}

/** The stack's file in its data folder on this machine. Throws UsageError. */
export function readAdminFile(dataFolder: string): AdminAddress {
  const file = resolve(dataFolder, 'admin.json');
  return parse(read(file), file);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StateError(
      `${file} cannot be read. Start Rapporteur on this machine first (npm start), or name its data folder with --data-folder, or its admin API with --admin-url and --admin-token-file.`,
      { cause: error },
    );
  }
}

function parse(text: string, file: string): AdminAddress {
  try {
    const { url, token } = JSON.parse(text) as Partial<AdminAddress>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch {
    // Reported below: text that is not JSON and JSON without the two members are the same error for a user.
  }
  throw new StateError(
    `${file} does not hold an address and a token. Start Rapporteur again: it writes the file anew.`,
  );
}
