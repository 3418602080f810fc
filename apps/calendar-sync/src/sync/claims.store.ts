import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '@rapporteur/database';
import type { ConnectionRow } from '../schema/rows.ts';

/** A lease on one calendar: only its holder syncs the calendar. */
export interface Claim {
  readonly lease: string;
  readonly connection: ConnectionRow;
}

/** Renewed with every page; the lease of a dead process expires after this time. */
export const leaseMs = 60_000;

export interface ClaimSettings {
  readonly now: number;
  readonly limit: number;
  readonly syncEveryMs: number;
}

/** Claims due calendars, longest waiting first, and sets their next periodic sync. */
export async function claimDue(database: Database, { now, limit, syncEveryMs }: ClaimSettings): Promise<Claim[]> {
  const lease = randomUUID();
  const rows = await database.query<ConnectionRow>(
    `update connections set sync_lease = $1, sync_lease_until = $3, sync_started_at = $2, next_sync_at = $4
     where calendar_id in (
       select calendar_id from connections
       where next_sync_at <= $2 and (sync_lease_until is null or sync_lease_until <= $2)
       order by next_sync_at limit $5 for update skip locked)
     returning *`,
    [lease, new Date(now), new Date(now + leaseMs), new Date(now + syncEveryMs), limit],
  );
  return rows.map((connection) => ({ lease, connection }));
}

/** Locks the connection for the transaction and renews the lease. Throws LeaseLost when another process holds it. */
export async function holdLease(transaction: Executor, claim: Claim, now: number): Promise<void> {
  const held = await transaction.query(
    'update connections set sync_lease_until = $3 where calendar_id = $1 and sync_lease = $2 returning 1',
    [claim.connection.calendar_id, claim.lease, new Date(now + leaseMs)],
  );
  if (held.length === 0) throw new LeaseLost();
}

export class LeaseLost extends Error {
  constructor() {
    super('Another process syncs this calendar by now.');
    this.name = 'LeaseLost';
  }
}

export async function releaseLease(database: Database, claim: Claim): Promise<void> {
  await database.query(
    'update connections set sync_lease = null, sync_lease_until = null where calendar_id = $1 and sync_lease = $2',
    [claim.connection.calendar_id, claim.lease],
  );
}
