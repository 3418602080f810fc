import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@rapporteur/local-stack/data-folder';
import { createRapporteurClient } from '@rapporteur/sdk';
import type { RapporteurClient } from '@rapporteur/sdk';
import type { AdminApi } from './admin-api.ts';
import { teamNamed } from './command.ts';
import type { CommandOptions } from './command.ts';
import { addressOf } from './local-stack.ts';
import type { LocalStack } from './local-stack.ts';
import { namedDeployment } from './profiles.ts';
import type { Environment } from './profiles.ts';

export interface ClientDependencies {
  readonly options: CommandOptions;
  readonly folder: string;
  readonly environment: Environment;
  readonly stack: () => LocalStack;
  readonly admin: () => AdminApi;
}

const keyLifetimeMs = 24 * 3_600_000;
const leastRemainingMs = 60_000;

/** The public API as a customer's program uses it: of the named deployment, else of the stack on this machine. */
export async function openClient(dependencies: ClientDependencies): Promise<RapporteurClient> {
  const { options, stack, admin } = dependencies;
  const named = namedDeployment(options, dependencies);
  if (named !== null) return createRapporteurClient(named);
  const local = stack();
  return createRapporteurClient({ baseUrl: addressOf(local, 'api'), apiKey: await localKey(local, admin(), options) });
}

interface KeptKey {
  readonly team: string;
  readonly key: string;
  readonly expiresAt: string;
}

/** This program's own key, valid for a day, stored next to the admin token in the data folder. */
async function localKey({ dataFolder }: LocalStack, api: AdminApi, options: CommandOptions): Promise<string> {
  const team = await teamNamed(api, options['team']);
  const file = join(dataFolder, 'cli-key.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptKey) : null;
  if (kept?.team === team.team_id && Date.parse(kept.expiresAt) - Date.now() > leastRemainingMs) return kept.key;
  const expiresAt = new Date(Date.now() + keyLifetimeMs).toISOString();
  const made = await api.createKey(team.team_id, { name: 'rapporteur command line', expires_at: expiresAt });
  writePrivately(file, { team: team.team_id, key: made.api_key, expiresAt } satisfies KeptKey);
  return made.api_key;
}
