import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writePrivately } from '@rapporteur/local-stack/data-folder';
import { z } from 'zod';
import { StateError, UsageError } from './sentences.ts';

/** Variables of the process: `RAPPORTEUR_*`, `HOME`, `XDG_CONFIG_HOME`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const profilesShape = z.record(z.string(), z.object({ api_url: z.string(), api_key: z.string() }));
export type Profiles = z.infer<typeof profilesShape>;

export function profileFileOf(environment: Environment): string {
  const home = environment['XDG_CONFIG_HOME'] ?? join(environment['HOME'] ?? '.', '.config');
  return join(home, 'rapporteur', 'profiles.json');
}

/** @throws StateError for a file that is not one of this program */
export function readProfiles(file: string): Profiles {
  if (!existsSync(file)) return {};
  try {
    return profilesShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StateError(`${file} does not hold profiles. Repair it, or remove it.`, { cause: error });
  }
}

/** Readable by this user only: it has keys. */
export function writeProfiles(file: string, profiles: Profiles): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivately(file, profiles);
}

export function readKey(file: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8').trim();
  } catch (error) {
    throw new UsageError(`The key file ${resolve(folder, file)} cannot be read.`, { cause: error });
  }
}

export interface Deployment {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface DeploymentOptions {
  readonly apiUrl?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * The deployment named by options or environment; null: none. Options take precedence over the environment, and a
 * profile completes both.
 */
export function namedDeployment(
  options: DeploymentOptions,
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
): Deployment | null {
  const file = profileFileOf(environment);
  const wanted = options.profile ?? environment['RAPPORTEUR_PROFILE'];
  const baseUrl = options.apiUrl ?? environment['RAPPORTEUR_API_URL'];
  const apiKey = options.keyFile === undefined ? environment['RAPPORTEUR_API_KEY'] : readKey(options.keyFile, folder);
  if (wanted === undefined && baseUrl === undefined && options.keyFile === undefined) return null;
  const profile = wanted === undefined ? undefined : readProfiles(file)[wanted];
  if (wanted !== undefined && profile === undefined) throw new UsageError(`There is no profile ${wanted} in ${file}.`);
  const found = { baseUrl: baseUrl ?? profile?.api_url, apiKey: apiKey ?? profile?.api_key };
  if (found.baseUrl === undefined)
    throw new UsageError('The address of the API is missing: give --api-url, RAPPORTEUR_API_URL or a --profile.');
  if (found.apiKey === undefined || found.apiKey === '')
    throw new UsageError('The API key is missing: give --key-file, RAPPORTEUR_API_KEY or a --profile.');
  return { baseUrl: found.baseUrl, apiKey: found.apiKey };
}
