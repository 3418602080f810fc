import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { csvOf } from '@rapporteur/contracts/csv';
import type { CsvRow } from '@rapporteur/contracts/csv';
import { findChromium } from '@rapporteur/local-stack/chromium';
import { rotateSecretKey } from '@rapporteur/local-stack/rotate-secret';
import { one } from './command.ts';
import type { CommandGroup, CommandDefinition, CommandContext, Outcome } from './command.ts';
import { bots } from './groups/bots.ts';
import { canaries } from './groups/canaries.ts';
import { keys } from './groups/keys.ts';
import { pages } from './groups/pages.ts';
import { plans } from './groups/plans.ts';
import { profiles } from './groups/profiles.ts';
import { rooms } from './groups/rooms.ts';
import { teams, tokens } from './groups/teams.ts';
import { webhooks } from './groups/webhooks.ts';
import { listingCommand } from './groups/lists.ts';
import { program, isInstalled } from './program.ts';
import { tableOf, UsageError, StateError } from './sentences.ts';
import { readAdminFile } from './admin-address.ts';
import { examine, examineRemote } from './doctor/checks.ts';
import type { Finding } from './doctor/checks.ts';
import { thisMachine } from './doctor/machine.ts';
import { namedDeployment } from './profiles.ts';
import { readValues, secretManifest } from './secret-keys.ts';

const print = (groups: readonly CommandGroup[]): CommandDefinition => ({
  summary: 'print the completion script of a shell: bash, zsh or fish',
  example: 'completion bash',
  operands: '[shell]',
  run: async ({ operands }) => {
    const shell = one(operands, `For which shell? ${program} completion bash (or zsh, fish).`);
    const script = scripts[shell];
    if (script === undefined) throw new UsageError(`There is completion for bash, zsh and fish, not for ${shell}.`);
    const text = script(groups);
    return { text, data: { shell, script: text } };
  },
});

const scripts: Readonly<Record<string, (groups: readonly CommandGroup[]) => string>> = {
  bash: bashScript,
  zsh: (groups) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(groups)}`,
  fish: fishScript,
};

/** Verbs and flags of a group; a verb of several words is completed word by word. */
function wordsOf({ commands }: CommandGroup): { readonly verbs: string[]; readonly flags: string[] } {
  const verbs = Object.keys(commands).flatMap((verb) => verb.split(' ').filter((word) => word !== ''));
  const flags = Object.values(commands).flatMap(({ options = {} }) =>
    Object.keys(options).map((flag) => flag.split(' ')[0] ?? ''),
  );
  return { verbs: [...new Set(verbs)], flags: [...new Set(flags)] };
}

/** For the program `rapporteur`; inside the repository: `alias rapporteur='npm run -s rapporteur --'`. */
function bashScript(groups: readonly CommandGroup[]): string {
  const cases = groups.map((group) => {
    const { verbs, flags } = wordsOf(group);
    return `    ${group.noun}) words="${[...verbs, ...flags].join(' ')}" ;;`;
  });
  return [
    '_rapporteur() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  [ "$COMP_CWORD" = 1 ] && words="${groups.map(({ noun }) => noun).join(' ')}"`,
    '  COMPREPLY=($(compgen -W "$words --json --help" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _rapporteur rapporteur',
  ].join('\n');
}

