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

/** For a team's own connection: its next sync reads everything again. Throws CALENDAR_NOT_FOUND. */
export async function requestFullSync(executor: Executor, calendarId: string, now: number): Promise<void> {
  const rows = await executor.query(
    `update connections set full_sync_wanted = true, next_sync_at = $2
     where calendar_id = $1 and deleted_at is null returning 1`,
    [calendarId, new Date(now)],
  );
  if (rows.length === 0) throw fail('CALENDAR_NOT_FOUND');
}
