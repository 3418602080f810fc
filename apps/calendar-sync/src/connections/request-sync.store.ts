import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';

/**
 * changed: the calendar changed. missed: notifications were lost. removed: the channel was removed. renewal: the
 * channel sends nothing until it is renewed.
 */
export type NotificationReason = 'changed' | 'missed' | 'removed' | 'renewal';

export interface SyncRequest {
  readonly calendarId: string;
  readonly channelId: string;
  readonly reason: NotificationReason;
}

/** Stores providers' notifications. Only inserts rows: it never waits for a sync that locks its connection. */
export async function addSyncRequests(
  executor: Executor,
  requests: readonly SyncRequest[],
  now: number,
): Promise<void> {
  await executor.query(
    `insert into sync_requests (request_id, calendar_id, channel_id, reason, requested_at)
     select gen_random_uuid(), calendar_id, channel_id, reason, $4
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as given (calendar_id, channel_id, reason)`,
    [
      requests.map(({ calendarId }) => calendarId),
      requests.map(({ channelId }) => channelId),
      requests.map(({ reason }) => reason),
      new Date(now),
    ],
  );
}

/**
 * Makes the next sync of requested calendars due: at once, or after the minimum interval. Calendars that are due by
 * then are unchanged, so that any number of notifications causes one sync. Connections with a locked row are left for
 * the next call. A removed channel is marked as closing, one to renew as such; after either, and after lost
 * notifications, the next sync is full.
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
       returning request.calendar_id, request.channel_id, request.reason),
     stated as (
       select channel_id, bool_or(reason = 'removed') as removed, bool_or(reason = 'renewal') as renewal
       from taken group by channel_id),
     marked as (
       update channels channel set notified_at = $1, silent_rounds = 0,
         state = case when stated.removed and channel.state = 'active' then 'closing' else channel.state end,
         renewal_required = channel.renewal_required or stated.renewal
       from stated where channel.channel_id = stated.channel_id),
     due as (
       select calendar_id, bool_or(reason <> 'changed') as is_full from taken group by calendar_id)
     update connections connection
     set next_sync_at = least(connection.next_sync_at,
         greatest($1, connection.sync_started_at + $2 * interval '1 millisecond')),
       full_sync_wanted = connection.full_sync_wanted or due.is_full,
       full_sync_requests = connection.full_sync_requests + due.is_full::integer
     from due where connection.calendar_id = due.calendar_id
       and (due.is_full or connection.next_sync_at > greatest($1, connection.sync_started_at + $2 * interval '1 millisecond'))`,
    [new Date(now), restMs],
  );
}

/** Deletes requests for deleted calendars. */
export async function removeStaleRequests(executor: Executor, before: Date): Promise<void> {
  await executor.query(
    `delete from sync_requests where requested_at < $1
       and not exists (select 1 from connections where connections.calendar_id = sync_requests.calendar_id)`,
    [before],
  );
}

/** For a team's own connection: makes the next sync full. Throws CALENDAR_NOT_FOUND. */
export async function requestFullSync(executor: Executor, calendarId: string, now: number): Promise<void> {
  const rows = await executor.query(
    `update connections set full_sync_wanted = true, full_sync_requests = full_sync_requests + 1, next_sync_at = $2
     where calendar_id = $1 and deleted_at is null returning 1`,
    [calendarId, new Date(now)],
  );
  if (rows.length === 0) throw fail('CALENDAR_NOT_FOUND');
}
