import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { batchVendors, liveVendors } from '@rapporteur/speech-to-text/providers';

/** The OAuth clients that the simulator knows. */
export const simulatedClients = {
  GOOGLE_CLIENT_ID: 'simulated-google-client',
  GOOGLE_CLIENT_SECRET: 'simulated-google-secret',
  MICROSOFT_CLIENT_ID: 'simulated-microsoft-client',
  MICROSOFT_CLIENT_SECRET: 'simulated-microsoft-secret',
};

/** Settings that every service with outbound requests gets, and bots under their names with `RUNNER_`. */
const sharedNames: ReadonlySet<string> = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'CA_FILE']);
const thisMachine = '127.0.0.1,localhost,.localhost';
/** Names of the command line and of tests. */
const otherNames: ReadonlySet<string> = new Set(['API_URL', 'API_KEY', 'PROFILE', 'TEST_SIMULATOR']);
/** Names of one service, which the stack sets and uses. */
const ownNames: ReadonlySet<string> = new Set(['ADMIN_TOKEN', 'MODEL_FOLDER', 'EXIT_WITH_PARENT']);

/** Settings of the environment by service, without prefix. */
export type GivenSettings = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * The settings of `RAPPORTEUR_` variables for the service that has them. Throws with every variable that no service has,
 * and that several have: each would need a value of its own. A path is relative to where the stack is started.
 */
export async function readGivenSettings(
  root: string,
  services: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<GivenSettings> {
  const given = new Map(
    Object.entries(environment)
      .filter(([name, value]) => name.startsWith('RAPPORTEUR_') && (value ?? '') !== '')
      .map(([name, value = '']) => [name.replace('RAPPORTEUR_', ''), value] as const)
      .filter(([name]) => !otherNames.has(name)),
  );
  const settings = new Map<string, Record<string, string>>();
  if (given.size === 0) return settings;
  if (given.has('HTTP_PROXY') || given.has('HTTPS_PROXY'))
    given.set('NO_PROXY', [thisMachine, given.get('NO_PROXY') ?? []].flat().join());
  const known = new Map<string, ReadonlySet<string>>([['whisper', whisperNames(root)]]);
  for (const service of services) known.set(service, await namesOf(root, service));
  const set = (service: string, name: string, value: string): void => {
    const isPath = (name === 'PAGE_PACKS' || name.endsWith('_FILE')) && !/^https?:/i.test(value);
    settings.set(service, { ...settings.get(service), [name]: isPath ? resolve(value) : value });
  };
  const setShared = (name: string, value: string): void => {
    for (const [service, names] of known) {
      if (names.has(name)) set(service, name, value);
      if (names.has(`RUNNER_${name}`)) set(service, `RUNNER_${name}`, value);
    }
  };
  const problems: string[] = [];
  for (const [name, value] of given) {
    const owners = [...known].filter(([, names]) => names.has(name)).map(([service]) => service);
    if (sharedNames.has(name)) setShared(name, value);
    else if (owners.length === 1 && !ownNames.has(name)) set(owners[0] ?? '', name, value);
    else if (owners.length === 0) problems.push(`RAPPORTEUR_${name} is not a setting of any service.`);
    else problems.push(`RAPPORTEUR_${name} is a setting of ${owners.join(', ')}, and npm start does not pass it.`);
  }
  if (problems.length > 0) throw new Error(`The environment does not fit:\n- ${problems.join('\n- ')}`);
  return settings;
}

/** Names of the settings in `config.ts` of an app. */
async function namesOf(root: string, service: string): Promise<Set<string>> {
  const exported: unknown[] = Object.values(
    (await import(join(root, 'apps', service, 'src/config.ts'))) as Record<string, unknown>,
  );
  const shapes = exported.filter((one) => typeof one === 'object' && one !== null && 'databaseUrl' in one);
  return new Set(
    shapes.flatMap((shape) => Object.keys(shape as object)).map((key) => key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()),
  );
}

/** The program in Python has no list that could be imported. */
function whisperNames(root: string): Set<string> {
  const text = readFileSync(join(root, 'apps/whisper/whisper_server/configuration.py'), 'utf8');
  return new Set([...text.matchAll(/^ {4}(\w+): \w+ = _setting\(/gm)].map(([, name = '']) => name.toUpperCase()));
}

/** Providers whose key or address is given. */
export function givenEngines(given: GivenSettings): { readonly batch: string[]; readonly live: string[] } {
  const { transcriber = {}, 'bot-scheduler': scheduler = {} } = Object.fromEntries(given);
  const has = (settings: Readonly<Record<string, string>>, name: string) => name in settings;
  return {
    batch: [
      ...batchVendors.filter((name) => has(transcriber, `${name.toUpperCase()}_API_KEY`)),
      ...(has(transcriber, 'OPENAI_COMPATIBLE_URL') ? ['openai-compatible'] : []),
    ],
    live: liveVendors.filter((name) => has(scheduler, `LIVE_${name.toUpperCase()}_API_KEY`)),
  };
}