function fishScript(groups: readonly CommandGroup[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return [
    'complete -c rapporteur -f',
    'complete -c rapporteur -l json -d "print JSON, for programs"',
    ...groups.flatMap((group) => {
      const { verbs, flags } = wordsOf(group);
      const within = `complete -c rapporteur -n ${quoted(`__fish_seen_subcommand_from ${group.noun}`)}`;
      return [
        `complete -c rapporteur -n __fish_use_subcommand -a ${group.noun} -d ${quoted(group.summary)}`,
        ...(verbs.length === 0 ? [] : [`${within} -a ${quoted(verbs.join(' '))}`]),
        ...flags.map((flag) => `${within} -l ${flag.replace(/^-+/, '')}`),
      ];
    }),
  ].join('\n');
}

/** @param others completed beside it */
function completionOf(others: readonly CommandGroup[]): CommandGroup {
  const own = { noun: 'completion', summary: 'completion for shells' };
  return { ...own, commands: { '': print([...others, { ...own, commands: {} }]) } };
}

const rotate: CommandDefinition = {
  summary: 'give a service of the stack on this machine a new key for what it encrypts; the old one still opens',
  example: 'secrets rotate delivery',
  operands: '[service]',
  run: async ({ operands, stack }) => {
    const service = one(operands, `Of which service? ${program} secrets rotate SERVICE`);
    const { dataFolder, isRunning } = stack();
    if (isRunning) throw new StateError('Stop the stack first (Ctrl-C): its services read their keys when they start.');
    const rotated = rotateSecretKey(dataFolder, service);
    if (rotated === null)
      throw new UsageError(
        `${service} has no key in ${dataFolder}: it is none of the services that encrypt, or has never run.`,
      );
    const text = `${service} has a new key. Start with npm start: it encrypts again what its ${rotated.former} former keys have encrypted.`;
    return { text, data: { service, former_keys: rotated.former } };
  },
};

const manifest: CommandDefinition = {
  summary: 'print the Kubernetes Secret of the Helm chart with fresh keys; needs no deployment',
  example: 'secrets manifest --values keys/',
  options: {
    '--values <folder>':
      'a file in it gives the value of the key it is named after (database-url, s3-access-key-id, ...)',
    '--namespace <namespace>': 'namespace of the Secret (default: rapporteur)',
    '--release <name>': 'name of the Helm release (default: rapporteur)',
    '--secret-name <name>': 'name of the Secret (default: rapporteur-secrets)',
    '--trial': 'with the addresses of the bundled servers',
  },
  run: async ({ options, folder }) => {
    const data = await secretManifest({
      namespace: options['namespace'] ?? 'rapporteur',
      name: options['secretName'] ?? 'rapporteur-secrets',
      release: options['release'] ?? 'rapporteur',
      trial: options['trial'] !== undefined,
      given: options['values'] === undefined ? {} : await readValues(resolve(folder, options['values'])),
    });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

const secrets: CommandGroup = {
  noun: 'secrets',
  summary: 'keys with which services encrypt',
  commands: { manifest, rotate },
};

const dryRun: CommandDefinition = {
  summary:
    'say which events a rule would send bots to, without creating it (rule: JSON as POST /v2/calendar-rules takes it)',
  example: 'calendars rules dry-run --rule-file rule.json',
  options: { '--rule-file <file>': 'the rule as JSON' },
  run: async ({ client, options: { ruleFile } }) => {
    if (ruleFile === undefined) throw new UsageError('Give the rule with --rule-file FILE.');
    const body = readRule(ruleFile);
    const data = await (await client()).dryRunCalendarRule({ body });
    return { text: JSON.stringify(data, null, 2), data };
  },
};

type Rule = Parameters<
  Awaited<ReturnType<Parameters<CommandDefinition['run']>[0]['client']>>['dryRunCalendarRule']
>[0]['body'];

function readRule(file: string): Rule {
  try {
    // The API validates it and names the invalid field.
    return JSON.parse(readFileSync(file, 'utf8')) as Rule;
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON.`, { cause: error });
  }
}

const events = listingCommand({
  summary: 'events of a calendar',
  example: 'calendars events CALENDAR_ID',
  operand: { name: 'calendar-id', question: 'Of which calendar? Say its id, from calendars list.' },
  columns: ['event_id', 'start_time', 'title', 'status', 'meeting_url'],
  none: 'The calendar has no events in the coming weeks.',
  read: (api, calendar_id) => api.all.listCalendarEvents({ calendar_id }),
});

const calendars: CommandGroup = {
  noun: 'calendars',
  summary: 'calendars, as the public API has them',
  commands: {
    list: listingCommand({
      summary: 'connected calendars',
      example: 'calendars list',
      columns: ['calendar_id', 'calendar_platform', 'account_email', 'status', 'synced_at'],
      none: 'No calendar is connected.',
      read: (api) => api.all.listCalendars(),
    }),
    events,
    rules: listingCommand({
      summary: 'rules that send bots to events',
      example: 'calendars rules',
      columns: ['rule_id', 'name', 'enabled', 'conditions'],
      none: 'There are no rules.',
      read: (api) => api.listCalendarRules(),
    }),
    'rules dry-run': dryRun,
  },
};

const check: CommandDefinition = {
  summary:
    'check the deployment that is named, or this machine and the stack on it, and name the remedy of what is wrong',
  example: 'doctor',
  run: async ({ options, stack, environment, folder, client }) => {
    const named = namedDeployment(options, { environment, folder });
    const local = orNull(stack);
    if (named !== null || (isInstalled && local === null)) {
      const deployment = named && {
        baseUrl: named.baseUrl.replace(/\/$/, ''),
        checkKey: async () => (await client()).listBots({ limit: 1 }),
      };
      return outcomeOf(await examineRemote({ machine: thisMachine, deployment }));
    }
    const dataFolder = local?.dataFolder ?? options['dataFolder'] ?? '.rapporteur';
    const admin = orNull(() => readAdminFile(dataFolder));
    const findings = await examine({ machine: thisMachine, dataFolder, stack: local, admin, chromium: findChromium() });
    return outcomeOf(findings);
  },
};

function outcomeOf(findings: readonly Finding[]): Outcome {
  const failed = findings.some(({ state }) => state === 'failed');
  return { text: findings.map(lineOf).join('\n'), data: { findings }, failed };
}

function orNull<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

const marks = { ok: 'ok  ', skipped: '-   ', failed: 'FAIL' } as const;

function lineOf({ check: name, state, found, action }: Finding): string {
  return `${marks[state]}  ${name.padEnd(14)}  ${found}${action === '' ? '' : `\n      ${action}`}`;
}

const doctor: CommandGroup = {
  noun: 'doctor',
  summary: 'check a deployment, or this machine and the stack on it',
  commands: { '': check },
};

type Row = CsvRow;

const period = {
  '--after <time>': 'only bots that ended at this time or later',
  '--before <time>': 'only bots that ended before this time',
  '--csv': 'as CSV',
} as const;

function queryOf({ after, before }: CommandContext['options']) {
  return {
    ...(after === undefined ? {} : { ended_after: after }),
    ...(before === undefined ? {} : { ended_before: before }),
  };
}

function shown(rows: readonly Row[], { csv }: CommandContext['options']) {
  const head = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => head.map((column) => textOf(row[column])));
  const text = csv === undefined ? tableOf(head, cells) : csvOf(rows, head).trimEnd();
  return { text: rows.length === 0 ? '' : text, data: rows };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

const days: CommandDefinition = {
  summary: 'what the bots of the team have used, by day',
  example: 'usage days --after 2027-01-01T00:00:00Z --csv',
  options: period,
  run: async ({ client, options }) => shown(await (await client()).listDailyUsage(queryOf(options)), options),
};

const ofBots: CommandDefinition = {
  summary: 'what each bot of the team has used',
  example: 'usage bots --after 2027-01-01T00:00:00Z --csv',
  options: period,
  run: async ({ client, options }) => {
    const rows: Row[] = [];
    for await (const row of (await client()).all.listBotUsage(queryOf(options))) rows.push(row);
    return shown(rows, options);
  },
};

const usage: CommandGroup = {
  noun: 'usage',
  summary: 'resource usage of bots',
  commands: { days, bots: ofBots },
};

const spilled: CommandDefinition = {
  summary: "recordings that wait for a team's own bucket",
  example: 'storage spilled',
  run: async ({ api }) => {
    const objects = await api.listSpilledObjects();
    if (objects.length === 0) return { text: "No object waits for a team's bucket.", data: [] };
    const text = tableOf(
      ['SINCE', 'TEAM', 'BOT', 'OBJECT', 'BYTES', 'ATTEMPTS', 'LAST ERROR'],
      objects.map((object) => [
        object.spilled_at,
        object.team_id,
        object.bot_id,
        object.key,
        String(object.bytes),
        String(object.attempts),
        object.last_error ?? '',
      ]),
    );
    return { text, data: objects };
  },
};

const config: CommandDefinition = {
  summary: "the team's own buckets, without secrets",
  example: 'storage config',
  run: async ({ client }) => {
    const data = await (await client()).getStorageConfig();
    return { text: JSON.stringify(data, null, 2), data };
  },
};

const test: CommandDefinition = {
  summary: "check that the team's own buckets take and give recordings",
  example: 'storage test',
  run: async ({ client }) => {
    const data = await (await client()).testStorageConfig();
    return { text: JSON.stringify(data, null, 2), data };
  },
};

const storage: CommandGroup = {
  noun: 'storage',
  summary: 'where recordings of teams are stored',
  commands: { config, test, spilled },
};

const head = ['bot_id', 'bot_name', 'second', 'speaker', 'text'];

const search: CommandDefinition = {
  summary: 'where the transcripts of the team have these words',
  example: `transcripts search '"next quarter" budget'`,
  operands: '[words]',
  options: { '--limit <n>': 'transcripts at most (default: 20)' },
  run: async ({ client, operands, limit }) => {
    const q = one(operands, `Which words? ${program} transcripts search WORDS`);
    const found = [];
    const most = limit(20);
    for await (const transcript of (await client()).all.searchTranscripts({ q, limit: Math.min(most, 50) })) {
      found.push(transcript);
      if (found.length === most) break;
    }
    const rows = found.flatMap(({ bot_id: id, bot_name: name, hits }) =>
      hits.map(({ start, speaker, snippet }) => [
        id,
        name,
        start.toFixed(0),
        speaker,
        snippet.map(({ text }) => text).join(''),
      ]),
    );
    const text = rows.length === 0 ? 'No transcript has these words.' : tableOf(head, rows);
    return { text, data: found };
  },
};

const transcripts: CommandGroup = {
  noun: 'transcripts',
  summary: 'what was said',
  commands: { search },
};

const logins: CommandGroup = {
  noun: 'logins',
  summary: 'logins of signed-in bots, and Zoom credentials',
  commands: {
    meet: listingCommand({
      summary: 'logins of Google Workspaces',
      example: 'logins meet',
      columns: ['credential_id', 'email', 'email_group', 'state', 'workspace_id'],
      none: 'There are no logins for Google Meet.',
      read: (api) => api.listMeetLogins(),
    }),
    teams: listingCommand({
      summary: 'logins of Microsoft 365 tenants',
      example: 'logins teams',
      columns: ['credential_id', 'email', 'email_group', 'state', 'workspace_id'],
      none: 'There are no logins for Microsoft Teams.',
      read: (api) => api.listTeamsLogins(),
    }),
    zoom: listingCommand({
      summary: 'stored Zoom credentials',
      example: 'logins zoom',
      columns: ['credential_id', 'name', 'credential_type', 'zoom_email', 'state'],
      none: 'There are no Zoom credentials.',
      read: (api) => api.all.listZoomCredentials(),
    }),
  },
};

/** A new group is a file in `groups` and a line here. */
const own: readonly CommandGroup[] = [
  doctor,
  bots,
  rooms,
  pages,
  canaries,
  webhooks,
  calendars,
  logins,
  transcripts,
  usage,
  keys,
  teams,
  tokens,
  plans,
  storage,
  secrets,
  profiles,
];

/** Every group of commands. */
export const groups: readonly CommandGroup[] = [...own, completionOf(own)];
