import { createHash, randomBytes } from 'node:crypto';
import { withStorableText } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import type { RunExit } from '@rapporteur/bot-lifecycle';
import type { RunMode } from '../schema/run-entities.ts';
import type { LaunchSpec, RunEvidence } from './launcher.ts';

export interface ClaimedRun extends LaunchSpec {
  readonly mode: RunMode;
  readonly teamId: string;
}

export interface ClaimOptions {
  /** Maximum number of active runs of the deployment. */
  readonly limit: number;
  /** Maximum number of runs of this call; absent: as many as the limit allows. */
  readonly slots?: number;
  /** Bots of which no run has joined are claimed when they were due by then; absent: all. */
  readonly newBotsDueBy?: Date;
  /** A new bot that was due by then waits for CPU no longer; absent: each may wait. */
  readonly waitedSince?: Date;
  /** Bots that come after all others, in this order. */
  readonly last?: readonly string[];
  readonly ticketTtlMs: number;
  readonly at: Date;
}

/** SHA-256 in hex, which is stored in place of the ticket. */
export function hashTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

interface ClaimedRow {
  readonly id: string;
  readonly team_id: string;
  readonly attempt: number;
  readonly mode: RunMode;
  readonly waits_for_cpu: boolean;
  readonly platform: LaunchSpec['platform'];
  readonly recording_mode: LaunchSpec['recordingMode'];
}

/**
 * Claims bots that wait for a run, up to the free capacity and `slots`; a displaced run does not count. Runs that save
 * a recording come first, then those that rejoin a meeting, then by join time. Each gets a new attempt with a fencing
 * number, a lease and a ticket.
 */
export async function claimRuns(database: Database, options: ClaimOptions): Promise<ClaimedRun[]> {
  const { limit, slots = limit, newBotsDueBy, waitedSince, last = [], ticketTtlMs, at } = options;
  if (limit === 0 || slots === 0) return [];
  return database.transaction(async (transaction) => {
    // Claims are serialized: two of them must not use the same free capacity.
    await transaction.query(`select pg_advisory_xact_lock(hashtext('rapporteur.bots.claim-runs'))`);
    const values = [at, limit, Math.min(slots, limit), last, newBotsDueBy ?? at, waitedSince ?? new Date(0)];
    const claimed = await transaction.query<ClaimedRow>(claimSql, values);
    if (claimed.length === 0) return [];
    const runs = claimed.map(({ id, team_id, attempt, mode, waits_for_cpu, platform, recording_mode }) => ({
      name: `bot-${id}-${attempt}`,
      botId: id,
      teamId: team_id,
      attempt,
      mode,
      waitsForCpu: waits_for_cpu,
      platform,
      recordingMode: recording_mode,
      ticket: randomBytes(32).toString('base64url'),
    }));
    await transaction.query(leaseSql, [
      JSON.stringify(
        runs.map(({ botId, attempt, mode, name, ticket }) => ({
          bot_id: botId,
          attempt,
          mode,
          run_name: name,
          ticket_hash: hashTicket(ticket),
        })),
      ),
      at,
      new Date(at.getTime() + ticketTtlMs),
    ]);
    return runs;
  });
}

/**
 * Reverts the claim of a run that redeemed no ticket: its bot waits again, with its position in the queue. By default,
 * for a launch that was refused before anything was created, the attempt does not count.
 */
export async function unclaimRun(
  database: Executor,
  { botId, attempt, mode }: Pick<ClaimedRun, 'botId' | 'attempt' | 'mode'>,
  attempts = attempt - 1,
): Promise<void> {
  await database.query(unclaimSql, [botId, attempt, mode, attempts]);
}

/** Extends the tickets of launched runs to `ttlMs` from `at`, once a twentieth of it has passed. */
export async function extendTickets(
  database: Executor,
  runNames: readonly string[],
  { ttlMs, at }: { readonly ttlMs: number; readonly at: Date },
): Promise<void> {
  const until = new Date(at.getTime() + ttlMs);
  await database.query(extendSql, [runNames, until, new Date(at.getTime() + ttlMs * 0.95)]);
}

