import { defineTable, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { column, key, ofBot, optional } from './columns.ts';

const runKey = ['bot_id', 'attempt'];
const ofLease = (name: string) => ({ name, target: 'leases', columnNames: runKey, referencedColumnNames: runKey });

export type RunMode = 'attend' | 'finalize';

/**
 * launching: its ticket is issued. held: a runner redeemed it and renews. done: the bot ended through it. lost: marked
 * as failed; its runner is fenced.
 */
export type LeaseState = 'launching' | 'held' | 'done' | 'lost';

export const leaseEntity = defineTable({
  name: 'leases',
  columns: {
    bot_id: key('uuid', 'leases_key'),
    attempt: key('integer', 'leases_key'),
    fencing: column('integer'),
    mode: column(text<RunMode>()),
    run_name: column('text'),
    state: column(text<LeaseState>()),
    created_at: column('timestamptz'),
    renewed_at: optional('timestamptz'),
    /** When its runner last stated that its machine has no CPU for another run. */
    late_at: optional('timestamptz'),
    applied_sequence: column('integer'),
    ended_at: optional('timestamptz'),
    /** When another run of the bot was requested to replace it. */
    displaced_at: optional('timestamptz'),
    /** When that one began to record. */
    replaced_at: optional('timestamptz'),
  },
  uniques: [{ name: 'leases_run_name', columns: ['run_name'] }],
  indices: [{ name: 'leases_alive', columns: ['state'], where: "state in ('launching', 'held')" }],
  checks: [{ name: 'leases_state_known', expression: "state in ('launching', 'held', 'done', 'lost')" }],
  foreignKeys: [ofBot('leases_bot')],
});

export type LeaseRow = RowOf<typeof leaseEntity>;

export const launchTicketEntity = defineTable({
  name: 'launch_tickets',
  columns: {
    /** SHA-256 of the ticket in hex; the ticket itself is only in the runner's environment. */
    ticket_hash: key('text', 'launch_tickets_key'),
    bot_id: column('uuid'),
    attempt: column('integer'),
    expires_at: column('timestamptz'),
    redeemed_at: optional('timestamptz'),
    /** Identifier that the runner's process sent. */
    redeemed_by: optional('text'),
  },
  foreignKeys: [ofLease('launch_tickets_lease')],
});

/** How one run ended, with its evidence. Written once. */
export const runEndEntity = defineTable({
  name: 'run_ends',
  columns: {
    bot_id: key('uuid', 'run_ends_key'),
    attempt: key('integer', 'run_ends_key'),
    /** Null: only exit code and signal are known, or nothing. */
    cause: optional('text'),
    exit_code: optional('integer'),
    signal: optional('text'),
    /** Null: its end was not observed; its lease expired. */
    ended_at: optional('timestamptz'),
    written_at: column('timestamptz'),
    status: optional('jsonb'),
    last_log_lines: column('jsonb'),
  },
  foreignKeys: [ofLease('run_ends_lease')],
});
