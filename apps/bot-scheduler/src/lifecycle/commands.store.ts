import type { LeaseRequest, RunnerCommand } from '@rapporteur/contracts';
import { storableText } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { BotRow } from '../schema/bot-entity.ts';
import type { BotCommandRow } from '../schema/entities.ts';

export interface NewCommand {
  readonly botId: string;
  readonly attempt: number;
  readonly command: RunnerCommand;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertCommand(transaction: Executor, command: NewCommand): Promise<void> {
  await transaction.query(
    `insert into bot_commands (id, bot_id, attempt, command, created_at, expires_at) values ($1, $2, $3, $4::jsonb, $5, $6)`,
    [
      command.command.id,
      command.botId,
      command.attempt,
      JSON.stringify(command.command),
      command.at,
      command.expiresAt,
    ],
  );
}

/**
 * The number of the run that is in the meeting and accepts commands, or null. A displaced run accepts them until
 * another records in its place.
 */
export async function findAttendingRun(executor: Executor, botId: string): Promise<number | null> {
  const [lease] = await executor.query<{ attempt: number }>(
    `select attempt from leases where bot_id = $1 and state = 'held' and mode = 'attend'
     order by displaced_at is not null and replaced_at is null desc, attempt desc limit 1`,
    [botId],
  );
  return lease?.attempt ?? null;
}

export type CommandState = Pick<BotCommandRow, 'outcome' | 'message'> & Pick<BotRow, 'status'>;

export async function findCommandState(executor: Executor, id: string): Promise<CommandState | null> {
  const [state] = await executor.query<CommandState>(
    `select command.outcome, command.message, bots.status
     from bot_commands command join bots on bots.id = command.bot_id where command.id = $1`,
    [id],
  );
  return state ?? null;
}

/** Withdraws a command; false when it has a result already. */
export async function expireCommand(executor: Executor, id: string): Promise<boolean> {
  const expired = await executor.query(
    `update bot_commands set outcome = 'expired', message = 'The bot did not respond in time.'
     where id = $1 and outcome is null returning 1`,
    [id],
  );
  return expired.length === 1;
}

/** Settles every pending command of a bot, or of one of its runs, because no runner will handle it. */
export async function refuseCommands(
  transaction: Executor,
  { botId, attempt = null }: { readonly botId: string; readonly attempt?: number | null },
  message: string,
): Promise<void> {
  await transaction.query(
    `update bot_commands set outcome = 'refused', message = $3
     where bot_id = $1 and outcome is null and ($2::integer is null or attempt = $2)`,
    [botId, attempt, message],
  );
}

const longestMessage = 1_000;

/** The results that runners sent with their lease requests, as the parameter of the statement that stores them. */
export function resultsParameter(requests: readonly LeaseRequest[]): string {
  const rowsOf = ({ botId, attempt, results }: LeaseRequest) =>
    results.map(({ id, outcome, message }) => ({
      bot_id: botId,
      attempt,
      id,
      outcome,
      message: storableText(message.slice(0, longestMessage)),
    }));
  return JSON.stringify(requests.flatMap(rowsOf));
}

/** Deletes commands that were handled or expired long ago. */
export async function forgetOldCommands(executor: Executor, before: Date): Promise<void> {
  await executor.query('delete from bot_commands where created_at < $1', [before]);
}
