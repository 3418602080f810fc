import type { Key, KeyChange } from '../admin-api.ts';
import { one, teamNamed } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const permission = { '--permission <permission>': 'full or sending' } as const;
const seeList = `see ${program} keys list`;

const create: CommandDefinition = {
  summary: 'make a key and print it, once',
  example: 'keys create --permission sending --name website',
  options: {
    ...permission,
    '--name <name>': 'what it is for',
    '--expires-at <time>': 'such as 2027-01-31T18:00:00Z',
  },
  run: async ({ api, options: { team: named, name, permission: wanted, expiresAt } }) => {
    const team = await teamNamed(api, named);
    const key = await api.createKey(team.team_id, {
      ...(name === undefined ? {} : { name }),
      ...(wanted === undefined ? {} : { permission: wanted }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    });
    const text = `${key.api_key}\n\nA key with ${permissionOf(key)} for the team "${team.name}". Keep it: it is shown this once.`;
    return { text, data: key };
  },
};

const list: CommandDefinition = {
  summary: 'keys: the newest 1,000 of all teams, or of one with --team',
  example: 'keys list --team "Second team"',
  run: async ({ api, options }) => {
    const team = options['team'] === undefined ? null : await teamNamed(api, options['team']);
    const keys = await (team === null ? api.listKeys() : api.listKeysOf(team.team_id));
    if (keys.length === 0) return { text: `There are no keys yet. Make one with: ${program} keys create`, data: [] };
    const teams = team === null ? await api.listTeams() : [team];
    const names = new Map(teams.map((known) => [known.team_id, known.name]));
    const text = tableOf(
      ['ID', 'KEY', 'TEAM', 'NAME', 'PERMISSION', 'STATE', 'LAST USED'],
      keys.map((key) => [
        key.key_id,
        `${key.start}…`,
        names.get(key.team_id) ?? key.team_id,
        key.name,
        permissionOf(key),
        stateOf(key),
        key.last_used_at ?? 'never',
      ]),
    );
    return { text, data: keys };
  },
};

const change: CommandDefinition = {
  summary: 'change a key, within a second',
  example: 'keys change KEY_ID --permission sending --expires-at never',
  operands: '[key-id]',
  options: { ...permission, '--name <name>': 'its new name', '--expires-at <time>': 'a time, or never' },
  run: async ({ api, options: { name, permission: wanted, expiresAt }, operands }) => {
    const keyId = one(operands, `Which key? Say its id: ${program} keys change KEY_ID (${seeList}).`);
    const change: KeyChange = {
      ...(name === undefined ? {} : { name }),
      ...(wanted === undefined ? {} : { permission: wanted }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt === 'never' ? null : expiresAt }),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError('What to change? Say --permission full|sending, --expires-at TIME|never or --name NAME.');
    const key = await api.changeKey(keyId, change);
    const text = `The key ${key.start}… ("${key.name}") has ${permissionOf(key)} and is ${stateOf(key)}, within a second.`;
    return { text, data: key };
  },
};

const revoke: CommandDefinition = {
  summary: 'end a key; within a second it opens nothing',
  example: 'keys revoke KEY_ID',
  operands: '[key-id]',
  run: async ({ api, operands }) => {
    const keyId = one(operands, `Which key? Say its id: ${program} keys revoke KEY_ID (${seeList}).`);
    const key = await api.revokeKey(keyId);
    return {
      text: `The key ${key.start}… ("${key.name}") is revoked. Within a second it opens nothing any more.`,
      data: key,
    };
  },
};

export const keys: CommandGroup = {
  noun: 'keys',
  summary: 'API keys of teams',
  commands: { create, list, change, revoke },
};

function permissionOf(key: Key): string {
  return key.permission === 'full' ? 'Full Access' : 'Sending Access';
}

function stateOf(key: Key): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'good';
  return Date.parse(key.expires_at) <= Date.now() ? 'expired' : `good until ${key.expires_at}`;
}
