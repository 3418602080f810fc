import type { CalendarNotice } from '@rapporteur/contracts';
import type { RawCalendar } from '../providers/calendar-provider.ts';
import type { ChannelRow, ConnectionRow } from '../schema/entities.ts';
import type { UnreadableEvents } from './unreadable-events.store.ts';

const noUnreadableEvents: UnreadableEvents = { count: 0, newest: [] };

export function describeRaw({ id, name, email, isPrimary }: RawCalendar) {
  return { id, name, email, is_primary: isPrimary };
}

export function describeCreated(row: ConnectionRow) {
  return {
    calendar_id: row.calendar_id,
    calendar_platform: row.platform,
    account_email: row.account_email,
    status: row.status,
    created_at: row.created_at.toISOString(),
  };
}

export function describeUpdated(row: ConnectionRow) {
  const { created_at: _created, ...shown } = describeCreated(row);
  return { ...shown, updated_at: row.updated_at.toISOString() };
}

export function describeListed(row: ConnectionRow) {
  return { ...describeCreated(row), synced_at: row.synced_at?.toISOString() ?? null };
}

/** A connection without its secrets. */
export function describeConnection(row: ConnectionRow, channel: ChannelRow | null, unreadable = noUnreadableEvents) {
  return {
    ...describeListed(row),
    status_message: row.status_message,
    subscription_id: channel?.channel_id ?? null,
    subscription_expires_at: channel?.expires_at.toISOString() ?? null,
    sync_status: row.sync_status,
    sync_error: row.sync_error,
    preferred_platform: row.preferred_platform,
    unreadable_event_count: unreadable.count,
    unreadable_events: unreadable.newest.map(({ provider_event_id, reason, since }) => ({
      provider_event_id,
      reason,
      since: since.toISOString(),
    })),
    provider_metadata: { raw_calendar_id: row.raw_calendar_id, name: row.name, time_zone: row.time_zone },
    updated_at: row.updated_at.toISOString(),
  };
}

export function connectionNotice(
  row: ConnectionRow,
  event: 'calendar.connection_created' | 'calendar.connection_updated' | 'calendar.connection_error',
): CalendarNotice {
  const created = describeCreated(row);
  const updated_at = row.updated_at.toISOString();
  switch (event) {
    case 'calendar.connection_created':
      return { event, data: created };
    case 'calendar.connection_updated':
      return { event, data: { ...created, updated_at } };
    case 'calendar.connection_error':
      return { event, data: { ...created, updated_at, status_message: row.status_message } };
  }
}
