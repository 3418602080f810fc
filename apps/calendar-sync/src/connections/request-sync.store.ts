import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';

/**
 * Makes the next sync of calendars due: at once, or when the pause after their last one is over. Those that are due by then
 * already stay as they are, so that any number of notifications is one sync.
 */
export async function requestSync(
  executor: Executor,
  calendarIds: readonly string[],
  { now, restMs }: { readonly now: number; readonly restMs: number },
): Promise<void> {
  await executor.query(
    `update connections set next_sync_at = greatest($2, sync_started_at + $3 * interval '1 millisecond')
     where calendar_id = any($1::uuid[])
       and next_sync_at > greatest($2, sync_started_at + $3 * interval '1 millisecond')`,
    [calendarIds, new Date(now), restMs],
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
