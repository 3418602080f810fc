import type { AdminApi, Key, Team } from './admin-api.ts';
import { tableOf, UsageError } from './sentences.ts';

export interface CommandOptions {
  readonly team?: string | undefined;
  readonly permission?: string | undefined;
  readonly name?: string | undefined;
  readonly 'expires-at'?: string | undefined;
  readonly plan?: string | undefined;
  readonly tokens?: string | undefined;
}

export interface CommandContext {
  readonly api: AdminApi;
  readonly options: CommandOptions;
  /** What stands behind the command's own words. */
  readonly operands: readonly string[];
}

/** Does the command and gives the text to print. */
export type Command = (context: CommandContext) => Promise<string>;

export const commands: Readonly<Record<string, Command>> = {
  'keys create': async ({ api, options }) => {
    const team = await teamNamed(api, options.team);
    const key = await api.createKey(team.team_id, {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.permission === undefined ? {} : { permission: options.permission }),
      ...(options['expires-at'] === undefined ? {} : { expires_at: options['expires-at'] }),
    });
    return `${key.api_key}\n\nA key with ${permissionOf(key)} for the team "${team.name}". Keep it: it is shown this once.`;
  },
  'keys list': async ({ api }) => {
    const [keys, teams] = await Promise.all([api.listKeys(), api.listTeams()]);
    if (keys.length === 0) return 'There are no keys yet. Make one with: rapporteur keys create';
    const names = new Map(teams.map((team) => [team.team_id, team.name]));
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
  'keys revoke': async ({ api, operands }) => {
    const key = await api.revokeKey(
      one(operands, 'Which key? Say its id: rapporteur keys revoke KEY_ID (see rapporteur keys list).'),
    );
    return `The key ${key.start}… ("${key.name}") is revoked. Within a second it opens nothing any more.`;
  },
  'teams create': async ({ api, options, operands }) => {
    const team = await api.createTeam({
      name: one(operands, 'What is the team called? rapporteur teams create NAME'),
      ...(options.plan === undefined ? {} : { plan: options.plan }),
      ...(options.tokens === undefined ? {} : { tokens: numberOf('--tokens', options.tokens) }),
    });
    return `${team.api_key}\n\nThe team "${team.name}" has the plan ${team.plan}. The line above is its first key, with Full Access. Keep it: it is shown this once.`;
  },
  'teams list': async ({ api }) => {
    const teams = await api.listTeams();
    if (teams.length === 0) return 'There are no teams yet. Make one with: rapporteur teams create NAME';
    return tableOf(
      ['ID', 'NAME', 'PLAN', 'REQUESTS/S', 'BOTS/DAY', 'KEPT DAYS'],
      teams.map((team) => [
        team.team_id,
        team.name,
        team.plan,
        String(team.requests_per_second),
        String(team.daily_bot_cap),
        String(team.retention_days),
      ]),
    );
  },
  'tokens grant': async ({ api, options, operands }) => {
    const tokens = numberOf(
      'The number of tokens',
      one(operands, 'How many tokens? rapporteur tokens grant N [--team NAME]'),
    );
    const team = await teamNamed(api, options.team);
    await api.grantTokens(team.team_id, tokens);
    return `The team "${team.name}" gets ${tokens} tokens.`;
  },
};

/** The team with this name, or the only one there is. */
async function teamNamed(api: AdminApi, name: string | undefined): Promise<Team> {
  const teams = await api.listTeams();
  const found = name === undefined && teams.length === 1 ? teams[0] : teams.find((team) => team.name === name);
  if (found !== undefined) return found;
  if (teams.length === 0) throw new UsageError('There are no teams yet. Make one with: rapporteur teams create NAME');
  const names = teams.map((team) => `"${team.name}"`).join(', ');
  throw new UsageError(
    name === undefined
      ? `For which team? Say --team NAME. There are: ${names}.`
      : `There is no team "${name}". There are: ${names}.`,
  );
}

function one(operands: readonly string[], question: string): string {
  const [only, ...rest] = operands;
  if (only === undefined || rest.length > 0) throw new UsageError(question);
  return only;
}

function numberOf(what: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new UsageError(`${what} must be a number above zero, not ${text}.`);
  return value;
}

function permissionOf(key: Key): string {
  return key.permission === 'full' ? 'Full Access' : 'Sending Access';
}

function stateOf(key: Key): string {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'good';
  return Date.parse(key.expires_at) <= Date.now() ? 'expired' : `good until ${key.expires_at}`;
}
