import { readFileSync } from 'node:fs';
import type { CommandDefinition, CommandGroup } from '../command.ts';
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
    // The API checks it and names the field that is wrong.
    return JSON.parse(readFileSync(file, 'utf8')) as Rule;
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON.`, { cause: error });
  }
}

export const calendars: CommandGroup = {
  noun: 'calendars',
  summary: 'calendars, as the public API has them',
  commands: { 'rules dry-run': dryRun },
};
