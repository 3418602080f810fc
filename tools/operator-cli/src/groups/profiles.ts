import type { CommandDefinition, CommandGroup } from '../command.ts';
import { one } from '../command.ts';
import { profileFileOf, readKey, readProfiles, writeProfiles } from '../profiles.ts';
import { program } from '../program.ts';
import { StateError, tableOf, UsageError } from '../sentences.ts';

const set: CommandDefinition = {
  summary: 'remember a deployment and a key under a name, for --profile and RAPPORTEUR_PROFILE',
  example: 'profiles set production --api-url https://bots.example.com --key-file key.txt',
  operands: '[name]',
  run: async ({ options: { apiUrl, keyFile }, operands, environment, folder }) => {
    const name = one(operands, `Under which name? ${program} profiles set NAME --api-url URL --key-file FILE`);
    if (apiUrl === undefined || keyFile === undefined) throw new UsageError('Give --api-url and --key-file.');
    if (!URL.canParse(apiUrl))
      throw new UsageError(`--api-url must be an address such as https://bots.example.com, not ${apiUrl}.`);
    const file = profileFileOf(environment);
    writeProfiles(file, { ...readProfiles(file), [name]: { api_url: apiUrl, api_key: readKey(keyFile, folder) } });
    return { text: `Use it with --profile ${name}. It is kept in ${file}.`, data: { name, file } };
  },
};

const list: CommandDefinition = {
  summary: 'the profiles there are',
  example: 'profiles list',
  run: async ({ environment }) => {
    const profiles = Object.entries(readProfiles(profileFileOf(environment)));
    const data = profiles.map(([name, { api_url, api_key }]) => ({ name, api_url, key_start: api_key.slice(0, 8) }));
    if (data.length === 0) return { text: 'There are no profiles yet.', data };
    const rows = data.map(({ name, api_url, key_start }) => [name, api_url, `${key_start}…`]);
    return { text: tableOf(['NAME', 'API', 'KEY'], rows), data };
  },
};

const remove: CommandDefinition = {
  summary: 'forget a profile and its key',
  example: 'profiles remove production',
  operands: '[name]',
  run: async ({ operands, environment }) => {
    const name = one(operands, `Which profile? ${program} profiles remove NAME`);
    const file = profileFileOf(environment);
    const { [name]: removed, ...kept } = readProfiles(file);
    if (removed === undefined) throw new StateError(`There is no profile ${name}.`);
    writeProfiles(file, kept);
    return { text: `The profile ${name} is forgotten.`, data: { name } };
  },
};

export const profiles: CommandGroup = {
  noun: 'profiles',
  summary: 'deployments and keys that this program remembers',
  commands: { set, list, remove },
};
