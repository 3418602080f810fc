import { calendarChanged, calendarEventsAffected } from '@rapporteur/contracts';
import type { CalendarInstance, CalendarNotice } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { Outbox } from '@rapporteur/event-bus';
import type { ConnectionRow, EventRow, SeriesRow } from '../schema/entities.ts';

export interface ChangedEvent {
  readonly event_id: string;
  readonly change: 'created' | 'updated' | 'cancelled';
}

export interface NoticeSink {
  readonly transaction: Executor;
  readonly events: Pick<Outbox, 'add'>;
}

export interface RoundChanges {
  readonly changes: readonly ChangedEvent[];
  /** A full round is one `events_synced` instead of one event per change. */
  readonly isFull: boolean;
}

type NotificationRow = Pick<
  EventRow,
  | 'event_id'
  | 'series_id'
  | 'title'
  | 'start_at'
  | 'end_at'
  | 'is_all_day'
  | 'status'
  | 'is_exception'
  | 'meeting_url'
  | 'meeting_platform'
  | 'updated_at'
> &
  Pick<SeriesRow, 'event_type'> & { readonly bot_scheduled: boolean; readonly series_bot_scheduled: boolean };

/** Keeps a message well below the size limit of the bus. */
const instancesPerNotice = 100;

/** Adds events about the changes of a page to the outbox. */
export async function writeNotices(
  sink: NoticeSink,
  connection: ConnectionRow,
  { changes, isFull }: RoundChanges,
): Promise<void> {
  if (changes.length === 0) return;
  const kinds = new Map(changes.map(({ event_id, change }) => [event_id, change]));
  const rows = await sink.transaction.query<NotificationRow>(
    `select event.event_id, event.series_id, event.title, event.start_at, event.end_at, event.is_all_day, event.status,
       event.is_exception, event.meeting_url, event.meeting_platform, event.updated_at, series.event_type,
       series.bot_config_id is not null and not series.bot_excluded as series_bot_scheduled,
       ${botScheduledSql} as bot_scheduled
     from events event join series on series.series_id = event.series_id
     where event.event_id = any($1::uuid[]) order by event.start_at, event.event_id`,
    [[...kinds.keys()]],
  );
  const notices = isFull ? syncedNotices(connection, rows) : changeNotices(connection, rows, kinds);
  for (const notice of notices) await writeNotice(sink, connection, notice);
  for (const eventIds of chunks([...kinds.keys()])) {
    await sink.events.add(sink.transaction, calendarEventsAffected, {
      teamId: connection.team_id,
      calendarId: connection.calendar_id,
      eventIds,
      at: new Date(Math.max(...rows.map(({ updated_at }) => updated_at.getTime()))).toISOString(),
      webhookUrl: connection.webhook_url,
    });
  }
}

export async function writeNotice(
  { transaction, events }: NoticeSink,
  { team_id: teamId, calendar_id: calendarId }: Pick<ConnectionRow, 'team_id' | 'calendar_id'>,
  notice: CalendarNotice,
): Promise<void> {
  await events.add(transaction, calendarChanged, { teamId, calendarId, notice });
}

/** The bot of a row of `wanted_bots` joins the meeting of a row of `events`: under the names `bot` and `event`. */
export const isBotOfEventSql = `bot.team_id = event.team_id and bot.meeting_key = event.meeting_key
  and bot.scope_id in (event.team_id, event.calendar_id)
  and event.start_at >= bot.join_at and event.start_at < bot.shared_until`;

/** For a query with the table `events` under the name `event`. */
export const botScheduledSql = `(event.status <> 'cancelled' and exists (
  select 1 from wanted_bots bot
  where ${isBotOfEventSql} and bot.state = 'wanted'))`;

function syncedNotices({ calendar_id }: ConnectionRow, rows: readonly NotificationRow[]): CalendarNotice[] {
  return chunks(rows).map((chunk) => ({
    event: 'calendar.events_synced',
    data: {
      calendar_id,
      events: bySeries(chunk).map((group) => ({ ...headOf(group), instances: group.map(instanceOf) })),
    },
  }));
}

function changeNotices(
  { calendar_id }: ConnectionRow,
  rows: readonly NotificationRow[],
  kinds: ReadonlyMap<string, ChangedEvent['change']>,
): CalendarNotice[] {
  const of = (change: ChangedEvent['change']) =>
    bySeries(rows.filter(({ event_id }) => kinds.get(event_id) === change)).flatMap((group) => chunks(group));
  return [
    ...of('created').map((group): CalendarNotice => ({
      event: 'calendar.event_created',
      data: { calendar_id, ...headOf(group), instances: group.map(instanceOf) },
    })),
    ...of('updated').map((group): CalendarNotice => ({
      event: 'calendar.event_updated',
      data: {
        calendar_id,
        ...headOf(group),
        is_exception: group.every(({ is_exception }) => is_exception),
        affected_instances: group.map(instanceOf),
      },
    })),
    ...of('cancelled').map((group): CalendarNotice => {
      const { series_bot_scheduled: _scheduled, ...head } = headOf(group);
      return {
        event: 'calendar.event_cancelled',
        data: { calendar_id, ...head, cancelled_instances: group.map(instanceOf) },
      };
    }),
  ];
}

function headOf([first]: readonly NotificationRow[]) {
  return {
    event_type: first?.event_type ?? ('one_off' as const),
    series_id: first?.series_id ?? null,
    series_bot_scheduled: first?.series_bot_scheduled ?? false,
  };
}

function instanceOf(row: NotificationRow): CalendarInstance {
  return {
    event_id: row.event_id,
    start: row.start_at.toISOString(),
    end: row.end_at.toISOString(),
    title: row.title,
    status: row.status,
    is_all_day: row.is_all_day,
    is_exception: row.is_exception,
    bot_scheduled: row.bot_scheduled,
    meeting_url: row.meeting_url,
    meeting_platform: row.meeting_platform,
  };
}

function bySeries(rows: readonly NotificationRow[]): NotificationRow[][] {
  const groups = Map.groupBy(rows, ({ series_id }) => series_id);
  return [...groups.values()];
}

function chunks<T>(items: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let at = 0; at < items.length; at += instancesPerNotice) found.push(items.slice(at, at + instancesPerNotice));
  return found;
}
