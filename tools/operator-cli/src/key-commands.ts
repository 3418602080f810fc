import type { Key, KeyChange } from './admin-api.ts';
import { one, teamNamed } from './command.ts';
import type { Command } from './command.ts';
import { tableOf, UsageError } from './sentences.ts';

export const keyCommands: Readonly<Record<string, Command>> = {
  'keys create': async ({ api, options }) => {
    const team = await teamNamed(api, options.team);
    const key = await api.createKey(team.team_id, {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.permission === undefined ? {} : { permission: options.permission }),
      ...(options['expires-at'] === undefined ? {} : { expires_at: options['expires-at'] }),
    });
    return `${key.api_key}\n\nA key with ${permissionOf(key)} for the team "${team.name}". Keep it: it is shown this once.`;
  },
  'keys list': async ({ api, options }) => {
    const team = options.team === undefined ? null : await teamNamed(api, options.team);
    const keys = await (team === null ? api.listKeys() : api.listKeysOf(team.team_id));
    if (keys.length === 0) return 'There are no keys yet. Make one with: npm run rapporteur -- keys create';
    const teams = team === null ? await api.listTeams() : [team];
    const names = new Map(teams.map((one) => [one.team_id, one.name]));
    return tableOf(
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
  },
  'keys change': async ({ api, options, operands }) => {
    const keyId = one(
      operands,
      'Which key? Say its id: npm run rapporteur -- keys change KEY_ID (see npm run rapporteur -- keys list).',
    );
    const end = options['expires-at'];
    const change: KeyChange = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.permission === undefined ? {} : { permission: options.permission }),
      ...(end === undefined ? {} : { expires_at: end === 'never' ? null : end }),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError('What to change? Say --permission full|sending, --expires-at TIME|never or --name NAME.');
    }
    const key = await api.changeKey(keyId, change);
    return `The key ${key.start}… ("${key.name}") has ${permissionOf(key)} and is ${stateOf(key)}, within a second.`;
  },
  'keys revoke': async ({ api, operands }) => {
    const key = await api.revokeKey(
      one(
        operands,
        'Which key? Say its id: npm run rapporteur -- keys revoke KEY_ID (see npm run rapporteur -- keys list).',
      ),
    );
    return `The key ${key.start}… ("${key.name}") is revoked. Within a second it opens nothing any more.`;
  },
};

function permissionOf(key: Key): string {
  return key.permission === 'full' ? 'Full Access' : 'Sending Access';
}

function stateOf(key: Key): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'good';
  return Date.parse(key.expires_at) <= Date.now() ? 'expired' : `good until ${key.expires_at}`;
}
