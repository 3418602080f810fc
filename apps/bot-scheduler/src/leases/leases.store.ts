import type { LeaseReply, LeaseRequest, RunnerCommand } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { refuseCommands, resultsParameter } from '../commands/commands.store.ts';
import type { LeaseRow } from '../schema/rows.ts';

/**
 * Renews a lease, stores what came of the run's commands, and gives the answer for its runner with the commands that wait.
 * Held stays true once the bot has ended through this lease, so that its runner sees its last reports applied and ends in
 * peace.
 */
export async function renewLease(executor: Executor, request: LeaseRequest, at: Date): Promise<LeaseReply> {
  const [row] = await executor.query<LeaseAnswer>(renewSql, [
    request.botId,
    request.attempt,
    request.fencing,
    at,
    resultsParameter(request.results),
  ]);
  return {
    held: row?.held ?? false,
    appliedSequence: row?.applied ?? 0,
    leaveRequested: row?.leave ?? false,
    commands: row?.held === true ? row.commands : [],
  };
}

interface LeaseAnswer {
  readonly held: boolean;
  readonly applied: number;
  readonly leave: boolean;
  readonly commands: RunnerCommand[];
}

const renewSql = `
  with renewed as (
    update leases set renewed_at = greatest(renewed_at, $4)
    where bot_id = $1 and attempt = $2 and fencing = $3 and state in ('held', 'done') returning 1),
  result as (select * from jsonb_to_recordset($5::jsonb) as result(id uuid, outcome text, message text)),
  answered as (
    update bot_commands command set outcome = result.outcome, message = result.message
    from result, renewed
    where command.id = result.id and command.bot_id = $1 and command.attempt = $2 and command.outcome is null)
  select exists (select 1 from renewed) as held, leases.applied_sequence as applied,
    bots.leave_requested_at is not null as leave,
    (select coalesce(jsonb_agg(command order by created_at, id), '[]') from bot_commands
      where bot_id = $1 and attempt = $2 and outcome is null and expires_at > $4
        and not exists (select 1 from result where result.id = bot_commands.id)) as commands
  from leases join bots on bots.id = leases.bot_id where bot_id = $1 and leases.attempt = $2`;

/** The lease of one attempt; locked when the bot is (`lockBot`), because every writer but the renewal locks it first. */
export async function findLease(executor: Executor, botId: string, attempt: number): Promise<LeaseRow | null> {
  const [lease] = await executor.query<LeaseRow>('select * from leases where bot_id = $1 and attempt = $2', [
    botId,
    attempt,
  ]);
  return lease ?? null;
}

/** Notes that the reports up to this one are in the database. */
export async function markApplied(transaction: Executor, lease: LeaseRow, sequence: number): Promise<void> {
  await transaction.query('update leases set applied_sequence = $3 where bot_id = $1 and attempt = $2', [
    lease.bot_id,
    lease.attempt,
    sequence,
  ]);
}

/** Ends a lease for good: its runner is fenced off from this commit on. */
export async function loseLease(transaction: Executor, lease: LeaseRow, at: Date): Promise<void> {
  await transaction.query(`update leases set state = 'lost', ended_at = $3 where bot_id = $1 and attempt = $2`, [
    lease.bot_id,
    lease.attempt,
    at,
  ]);
  const { bot_id: botId, attempt } = lease;
  await refuseCommands(
    transaction,
    { botId, attempt },
    'The bot lost its place in the meeting before it could do this.',
  );
}

/** Finalize runs of the bot that got their invocation; one that is under way counts too. */
export async function countStartedFinalizeRuns(executor: Executor, botId: string): Promise<number> {
  const [row] = await executor.query<{ runs: number }>(
    `select count(*)::int as runs from leases where bot_id = $1 and mode = 'finalize' and renewed_at is not null`,
    [botId],
  );
  return row?.runs ?? 0;
}

/** Leases that are alive, and those of the named runs whatever their state. */
export async function findLeasesFor(executor: Executor, runNames: readonly string[]): Promise<LeaseRow[]> {
  return executor.query<LeaseRow>(`select * from leases where state in ('launching', 'held') or run_name = any($1)`, [
    runNames,
  ]);
}