/** Runs that save a recording come first, then those that rejoin a meeting. */
export const claimOrderSql = `(wants_run = 'finalize') desc, (attempt > 0) desc, coalesce(join_at, due_at)`;

const claimSql = `
  with room as (select greatest(0, $2::int - count(*)) as runs from leases
    where state in ('launching', 'held') and displaced_at is null),
  due as (
    select id, wants_run as mode from bots where wants_run is not null and due_at <= $1 and (phase <> 'queued' or due_at <= $5)
    order by array_position($4::uuid[], id) nulls first, ${claimOrderSql}
    limit least((select runs from room), $3::int) for update skip locked)
  update bots set attempt = attempt + 1, wants_run = null from due where bots.id = due.id
  returning bots.id, bots.team_id, bots.attempt, due.mode, phase = 'queued' and due_at > $6 as waits_for_cpu,
    bots.meeting_platform as platform, bots.configuration->>'recording_mode' as recording_mode`;

/**
 * The fencing number is the attempt, which increases with every run of the bot. A run that replaces a displaced one has
 * the same number, so that both may write until it records.
 */
const leaseSql = `
  with run as (
    select * from jsonb_to_recordset($1::jsonb)
      as run(bot_id uuid, attempt integer, mode text, run_name text, ticket_hash text)),
  lease as (
    insert into leases (bot_id, attempt, fencing, mode, run_name, state, created_at, applied_sequence)
    select bot_id, attempt,
      coalesce((select max(displaced.fencing) from leases displaced where displaced.bot_id = run.bot_id
        and displaced.state = 'held' and displaced.displaced_at is not null and displaced.replaced_at is null), attempt),
      mode, run_name, 'launching', $2, 0 from run)
  insert into launch_tickets (ticket_hash, bot_id, attempt, expires_at) select ticket_hash, bot_id, attempt, $3 from run`;

const extendSql = `
  update launch_tickets set expires_at = $2 from leases
  where leases.bot_id = launch_tickets.bot_id and leases.attempt = launch_tickets.attempt
    and leases.run_name = any($1) and leases.state = 'launching' and expires_at < $3`;

/** Only if the bot is unchanged: it has not ended, and this is its newest attempt. */
const unclaimSql = `
  with bot as (
    select id from bots where id = $1 and attempt = $2 and wants_run is null and ended_at is null for update),
  ticket as (
    delete from launch_tickets using bot where bot_id = bot.id and launch_tickets.attempt = $2),
  lease as (
    delete from leases using bot where bot_id = bot.id and leases.attempt = $2 and state = 'launching' returning bot_id)
  update bots set attempt = $4, wants_run = $3 from lease where bots.id = lease.bot_id`;

export interface RunEnd {
  readonly botId: string;
  readonly attempt: number;
  readonly exit: RunExit | null;
  /** Null: its end was not observed. */
  readonly endedAtMs: number | null;
  readonly evidence: RunEvidence | null;
}

/** Records how runs ended. The first record of an end is kept; ends without a lease are skipped. */
export async function writeRunEnds(executor: Executor, ends: readonly RunEnd[], at: Date): Promise<void> {
  if (ends.length === 0) return;
  const rows = ends.map(({ botId, attempt, exit, endedAtMs, evidence }) => ({
    bot_id: botId,
    attempt,
    cause: exit?.cause ?? null,
    exit_code: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    ended_at: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    status: evidence?.status ?? null,
    last_log_lines: evidence?.lastLogLines ?? [],
  }));
  await executor.query(
    `insert into run_ends (bot_id, attempt, cause, exit_code, signal, ended_at, written_at, status, last_log_lines)
     select run.bot_id, run.attempt, cause, exit_code, signal, run.ended_at, $2, run.status, last_log_lines
     from jsonb_to_recordset($1::jsonb) as run(bot_id uuid, attempt integer, cause text, exit_code integer, signal text,
       ended_at timestamptz, status jsonb, last_log_lines jsonb)
     join leases on leases.bot_id = run.bot_id and leases.attempt = run.attempt
     on conflict (bot_id, attempt) do nothing`,
    [JSON.stringify(withStorableText(rows)), at],
  );
}
