import { readFileSync } from 'node:fs';
import type { CommandDefinition, CommandGroup } from '../command.ts';
import { listingCommand } from './lists.ts';
import { UsageError } from '../sentences.ts';

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

export const calendars: CommandGroup = {
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
