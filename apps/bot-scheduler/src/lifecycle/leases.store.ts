import type { LeaseReply, LeaseRequest, RunnerCommand } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { refuseCommands, resultsParameter } from './commands.store.ts';
import type { LeaseRow, RunMode } from '../schema/run-entities.ts';

export interface RenewedLease {
  readonly botId: string;
  readonly attempt: number;
  readonly fencing: number;
  /** locked: another transaction is changing the lease; nothing was recorded for it. */
  readonly reply: LeaseReply | 'locked';
}

/**
 * Renews leases in one statement, stores the results of the runs' commands, and returns the replies for the runners
 * with the pending commands. `held` stays true after a bot has ended through its lease, so that its runner sees its
 * last reports applied. A locked lease delays no other one.
 */
export async function renewLeases(
  executor: Executor,
  requests: readonly LeaseRequest[],
  at: Date,
): Promise<RenewedLease[]> {
  const rows = await executor.query<RenewalRow>(renewSql, [
    requests.map(({ botId }) => botId),
    requests.map(({ attempt }) => attempt),
    requests.map(({ fencing }) => fencing),
    at,
    resultsParameter(requests),
    requests.map(({ late }) => late === true),
  ]);
  return rows.map(replyOf);
}

interface RenewalRow {
  readonly bot_id: string;
  readonly attempt: number;
  readonly fencing: number;
  readonly valid: boolean;
  readonly renewed: boolean;
  readonly applied: number | null;
  readonly leave: boolean;
  readonly commands: RunnerCommand[] | null;
  readonly displaced: boolean;
  readonly replaced: boolean;
}

function replyOf({ bot_id: botId, attempt, fencing, ...row }: RenewalRow): RenewedLease {
  const reply = {
    held: row.renewed,
    appliedSequence: row.applied ?? 0,
    leaveRequested: row.leave,
    commands: row.renewed ? (row.commands ?? []) : [],
    ...(row.displaced ? { displaced: true } : {}),
    ...(row.replaced ? { replaced: true } : {}),
  };
  return { botId, attempt, fencing, reply: row.valid && !row.renewed ? 'locked' : reply };
}

/** Rows are locked in key sequence, so that two instances with the same renewals cannot deadlock. */
const renewSql = `
  with request as (
    select * from unnest($1::uuid[], $2::int[], $3::int[], $6::boolean[]) as request(bot_id, attempt, fencing, late)),
  result as (
    select * from jsonb_to_recordset($5::jsonb)
      as result(bot_id uuid, attempt int, id uuid, outcome text, message text)),
  free as (
    select leases.bot_id, leases.attempt, late from leases join request using (bot_id, attempt, fencing)
    where state in ('held', 'done') order by leases.bot_id, leases.attempt
    for no key update of leases skip locked),
  renewed as (
    update leases set renewed_at = greatest(renewed_at, $4), late_at = case when late then $4 else late_at end from free
    where leases.bot_id = free.bot_id and leases.attempt = free.attempt returning leases.bot_id, leases.attempt),
  stored as (
    update bot_commands command set outcome = result.outcome, message = result.message
    from result join renewed using (bot_id, attempt)
    where command.id = result.id and command.bot_id = result.bot_id and command.attempt = result.attempt
      and command.outcome is null)
  select request.bot_id, request.attempt, request.fencing,
    coalesce(leases.fencing = request.fencing and leases.state in ('held', 'done'), false) as valid,
    renewed.bot_id is not null as renewed,
    leases.applied_sequence as applied,
    coalesce(bots.leave_requested_at is not null, false) as leave,
    waiting.commands,
    leases.displaced_at is not null as displaced, leases.replaced_at is not null as replaced
  from request
  left join leases on leases.bot_id = request.bot_id and leases.attempt = request.attempt
  left join bots on bots.id = leases.bot_id
  left join renewed on renewed.bot_id = request.bot_id and renewed.attempt = request.attempt
    and leases.fencing = request.fencing
  left join lateral (
    select jsonb_agg(command order by created_at, id) as commands from bot_commands
    where bot_id = request.bot_id and attempt = request.attempt and outcome is null and expires_at > $4
      and not exists (select 1 from result where result.id = bot_commands.id)) waiting on true`;

/**
 * The lease of one attempt; locked when the bot is (`lockBot`), because every writer but the renewal locks the bot
 * first.
 */
export async function findLease(executor: Executor, botId: string, attempt: number): Promise<LeaseRow | null> {
  const [lease] = await executor.query<LeaseRow>('select * from leases where bot_id = $1 and attempt = $2', [
    botId,
    attempt,
  ]);
  return lease ?? null;
}

/** The leases of the bot's runs that are being launched or attend, oldest first: two while the bot is moved. */
export async function findActiveLeases(executor: Executor, botId: string): Promise<LeaseRow[]> {
  return executor.query<LeaseRow>(
    `select * from leases where bot_id = $1 and state in ('launching', 'held') order by attempt`,
    [botId],
  );
}

/** Records that the reports up to this one are in the database. */
export async function markApplied(transaction: Executor, lease: LeaseRow, sequence: number): Promise<void> {
  await transaction.query('update leases set applied_sequence = $3 where bot_id = $1 and attempt = $2', [
    lease.bot_id,
    lease.attempt,
    sequence,
  ]);
}

/** Ends a lease permanently: its runner is fenced after this commit. */
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

/**
 * Runs of the bot that received their invocation, including one in progress. A run that never renewed its lease does
 * not count: the response with the invocation was lost.
 */
export async function countStartedRuns(executor: Executor, botId: string, mode: RunMode): Promise<number> {
  const [row] = await executor.query<{ runs: number }>(
    `select count(*)::int as runs from leases left join launch_tickets using (bot_id, attempt)
     where bot_id = $1 and mode = $2 and renewed_at is not null and renewed_at is distinct from redeemed_at`,
    [botId, mode],
  );
  return row?.runs ?? 0;
}

/** Those of these runs that are launched without a runner and whose bots are requested to leave. */
export async function findLeavingLaunches(executor: Executor, runNames: readonly string[]): Promise<LeaseRow[]> {
  return executor.query<LeaseRow>(
    `select leases.* from leases join bots on bots.id = leases.bot_id
     where run_name = any($1) and state = 'launching' and leave_requested_at is not null`,
    [runNames],
  );
}

/**
 * Leases that may require an action: those being launched, those without a renewal since `silentSince`, and those of
 * the named runs.
 */
export async function findLeasesFor(
  executor: Executor,
  runNames: readonly string[],
  silentSince: Date,
): Promise<LeaseRow[]> {
  return executor.query<LeaseRow>(
    `select * from leases where state = 'launching' or state = 'held' and (renewed_at is null or renewed_at <= $2)
       or run_name = any($1)`,
    [runNames, silentSince],
  );
}
