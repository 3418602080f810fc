import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';

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

/** For a team's own connection: the next sync that begins reads everything again. Throws CALENDAR_NOT_FOUND. */
export async function requestFullSync(executor: Executor, calendarId: string, now: number): Promise<void> {
  const rows = await executor.query(
    `update connections set full_sync_wanted = true, full_sync_requests = full_sync_requests + 1, next_sync_at = $2
     where calendar_id = $1 and deleted_at is null returning 1`,
    [calendarId, new Date(now)],
  );
  if (rows.length === 0) throw fail('CALENDAR_NOT_FOUND');
}
