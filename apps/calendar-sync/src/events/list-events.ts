import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { pageOf, readPlace } from '@rapporteur/service-runtime';
import type { Page, QueryOf } from '@rapporteur/service-runtime';
import { findConnection } from '../connections/connections.store.ts';
import { botScheduledSql } from '../notices/write-notices.ts';
import type { EventRow, SeriesRow } from '../schema/entities.ts';
import type { CalendarPlace } from '../sealing.ts';

export type ListedEvent = EventRow & Pick<SeriesRow, 'event_type'> & { readonly bot_scheduled: boolean };
type Keyed<T> = T & { readonly key_at: string };

const keyText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as key_at`;

/** A page of a calendar's events, sorted by start. Throws CALENDAR_NOT_FOUND and VALIDATION. */
export async function listEvents(
  executor: Executor,
  place: CalendarPlace,
  filters: QueryOf<'listCalendarEvents'>,
): Promise<Page<ListedEvent>> {
  const from = filters.cursor === undefined ? null : readPlace(filters.cursor);
  await refuseUnknown(executor, place);
  const statuses = filters.status?.split(',') ?? (filters.show_cancelled ? null : ['confirmed', 'tentative']);
  const backward = from?.backward ?? false;
  const found = await executor.query<Keyed<ListedEvent>>(
    `select event.*, series.event_type, ${botScheduledSql} as bot_scheduled, ${keyText('event.start_at')}
     from events event join series on series.series_id = event.series_id
     where event.calendar_id = $1 and ($2::text[] is null or event.status = any($2))
       and ($3::timestamptz is null or event.start_at >= $3) and ($4::timestamptz is null or event.start_at <= $4)
       and ($5::timestamptz is null or (event.start_at, event.event_id) ${backward ? '<' : '>'} ($5, $6::uuid))
     order by event.start_at ${backward ? 'desc' : ''}, event.event_id ${backward ? 'desc' : ''} limit $7`,
    [
      place.calendarId,
      statuses,
      filters.start_date ?? null,
      filters.end_date ?? null,
      from?.at ?? null,
      from?.id ?? null,
      filters.limit + 1,
    ],
  );
  return pageOf(found, { limit: filters.limit, from, placeOf: (row) => ({ at: row.key_at, id: row.event_id }) });
}

export interface ListedSeries {
  readonly series: SeriesRow;
  readonly events: readonly ListedEvent[];
}

/** Further occurrences of a series are in the list of events. */
const eventsPerSeries = 200;

/** A page of a calendar's series, oldest first, each with its events. Throws CALENDAR_NOT_FOUND and VALIDATION. */
export async function listSeries(
  executor: Executor,
  place: CalendarPlace,
  filters: QueryOf<'listCalendarSeries'>,
): Promise<Page<ListedSeries>> {
  const from = filters.cursor === undefined ? null : readPlace(filters.cursor);
  await refuseUnknown(executor, place);
  const backward = from?.backward ?? false;
  const found = await executor.query<Keyed<SeriesRow>>(
    `select series.*, ${keyText('series.created_at')} from series
     where series.calendar_id = $1 and ($2::text is null or series.event_type = $2)
       and exists (select 1 from events event where event.series_id = series.series_id and ($3 or event.status <> 'cancelled'))
       and ($4::timestamptz is null or (series.created_at, series.series_id) ${backward ? '<' : '>'} ($4, $5::uuid))
     order by series.created_at ${backward ? 'desc' : ''}, series.series_id ${backward ? 'desc' : ''} limit $6`,
    [
      place.calendarId,
      filters.event_type ?? null,
      filters.show_cancelled,
      from?.at ?? null,
      from?.id ?? null,
      filters.limit + 1,
    ],
  );
  const listed = pageOf(found, {
    limit: filters.limit,
    from,
    placeOf: (row) => ({ at: row.key_at, id: row.series_id }),
  });
  const ids = listed.rows.map(({ series_id }) => series_id);
  const events = await eventsOfSeries(executor, ids, filters.show_cancelled);
  return { ...listed, rows: listed.rows.map((series) => ({ series, events: events.get(series.series_id) ?? [] })) };
}

async function eventsOfSeries(executor: Executor, seriesIds: readonly string[], showCancelled: boolean) {
  const rows = await executor.query<ListedEvent>(
    `select event.*, series.event_type, ${botScheduledSql} as bot_scheduled
     from series cross join lateral (
       select * from events one where one.series_id = series.series_id and ($2 or one.status <> 'cancelled')
       order by one.start_at, one.event_id limit ${eventsPerSeries}) event
     where series.series_id = any($1::uuid[]) order by event.start_at, event.event_id`,
    [seriesIds, showCancelled],
  );
  return Map.groupBy(rows, ({ series_id }) => series_id);
}

export async function findEvent(executor: Executor, place: CalendarPlace, eventId: string): Promise<ListedEvent> {
  await refuseUnknown(executor, place);
  const [row] = await executor.query<ListedEvent>(
    `select event.*, series.event_type, ${botScheduledSql} as bot_scheduled
     from events event join series on series.series_id = event.series_id
     where event.calendar_id = $1 and event.event_id = $2`,
    [place.calendarId, eventId],
  );
  if (row === undefined) throw fail('CALENDAR_EVENT_NOT_FOUND');
  return row;
}

async function refuseUnknown(executor: Executor, place: CalendarPlace): Promise<void> {
  if ((await findConnection(executor, place)) === null) throw fail('CALENDAR_NOT_FOUND');
}
