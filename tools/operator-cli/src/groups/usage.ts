import { csvOf } from '@rapporteur/contracts/csv';
import type { CsvRow } from '@rapporteur/contracts/csv';
import type { CommandContext, CommandDefinition, CommandGroup } from '../command.ts';
import { tableOf } from '../sentences.ts';

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

export const usage: CommandGroup = {
  noun: 'usage',
  summary: 'resource usage of bots',
  commands: { days, bots: ofBots },
};
