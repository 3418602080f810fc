import type { RapporteurClient } from '@rapporteur/sdk';
import type { AdminApi, Team } from './admin-api.ts';
import type { LocalStack } from './local-stack.ts';
import type { Environment } from './profiles.ts';
import { StateError, UsageError } from './sentences.ts';
import type { SimulatorApi } from './simulator-api.ts';
import { program } from './program.ts';

/** What a command has done: a text for the terminal, and the same for programs (`--json`). */
export interface Outcome {
  readonly text: string;
  readonly data: unknown;
  /** True: the requested condition does not hold, for example a check failed. The exit code is 1. */
  readonly failed?: boolean;
}

/** Options by their names in camel case, as parsed by commander. */
export type CommandOptions = Readonly<Record<string, string | undefined>>;

export interface CommandContext {
  readonly options: CommandOptions;
  readonly operands: readonly string[];
  readonly environment: Environment;
  /** `--limit`, or this many; throws UsageError for what is no number. */
  limit(usual: number): number;
  /** Opened at the first use. */
  readonly api: AdminApi;
  readonly simulator: SimulatorApi;
  client(): Promise<RapporteurClient>;
  /** The stack on this machine; throws UsageError without one. */
  stack(): LocalStack;
  readonly json: boolean;
  /** Relative paths start here. */
  readonly folder: string;
  /** Prints a line at once, for long-running commands; with `--json` one JSON object per line. */
  progress(text: string, data: unknown): void;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface CommandDefinition {
  readonly summary: string;
  /** A working example, after the program's name. */
  readonly example: string;
  /** Operands as commander writes them: `<bot-id>`, `[name]`. */
  readonly operands?: string;
  /** Meaning by flags: `--name <name>`. */
  readonly options?: Readonly<Record<string, string>>;
  run(context: CommandContext): Promise<Outcome>;
}

/** The commands of one noun, by verb; the verb `''` is the noun itself. */
export interface CommandGroup {
  readonly noun: string;
  readonly summary: string;
  readonly commands: Readonly<Record<string, CommandDefinition>>;
}

/** The team with this name or id, or, without one, the only team. */
export async function teamNamed(api: AdminApi, name: string | undefined): Promise<Team> {
  const teams = await api.listTeams();
  const found =
    name === undefined && teams.length === 1
      ? teams[0]
      : teams.find((team) => team.name === name || team.team_id === name);
  if (found !== undefined) return found;
  if (teams.length === 0) throw new StateError(`There are no teams yet. Make one with: ${program} teams create NAME`);
  const names = teams.map((team) => `"${team.name}"`).join(', ');
  const Problem = name === undefined ? UsageError : StateError;
  throw new Problem(
    name === undefined
      ? `For which team? Say --team NAME. There are: ${names}.`
      : `There is no team "${name}". There are: ${names}.`,
  );
}

/** The only operand; throws UsageError with `question` where there is none or more than one. */
export function one(operands: readonly string[], question: string): string {
  const [only, ...rest] = operands;
  if (only === undefined || rest.length > 0) throw new UsageError(question);
  return only;
}

export function wholeNumberOf(what: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value <= 0)
    throw new UsageError(`${what} must be a whole number above zero, not ${text}.`);
  return value;
}
