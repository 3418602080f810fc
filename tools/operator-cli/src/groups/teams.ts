import type { Limits, Team, TeamChange } from '../admin-api.ts';
import { wholeNumberOf, one, teamNamed } from '../command.ts';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { limitFlags, limitsIn, limitsSentence, numberOrPlan } from '../limit-options.ts';
import { tableOf, UsageError } from '../sentences.ts';
import { program } from '../program.ts';

const create: CommandDefinition = {
  summary: 'make a team and print its first key, once',
  example: 'teams create "Second team" --plan pro --tokens 360000',
  operands: '[name]',
  options: { '--plan <plan>': 'its plan', '--tokens <n>': 'tokens to begin with; one is a second of recording' },
  run: async ({ api, options: { plan, tokens }, operands }) => {
    const team = await api.createTeam({
      name: one(operands, `What is the team called? ${program} teams create NAME`),
      ...(plan === undefined ? {} : { plan }),
      ...(tokens === undefined ? {} : { tokens: wholeNumberOf('--tokens', tokens) }),
    });
    const text = `${team.api_key}\n\nThe team "${team.name}" has the plan ${team.plan}. The line above is its first key, with Full Access. Keep it: it is shown this once.`;
    return { text, data: team };
  },
};

const list: CommandDefinition = {
  summary: 'every team with its plan and limits (* its own)',
  example: 'teams list',
  run: async ({ api }) => {
    const teams = await api.listTeams();
    if (teams.length === 0)
      return { text: `There are no teams yet. Make one with: ${program} teams create NAME`, data: [] };
    const text = tableOf(
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
    return { text, data: teams };
  },
};

const show: CommandDefinition = {
  summary: 'one team',
  example: 'teams show "Second team"',
  operands: '[name]',
  run: async ({ api, operands }) => {
    const team = await teamNamed(api, one(operands, `Which team? ${program} teams show NAME`));
    const keys = await api.listKeysOf(team.team_id);
    const open = keys.filter(
      ({ revoked_at: revoked, expires_at: end }) => revoked === null && (end === null || Date.parse(end) > Date.now()),
    );
    const text = [
      `Team      ${team.name}`,
      `Id        ${team.team_id}`,
      `Plan      ${team.plan}`,
      `Limits    ${limitsSentence(team)}`,
      `Of these  ${ownSentence(team)}`,
      `Keys      ${open.length} good, ${keys.length - open.length} revoked or expired`,
      `Since     ${team.created_at}`,
    ].join('\n');
    return { text, data: { ...team, keys } };
  },
};

const change: CommandDefinition = {
  summary: 'move a team to a plan, rename it, or give it limits of its own; the word plan takes a limit away',
  example: 'teams change "Second team" --plan scale --retention-days 90',
  operands: '[name]',
  options: { '--plan <plan>': 'its new plan', '--name <name>': 'its new name', ...limitFlags },
  run: async ({ api, options, operands }) => {
    const team = await teamNamed(api, one(operands, `Which team? ${program} teams change NAME`));
    const { name, plan } = options;
    const change: TeamChange = {
      ...(name === undefined ? {} : { name }),
      ...(plan === undefined ? {} : { plan }),
      ...limitsIn(options, numberOrPlan),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError(
        'What to change? Say --plan PLAN, --name NAME, or a limit of its own: --requests-per-second, --daily-bot-cap, --retention-days, each N or the word plan.',
      );
    const now = await api.changeTeam(team.team_id, change);
    return { text: `The team "${now.name}" has the plan ${now.plan}: ${limitsSentence(now)}.`, data: now };
  },
};

const grant: CommandDefinition = {
  summary: 'give a team tokens; one is a second of recording',
  example: 'tokens grant 3600000 --team "Second team"',
  operands: '[n]',
  run: async ({ api, options, operands }) => {
    const tokens = wholeNumberOf(
      'The number of tokens',
      one(operands, `How many tokens? ${program} tokens grant N [--team NAME]`),
    );
    const team = await teamNamed(api, options['team']);
    await api.grantTokens(team.team_id, tokens);
    return { text: `The team "${team.name}" gets ${tokens} tokens.`, data: { team_id: team.team_id, tokens } };
  },
};

export const teams: CommandGroup = {
  noun: 'teams',
  summary: 'teams and their limits',
  commands: { create, list, show, change },
};

export const tokens: CommandGroup = { noun: 'tokens', summary: 'tokens of teams', commands: { grant } };

/** With a star for the team's own limit. */
function limitOf(team: Team, name: keyof Limits): string {
  return `${team[name]}${team.own_limits[name] === null ? '' : '*'}`;
}

function ownSentence({ own_limits: own }: Team): string {
  const names = Object.entries(own)
    .filter(([, value]) => value !== null)
    .map(([name]) => name.replaceAll('_', ' '));
  return names.length === 0 ? 'all as its plan says' : `of the team's own: ${names.join(', ')}`;
}
