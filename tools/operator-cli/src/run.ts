import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { RapporteurError, createRapporteurClient } from '@rapporteur/sdk';
import type { RapporteurClient } from '@rapporteur/sdk';
import { writePrivately } from '@rapporteur/local-stack/data-folder';
import { findAdminApi } from './admin-address.ts';
import type { Places } from './admin-address.ts';
import { createAdminApi } from './admin-api.ts';
import type { AdminApi } from './admin-api.ts';
import { wholeNumberOf, teamNamed } from './command.ts';
import type { CommandContext, CommandDefinition, CommandOptions, Outcome } from './command.ts';
import { groups } from './groups.ts';
import { addressOf, findLocalStack } from './local-stack.ts';
import type { LocalStack } from './local-stack.ts';
import { StateError, UsageError } from './sentences.ts';
import { createSimulatorApi } from './simulator-api.ts';
import { program, programVersion } from './program.ts';
import { namedDeployment } from './profiles.ts';
import type { Environment } from './profiles.ts';

/** 0 done, 1 refused or failed, 2 not understood: the command line is invalid. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2 } as const;

export interface Terminal extends Places {
  readonly environment: Environment;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly signal?: AbortSignal;
}

interface PreparedTerminal extends Terminal {
  /** Errors are printed as JSON, by `run`. */
  readonly isJson?: boolean;
}

const globalOptions: Readonly<Record<string, string>> = {
  '--json': 'print JSON, for programs',
  '--team <team>': 'name or id of the team; not needed where there is only one',
  '--data-folder <folder>':
    'data folder of the stack on this machine (default: of the one that runs, else .rapporteur)',
  '--admin-url <url>': 'admin API of any other deployment, with --admin-token-file',
  '--admin-token-file <file>': 'file that holds the admin token',
  '--profile <name>': 'deployment and key that profiles set has remembered (RAPPORTEUR_PROFILE)',
  '--api-url <url>': 'public API of any other deployment, with a key (RAPPORTEUR_API_URL)',
  '--key-file <file>': 'file that holds an API key (the key itself: RAPPORTEUR_API_KEY)',
  '--simulator-url <url>': 'control API of a simulator',
};

/** Runs one command line and returns the exit code. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.done;
  const tree = createProgram(
    { ...terminal, isJson: words.includes('--json') },
    (failed) => (code = failed ? exitCodes.failed : exitCodes.done),
  );
  const isJson = words.includes('--json');
  try {
    if (words.length === 0) terminal.print(tree.helpInformation());
    else await tree.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const isExpected = [CommanderError, UsageError, RapporteurError].some((kind) => error instanceof kind);
    if (!isExpected) throw error;
    // Commander has already printed it for people.
    if (isJson) terminal.complain(JSON.stringify({ error: describeError(error as Error) }));
    else if (!(error instanceof CommanderError)) terminal.complain((error as Error).message);
    else if (error.code === 'commander.unknownCommand') suggest(words, terminal);
    return exitCodeOf(error as Error);
  }
}

/** The service refuses with 400 what it does not understand. */
function exitCodeOf(error: Error): number {
  const isRefused = error instanceof RapporteurError && error.statusCode !== 400;
  return isRefused || error instanceof StateError ? exitCodes.failed : exitCodes.notUnderstood;
}

/** The commands of all groups that have the unknown word; Commander suggests similar words of the same level only. */
function suggest(words: readonly string[], { complain }: Terminal): void {
  const unknown = words.find((word) => !word.startsWith('-'));
  const found = groups.flatMap(({ noun, commands }) =>
    Object.keys(commands).flatMap((verbs) => (verbs.split(' ').includes(unknown ?? '') ? [`${noun} ${verbs}`] : [])),
  );
  if (found.length > 0) complain(`There is: ${found.map((command) => `${program} ${command}`).join(', ')}`);
}

function describeError(error: Error): object {
  if (error instanceof RapporteurError) {
    const { code, message, statusCode, requestId, details, retryAfter } = error;
    return { code, message, status_code: statusCode, request_id: requestId, details, retry_after: retryAfter };
  }
  return { code: error instanceof StateError ? 'FAILED' : 'USAGE', message: error.message.replace(/^error: /, '') };
}

/** The tree of commands; `onEnd` receives whether a command failed. */
export function createProgram(terminal: PreparedTerminal, onEnd: (failed: boolean) => void): Command {
  const root = prepare(new Command('rapporteur'), terminal)
    .version(programVersion(), '--version', 'print the version of this program')
    .description('Operates a deployment of Rapporteur, and does what its API does, from a terminal.')
    .addHelpText('after', '\nExit code 0: done; 1: refused, failed or not reachable; 2: the command line is wrong.');
  for (const [flags, meaning] of Object.entries(globalOptions)) root.option(flags, meaning);
  for (const { noun, summary, commands } of groups) {
    const own = commands[''];
    const group = prepare(root.command(noun), terminal).description(summary);
    if (own !== undefined) fill(group, own, { terminal, onEnd });
    for (const [verbs, definition] of Object.entries(commands).filter(([name]) => name !== '')) {
      const command = verbs.split(' ').reduce((parent, verb) => prepare(childOf(parent, verb), terminal), group);
      fill(command, definition, { terminal, onEnd });
    }
  }
  return root;
}

