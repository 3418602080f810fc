import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { ConnectionRow } from '../schema/rows.ts';

/** The right to sync one calendar: whoever holds the lease is the only one. */
export interface Claim {
  readonly lease: string;
  readonly connection: ConnectionRow;
}

/** A sync renews it with every page; a process that died gives it up after this. */
export const leaseMs = 60_000;

export interface ClaimSettings {
  readonly now: number;
  readonly limit: number;
  readonly syncEveryMs: number;
}

/** Takes calendars that are due, the longest waiting first. Their next sync is then the periodic one. */
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

/** Locks the connection for the transaction and renews the lease. Throws LeaseLost when somebody else holds it. */
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

/** Notes that calendars changed. Only adds rows: it never waits for a sync that holds its connection's row. */
export async function addSyncRequests(executor: Executor, calendarIds: readonly string[], now: number): Promise<void> {
  await executor.query(
    `insert into sync_requests (request_id, calendar_id, requested_at)
     select gen_random_uuid(), calendar_id, $2 from unnest($1::uuid[]) as given (calendar_id)`,
    [calendarIds, new Date(now)],
  );
}

/**
 * Makes the next sync of requested calendars due: at once, or when the pause after their last one is over. Those that are due
 * by then already stay as they are, so that any number of notifications is one sync. A connection whose row is in use is left
 * to the next call.
 */
export async function takeSyncRequests(
  executor: Executor,
  { now, restMs }: { readonly now: number; readonly restMs: number },
): Promise<void> {
  await executor.query(
    `with free as (
       select calendar_id from connections where calendar_id in (select calendar_id from sync_requests)
       for no key update skip locked),
     taken as (
       delete from sync_requests request using free where request.calendar_id = free.calendar_id
       returning request.calendar_id)
     update connections set next_sync_at = greatest($1, sync_started_at + $2 * interval '1 millisecond')
     where calendar_id in (select calendar_id from taken)
       and next_sync_at > greatest($1, sync_started_at + $2 * interval '1 millisecond')`,
    [new Date(now), restMs],
  );
}

/** Removes what was requested for calendars that are gone. */
export async function removeStaleRequests(executor: Executor, before: Date): Promise<void> {
  await executor.query(
    `delete from sync_requests where requested_at < $1
       and not exists (select 1 from connections where connections.calendar_id = sync_requests.calendar_id)`,
    [before],
  );
}

/** For a team's own connection: its next sync reads everything again. Throws CALENDAR_NOT_FOUND. */
export async function requestFullSync(executor: Executor, calendarId: string, now: number): Promise<void> {
  const rows = await executor.query(
    `update connections set full_sync_wanted = true, next_sync_at = $2
     where calendar_id = $1 and deleted_at is null returning 1`,
    [calendarId, new Date(now)],
  );
  if (rows.length === 0) throw fail('CALENDAR_NOT_FOUND');
}
