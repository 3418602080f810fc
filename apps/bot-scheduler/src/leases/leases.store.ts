import type { LeaseReply, LeaseRequest } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { LeaseRow } from '../schema/rows.ts';

/**
 * Renews a lease and gives the answer for its runner. Held stays true once the bot has ended through this lease, so that
 * its runner sees its last reports applied and ends in peace.
 */
export async function renewLease(executor: Executor, request: LeaseRequest, at: Date): Promise<LeaseReply> {
  const [row] = await executor.query<{ held: boolean; applied: number; leave: boolean }>(
    `with renewed as (
       update leases set renewed_at = greatest(renewed_at, $4)
       where bot_id = $1 and attempt = $2 and fencing = $3 and state in ('held', 'done') returning 1)
     select exists (select 1 from renewed) as held, leases.applied_sequence as applied,
       bots.leave_requested_at is not null as leave
     from leases join bots on bots.id = leases.bot_id where bot_id = $1 and leases.attempt = $2`,
    [request.botId, request.attempt, request.fencing, at],
  );
  return { held: row?.held ?? false, appliedSequence: row?.applied ?? 0, leaveRequested: row?.leave ?? false };
}

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
}

/** Leases that are alive, and those of the named runs whatever their state. */
export async function findLeasesFor(executor: Executor, runNames: readonly string[]): Promise<LeaseRow[]> {
  return executor.query<LeaseRow>(`select * from leases where state in ('launching', 'held') or run_name = any($1)`, [
    runNames,
  ]);
}