function childOf(parent: Command, verb: string): Command {
  return parent.commands.find((known) => known.name() === verb) ?? parent.command(verb);
}

function prepare(command: Command, { print, complain, isJson = false }: PreparedTerminal): Command {
  const trimmed = (write: (text: string) => void) => (text: string) => write(text.trimEnd());
  return command
    .exitOverride()
    .showHelpAfterError('See --help of the command.')
    .configureOutput({ writeOut: trimmed(print), writeErr: isJson ? () => undefined : trimmed(complain) });
}

interface Filling {
  readonly terminal: Terminal;
  readonly onEnd: (failed: boolean) => void;
}

function fill(command: Command, definition: CommandDefinition, { terminal, onEnd }: Filling): void {
  const { summary, example, operands, options = {} } = definition;
  command
    .description(summary)
    .addHelpText(
      'after',
      `\nExample:\n  ${program} ${example}\n\nOptions of every command (--json, --profile, …): ${program} --help`,
    );
  if (operands !== undefined) command.arguments(operands);
  for (const [flags, meaning] of Object.entries(options)) command.option(flags, meaning);
  command.action(async () => {
    const context = contextOf(command, terminal);
    const outcome = await definition.run(context);
    print(outcome, context.json, terminal);
    onEnd(outcome.failed === true);
  });
}

function print({ text, data }: Outcome, json: boolean, terminal: Terminal): void {
  const shown = json ? JSON.stringify(data, null, 2) : text;
  if (shown !== '') terminal.print(shown);
}

function contextOf(command: Command, terminal: Terminal): CommandContext {
  const { json = false, ...options } = command.optsWithGlobals<CommandOptions & { json?: boolean }>();
  let admin: AdminApi | undefined;
  const openAdmin = (): AdminApi => (admin ??= createAdminApi(findAdminApi(options, terminal)));
  const stack = () => findLocalStack(options['dataFolder'], terminal);
  return {
    options,
    operands: command.args,
    environment: terminal.environment,
    limit: (usual) => (options['limit'] === undefined ? usual : wholeNumberOf('--limit', options['limit'])),
    get api() {
      return openAdmin();
    },
    simulator: createSimulatorApi(() => options['simulatorUrl'] ?? addressOf(stack(), 'simulator')),
    client: () =>
      openClient({ options, folder: terminal.folder, environment: terminal.environment, stack, admin: openAdmin }),
    stack,
    json,
    folder: terminal.folder,
    progress: (text, data) => terminal.print(json ? JSON.stringify(data) : text),
    signal: terminal.signal ?? new AbortController().signal,
  };
}

interface ClientDependencies {
  readonly options: CommandOptions;
  readonly folder: string;
  readonly environment: Environment;
  readonly stack: () => LocalStack;
  readonly admin: () => AdminApi;
}

const keyLifetimeMs = 24 * 3_600_000;
const leastRemainingMs = 60_000;

/** The public API as a customer's program uses it: of the named deployment, else of the stack on this machine. */
async function openClient(dependencies: ClientDependencies): Promise<RapporteurClient> {
  const { options, stack, admin } = dependencies;
  const named = namedDeployment(options, dependencies);
  if (named !== null) return createRapporteurClient(named);
  const local = stack();
  return createRapporteurClient({ baseUrl: addressOf(local, 'api'), apiKey: await localKey(local, admin(), options) });
}

interface KeptKey {
  readonly team: string;
  readonly key: string;
  readonly expiresAt: string;
}

/** This program's own key, valid for a day, stored next to the admin token in the data folder. */
async function localKey({ dataFolder }: LocalStack, api: AdminApi, options: CommandOptions): Promise<string> {
  const team = await teamNamed(api, options['team']);
  const file = join(dataFolder, 'cli-key.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptKey) : null;
  if (kept?.team === team.team_id && Date.parse(kept.expiresAt) - Date.now() > leastRemainingMs) return kept.key;
  const expiresAt = new Date(Date.now() + keyLifetimeMs).toISOString();
  const made = await api.createKey(team.team_id, { name: 'rapporteur command line', expires_at: expiresAt });
  writePrivately(file, { team: team.team_id, key: made.api_key, expiresAt } satisfies KeptKey);
  return made.api_key;
}
