import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import type { RunMode } from '../schema/rows.ts';
import type { LaunchSpec } from './launcher.ts';

export interface ClaimedRun extends LaunchSpec {
  readonly mode: RunMode;
  readonly teamId: string;
}

export interface ClaimOptions {
  /** Runs that may be alive at a time. */
  readonly limit: number;
  readonly ticketTtlMs: number;
  readonly at: Date;
}

/** SHA-256 in hex: what is kept of a ticket. */
export function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

/**
 * Claims bots that wait for a run, as many as the limit leaves room for, finalize runs first: a recording that waits to
 * be saved comes before a meeting to be joined. Each gets a new attempt with its own fencing number, lease and ticket.
 */
export async function claimRuns(database: Database, { limit, ticketTtlMs, at }: ClaimOptions): Promise<ClaimedRun[]> {
  return database.transaction(async (transaction) => {
    // One claim at a time, or two of them would count the same room twice.
    await transaction.query(`select pg_advisory_xact_lock(hashtext('rapporteur.bots.claim-runs'))`);
    const claimed = await transaction.query<{ id: string; team_id: string; attempt: number; mode: RunMode }>(claimSql, [
      at,
      limit,
    ]);
    const runs: ClaimedRun[] = [];
    for (const { id, team_id, attempt, mode } of claimed) {
      const run = {
        name: `bot-${id}-${attempt}`,
        botId: id,
        teamId: team_id,
        attempt,
        mode,
        ticket: randomBytes(32).toString('base64url'),
      };
      await transaction.query(leaseSql, [
        id,
        attempt,
        mode,
        run.name,
        at,
        hashTicket(run.ticket),
        new Date(at.getTime() + ticketTtlMs),
      ]);
      runs.push(run);
    }
    return runs;
  });
}

const claimSql = `
  with room as (select greatest(0, $2::int - count(*)) as runs from leases where state in ('launching', 'held')),
  due as (
    select id, wants_run as mode from bots where wants_run is not null and due_at <= $1
    order by (wants_run = 'finalize') desc, due_at limit (select runs from room) for update skip locked)
  update bots set attempt = attempt + 1, wants_run = null from due where bots.id = due.id
  returning bots.id, bots.team_id, bots.attempt, due.mode`;

/** The fencing number is the attempt: it grows with every run of the bot. */
const leaseSql = `
  with lease as (
    insert into leases (bot_id, attempt, fencing, mode, run_name, state, created_at, applied_sequence)
    values ($1, $2, $2, $3, $4, 'launching', $5, 0))
  insert into launch_tickets (ticket_hash, bot_id, attempt, expires_at) values ($6, $1, $2, $7)`;
