import type { AdminApi, Team } from './admin-api.ts';
import { UsageError } from './sentences.ts';

export interface CommandOptions {
  readonly team?: string | undefined;
  readonly permission?: string | undefined;
  readonly name?: string | undefined;
  readonly 'expires-at'?: string | undefined;
  readonly plan?: string | undefined;
  readonly tokens?: string | undefined;
  readonly 'requests-per-second'?: string | undefined;
  readonly 'daily-bot-cap'?: string | undefined;
  readonly 'retention-days'?: string | undefined;
}

export interface CommandContext {
  readonly api: AdminApi;
  readonly options: CommandOptions;
  /** What stands behind the command's own words. */
  readonly operands: readonly string[];
}

/** Does the command and gives the text to print. */
export type Command = (context: CommandContext) => Promise<string>;

/** The team with this name or id, or, when none is named, the only one there is. */
export async function teamNamed(api: AdminApi, name: string | undefined): Promise<Team> {
  const teams = await api.listTeams();
  const found =
    name === undefined && teams.length === 1
      ? teams[0]
      : teams.find((team) => team.name === name || team.team_id === name);
  if (found !== undefined) return found;
  if (teams.length === 0)
    throw new UsageError('There are no teams yet. Make one with: npm run rapporteur -- teams create NAME');
  const names = teams.map((team) => `"${team.name}"`).join(', ');
  throw new UsageError(
    name === undefined
      ? `For which team? Say --team NAME. There are: ${names}.`
      : `There is no team "${name}". There are: ${names}.`,
  );
}

export function one(operands: readonly string[], internalRequest: string): string {
  const [only, ...rest] = operands;
  if (only === undefined || rest.length > 0) throw new UsageError(internalRequest);
  return only;
}

export function numberOf(what: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new UsageError(`${what} must be a number above zero, not ${text}.`);
  return value;
}
