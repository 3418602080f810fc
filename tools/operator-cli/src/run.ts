import { parseArgs } from 'node:util';
import { commandLineProblem } from '@rapporteur/local-stack/command-line';
import { findAdminApi } from './admin-address.ts';
import type { Places } from './admin-address.ts';
import { createAdminApi } from './admin-api.ts';
import { commands } from './commands.ts';
import { usage, UsageError } from './sentences.ts';

/** 0 done, 1 refused or failed, 2 not understood. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2 } as const;

export interface Terminal extends Places {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Runs one command line and gives the exit code. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parse(words);
  if ('problem' in parsed) {
    terminal.complain(`${parsed.problem}\n\n${usage}`);
    return exitCodes.notUnderstood;
  }
  const { values, positionals } = parsed;
  const [noun = '', verb = '', ...operands] = positionals;
  if (values.help === true || noun === 'help' || noun === '') {
    terminal.print(usage);
    return exitCodes.done;
  }
  const command = commands[`${noun} ${verb}`];
  if (command === undefined) {
    terminal.complain(`There is no command "${`${noun} ${verb}`.trim()}".\n\n${usage}`);
    return exitCodes.notUnderstood;
  }
  try {
    const api = createAdminApi(findAdminApi(values, terminal));
    terminal.print(await command({ api, options: values, operands }));
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(error.message);
    return exitCodes.failed;
  }
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      strict: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        team: text,
        permission: text,
        name: text,
        'expires-at': text,
        plan: text,
        to: text,
        tokens: text,
        'requests-per-second': text,
        'daily-bot-cap': text,
        'retention-days': text,
        'admin-url': text,
        'admin-token-file': text,
        'data-folder': text,
      },
    });
  } catch (error) {
    return { problem: commandLineProblem(error) };
  }
}
