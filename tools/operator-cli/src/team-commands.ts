import type { Limits, Team, TeamChange } from './admin-api.ts';
import { numberOf, one, teamNamed } from './command.ts';
import type { Command } from './command.ts';
import { limitsIn, limitsSentence, numberOrPlan } from './limit-options.ts';
import { tableOf, UsageError } from './sentences.ts';

export const teamCommands: Readonly<Record<string, Command>> = {
  'teams create': async ({ api, options, operands }) => {
    const team = await api.createTeam({
      name: one(operands, 'What is the team called? npm run rapporteur -- teams create NAME'),
      ...(options.plan === undefined ? {} : { plan: options.plan }),
      ...(options.tokens === undefined ? {} : { tokens: numberOf('--tokens', options.tokens) }),
    });
    return `${team.api_key}\n\nThe team "${team.name}" has the plan ${team.plan}. The line above is its first key, with Full Access. Keep it: it is shown this once.`;
  },
  'teams list': async ({ api }) => {
    const teams = await api.listTeams();
    if (teams.length === 0) return 'There are no teams yet. Make one with: npm run rapporteur -- teams create NAME';
    return tableOf(
      ['ID', 'NAME', 'PLAN', 'REQUESTS/S', 'BOTS/DAY', 'KEPT DAYS'],
      teams.map((team) => [
        team.team_id,
        team.name,
        team.plan,
        limitOf(team, 'requests_per_second'),
        limitOf(team, 'daily_bot_cap'),
        limitOf(team, 'retention_days'),
      ]),
    );
  },
  'teams show': async ({ api, operands }) => {
    const team = await teamNamed(api, one(operands, 'Which team? npm run rapporteur -- teams show NAME'));
    const keys = await api.listKeysOf(team.team_id);
    const open = keys.filter(
      ({ revoked_at: revoked, expires_at: end }) => revoked === null && (end === null || Date.parse(end) > Date.now()),
    );
    return [
      `Team      ${team.name}`,
      `Id        ${team.team_id}`,
      `Plan      ${team.plan}`,
      `Limits    ${limitsSentence(team)}`,
      `Of these  ${ownSentence(team)}`,
      `Keys      ${open.length} good, ${keys.length - open.length} revoked or expired`,
      `Since     ${team.created_at}`,
    ].join('\n');
  },
  'teams change': async ({ api, options, operands }) => {
    const team = await teamNamed(api, one(operands, 'Which team? npm run rapporteur -- teams change NAME'));
    const change: TeamChange = {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.plan === undefined ? {} : { plan: options.plan }),
      ...limitsIn(options, numberOrPlan),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError(
        'What to change? Say --plan PLAN, --name NAME, or a limit of its own: --requests-per-second, --daily-bot-cap, --retention-days, each N or the word plan.',
      );
    }
    const now = await api.changeTeam(team.team_id, change);
    return `The team "${now.name}" has the plan ${now.plan}: ${limitsSentence(now)}.`;
  },
  'tokens grant': async ({ api, options, operands }) => {
    const tokens = numberOf(
      'The number of tokens',
      one(operands, 'How many tokens? npm run rapporteur -- tokens grant N [--team NAME]'),
    );
    const team = await teamNamed(api, options.team);
    await api.grantTokens(team.team_id, tokens);
    return `The team "${team.name}" gets ${tokens} tokens.`;
  },
};

/** With a star where the team has its own. */
function limitOf(team: Team, name: keyof Limits): string {
  return `${team[name]}${team.own_limits[name] === null ? '' : '*'}`;
}

function ownSentence({ own_limits: own }: Team): string {
  const names = Object.entries(own)
    .filter(([, value]) => value !== null)
    .map(([name]) => name.replaceAll('_', ' '));
  return names.length === 0 ? 'all as its plan says' : `of the team's own: ${names.join(', ')}`;
}
