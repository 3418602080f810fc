import { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, readInput, teamOf, pageOf, queryInteger, readPlace } from '@rapporteur/service-runtime';
import type { InternalAuth, Page } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import { z } from 'zod';
import { calendarPlaceOf } from '../request-input.ts';
import type { ConnectionRow } from '../schema/entities.ts';
import { requestFullSync } from './request-sync.store.ts';
import { connectCalendar, deleteCalendar, listRawCalendars, updateCalendar } from './connect-calendar.ts';
import type { ConnectDependencies } from './connect-calendar.ts';
import {
  createCalendarBody,
  describeConnection,
  describeCreated,
  describeListed,
  describeRaw,
  describeUpdated,
  listRawBody,
  updateCalendarBody,
} from './connection-shape.ts';
import { findChannel, findConnection } from './connections.store.ts';
import { readUnreadable } from './unreadable-events.store.ts';

const root = '/internal/v2/calendars';
const limitBytes = 64 * 1_024;

/** Opens a new channel now. Throws a failure. */
export type Resubscribe = (connection: ConnectionRow) => Promise<Date>;

export interface ConnectionRouteDependencies extends ConnectDependencies {
  readonly resubscribe: Resubscribe;
}

/** Routes of calendars, in the shapes of the public API. */
export function connectionRoutes(auth: InternalAuth, dependencies: ConnectionRouteDependencies): Router {
  const router = Router();
  const { database } = dependencies;
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes });
  router.post(`${root}/list-raw`, gatewayOnly, readJson, async (request, response) => {
    const calendars = await listRawCalendars(dependencies, readInput(listRawBody, request.body));
    response.json({ success: true, data: calendars.map(describeRaw) });
  });
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const row = await connectCalendar(dependencies, teamOf(request), readInput(createCalendarBody, request.body));
    addToLog(request, { teamId: row.team_id, calendarId: row.calendar_id, platform: row.platform });
    response.status(201).json({ success: true, data: describeCreated(row) });
  });
  router.get(root, gatewayOnly, async (request, response) => {
    const { rows, cursor, prevCursor } = await listConnections(database, teamOf(request), request.query);
    response.json({ success: true, data: rows.map(describeListed), cursor, prev_cursor: prevCursor });
  });
  router.get(`${root}/:calendar_id`, gatewayOnly, async (request, response) => {
    const place = calendarPlaceOf(request);
    const row = await findConnection(database, place);
    if (row === null) throw fail('CALENDAR_NOT_FOUND');
    const channel = await findChannel(database, place.calendarId);
    const unreadable = await readUnreadable(database, place.calendarId);
    response.json({ success: true, data: describeConnection(row, channel, unreadable) });
  });
  router.patch(`${root}/:calendar_id`, gatewayOnly, readJson, async (request, response) => {
    const body = readInput(updateCalendarBody, request.body);
    const row = await updateCalendar(dependencies, calendarPlaceOf(request), body);
    response.json({ success: true, data: describeUpdated(row) });
  });
  router.delete(`${root}/:calendar_id`, gatewayOnly, async (request, response) => {
    await deleteCalendar(dependencies, calendarPlaceOf(request));
    const message = 'The calendar is disconnected, and its events and scheduled bots are gone.';
    response.json({ success: true, data: { message } });
  });
  router.post(`${root}/:calendar_id/sync`, gatewayOnly, async (request, response) => {
    const place = calendarPlaceOf(request);
    const row = await findConnection(database, place);
    if (row === null) throw fail('CALENDAR_NOT_FOUND');
    if (row.status === 'revoked') throw fail('CALENDAR_CREDENTIALS_REFUSED', { message: row.status_message ?? '' });
    await requestFullSync(database, place.calendarId, dependencies.clock.now());
    dependencies.onDue();
    response.json({ success: true, data: { message: 'A full sync of the calendar begins.' } });
  });
  router.post(`${root}/:calendar_id/resubscribe`, gatewayOnly, async (request, response) => {
    const place = calendarPlaceOf(request);
    const row = await findConnection(database, place);
    if (row === null) throw fail('CALENDAR_NOT_FOUND');
    const resubscribedAt = await dependencies.resubscribe(row);
    const data = { calendar_id: place.calendarId, resubscribed_at: resubscribedAt.toISOString() };
    response.json({ success: true, data });
  });
  return router;
}

const listQuery = z.object({
  limit: queryInteger(1, 250).default(50),
  cursor: z.string().optional(),
  account_email: z.string().optional(),
  calendar_platform: z.string().optional(),
  status: z.string().optional(),
});

type ListedRow = ConnectionRow & { readonly created_key: string };

/** A page of a team's connections, newest first. Throws VALIDATION that names the field. */
async function listConnections(executor: Executor, teamId: string, query: unknown): Promise<Page<ConnectionRow>> {
  const filters = readInput(listQuery, query);
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
