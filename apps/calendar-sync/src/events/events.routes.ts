import type { Router } from 'express';
import type { Executor } from '@rapporteur/database';
import { servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findConnection } from '../connections/connections.store.ts';
import { calendarPlaceOf } from '../sealing.ts';
import { findEvent, listEvents, listSeries } from './list-events.ts';
import type { ListedEvent } from './list-events.ts';

/** The API of events and series. */
export function eventRoutes(auth: InternalAuth, { database }: { readonly database: Executor }): Router {
  return servePublic(auth, {
    listCalendarEvents: async ({ query, ...call }) => {
      const { rows, cursor, prevCursor } = await listEvents(database, calendarPlaceOf(call), query);
      return { data: rows.map(describeListed), cursor, prev_cursor: prevCursor };
    },
    listCalendarSeries: async ({ query, ...call }) => {
      const { rows, cursor, prevCursor } = await listSeries(database, calendarPlaceOf(call), query);
      const data = rows.map(({ series, events }) => ({
        series_id: series.series_id,
        event_type: series.event_type,
        calendar_id: series.calendar_id,
        created_at: series.created_at.toISOString(),
        events: events.map(describeEvent),
      }));
      return { data, cursor, prev_cursor: prevCursor };
    },
    getCalendarEvent: async ({ params, ...call }) => {
      const place = calendarPlaceOf({ ...call, params });
      const row = await findEvent(database, place, params.event_id);
      const connection = await findConnection(database, place);
      return { data: { ...describeDetails(row), calendar_platform: connection?.platform } };
    },
  });
}

function describeListed(row: ListedEvent) {
  return { series_id: row.series_id, event_type: row.event_type, ...describeEvent(row) };
}

function describeEvent(row: ListedEvent) {
  return {
    event_id: row.event_id,
    title: row.title,
    start_time: row.start_at.toISOString(),
    end_time: row.end_at.toISOString(),
    status: row.status,
    is_exception: row.is_exception,
    meeting_url: row.meeting_url,
    meeting_platform: row.meeting_platform,
    notices: row.notices,
    calendar_id: row.calendar_id,
    bot_scheduled: row.bot_scheduled,
    created_at: row.created_at.toISOString(),
  };
}

function describeDetails(row: ListedEvent) {
  return {
    ...describeListed(row),
    meeting_links: row.meeting_links,
    description: row.description,
    location: row.location,
    timezone: row.time_zone,
    is_all_day: row.is_all_day,
    organizer_email: row.organizer_email,
    organizer_name: row.organizer_name,
    attendees: row.attendees,
    raw_payload: row.raw,
    updated_at: row.updated_at.toISOString(),
  };
}
