import type { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, pageOf, readPlace, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth, Page, QueryOf } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import type { ConnectionRow } from '../schema/entities.ts';
import { calendarPlaceOf } from '../sealing.ts';
import type { CalendarPlace } from '../sealing.ts';
import { requestFullSync } from './request-sync.store.ts';
import { connectCalendar, deleteCalendar, listRawCalendars, updateCalendar } from './connect-calendar.ts';
import type { ConnectDependencies } from './connect-calendar.ts';
import {
  describeConnection,
  describeCreated,
  describeListed,
  describeRaw,
  describeUpdated,
} from './connection-shape.ts';
import { findChannel, findConnection } from './connections.store.ts';
import { readUnreadable } from './unreadable-events.store.ts';

/** Opens a new channel now. Throws a failure. */
export type Resubscribe = (connection: ConnectionRow) => Promise<Date>;

export interface ConnectionRouteDependencies extends ConnectDependencies {
  readonly resubscribe: Resubscribe;
}

/** The API of calendars. */
export function connectionRoutes(auth: InternalAuth, dependencies: ConnectionRouteDependencies): Router {
  const { database } = dependencies;
  const find = async (place: CalendarPlace): Promise<ConnectionRow> => {
    const row = await findConnection(database, place);
    if (row === null) throw fail('CALENDAR_NOT_FOUND');
    return row;
  };
  return servePublic(auth, {
    listRawCalendars: async ({ body }) => ({ data: (await listRawCalendars(dependencies, body)).map(describeRaw) }),
    createCalendar: async ({ teamId, body, request }) => {
      const row = await connectCalendar(dependencies, teamId, body);
      addToLog(request, { calendarId: row.calendar_id, platform: row.platform });
      return { data: describeCreated(row) };
    },
    listCalendars: async ({ teamId, query }) => {
      const { rows, cursor, prevCursor } = await listConnections(database, teamId, query);
      return { data: rows.map(describeListed), cursor, prev_cursor: prevCursor };
    },
    getCalendar: async (call) => {
      const row = await find(calendarPlaceOf(call));
      const channel = await findChannel(database, row.calendar_id);
      const unreadable = await readUnreadable(database, row.calendar_id);
      return { data: describeConnection(row, channel, unreadable) };
    },
    updateCalendar: async ({ body, ...call }) => ({
      data: describeUpdated(await updateCalendar(dependencies, calendarPlaceOf(call), body)),
    }),
    deleteCalendar: async (call) => {
      await deleteCalendar(dependencies, calendarPlaceOf(call));
      return { data: { message: 'The calendar is disconnected, and its events and scheduled bots are gone.' } };
    },
    syncCalendar: async (call) => {
      const row = await find(calendarPlaceOf(call));
      if (row.status === 'revoked') throw fail('CALENDAR_CREDENTIALS_REFUSED', { message: row.status_message ?? '' });
      await requestFullSync(database, row.calendar_id, dependencies.clock.now());
      dependencies.onDue();
      return { data: { message: 'A full sync of the calendar begins.' } };
    },
    resubscribeCalendar: async (call) => {
      const row = await find(calendarPlaceOf(call));
      const resubscribedAt = await dependencies.resubscribe(row);
      return { data: { calendar_id: row.calendar_id, resubscribed_at: resubscribedAt.toISOString() } };
    },
  });
}

type ListedRow = ConnectionRow & { readonly created_key: string };

/** A page of a team's connections, newest first. Throws VALIDATION for a cursor of another list. */
async function listConnections(
  executor: Executor,
  teamId: string,
  filters: QueryOf<'listCalendars'>,
): Promise<Page<ConnectionRow>> {
  const from = filters.cursor === undefined ? null : readPlace(filters.cursor);
  const list = (text: string | undefined): string[] | null => text?.split(',') ?? null;
  const found = await executor.query<ListedRow>(
    `select *, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_key from connections
     where team_id = $1 and deleted_at is null
       and ($2::text[] is null or lower(account_email) = any($2)) and ($3::text[] is null or platform = any($3))
       and ($4::text[] is null or status = any($4))
       and ($5::timestamptz is null or
         case when $7 then (created_at, calendar_id) > ($5, $6::uuid) else (created_at, calendar_id) < ($5, $6::uuid) end)
     order by case when $7 then created_at end, case when $7 then calendar_id end, created_at desc, calendar_id desc
     limit $8`,
    [
      teamId,
      list(filters.account_email?.toLowerCase()),
      list(filters.calendar_platform),
      list(filters.status),
      from?.at ?? null,
      from?.id ?? null,
      from?.backward ?? false,
      filters.limit + 1,
    ],
  );
  return pageOf(found, {
    limit: filters.limit,
    from,
    placeOf: (row) => ({ at: row.created_key, id: row.calendar_id }),
  });
}
