import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import type { ChangedEvent } from '../notices/write-notices.ts';
import { findMeetingLink } from '../providers/find-meeting-link.ts';
import type { Occurrence } from '../providers/calendar-provider.ts';
import type { ConnectionRow, EventRow, Inherited, SeriesRow } from '../schema/rows.ts';
import { contentHash } from './content-hash.ts';

export interface ApplyContext {
  readonly transaction: Executor;
  readonly connection: Pick<ConnectionRow, 'calendar_id' | 'team_id'>;
  readonly simulatorLinkHosts: readonly string[];
  readonly at: Date;
}

/** Writes what is new or different; what is stored already costs no write. Gives the events that changed. */
export async function applyOccurrences(
  context: ApplyContext,
  occurrences: readonly Occurrence[],
  masters: ReadonlyMap<string, Inherited> = new Map(),
): Promise<ChangedEvent[]> {
  // The same entity may come several times in one page: the last one counts.
  const newest = [...new Map(occurrences.map((one) => [one.occurrenceKey, one])).values()];
  const series = await upsertSeries(context, newest, masters);
  if (newest.length === 0) return [];
  const rows = newest.map((one) => rowOf(context, one, series.get(one.providerSeriesId)?.series_id ?? ''));
  const written = await context.transaction.query<{ event_id: string; is_new: boolean }>(upsertSql, [
    context.connection.calendar_id,
    context.connection.team_id,
    context.at,
    JSON.stringify(rows),
  ]);
  return written.map(({ event_id, is_new }) => ({ event_id, change: is_new ? 'created' : 'updated' }));
}

const columns = [
  ['occurrence_key', 'text'],
  ['provider_event_id', 'text'],
  ['series_id', 'uuid'],
  ['meeting_key', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['location', 'text'],
  ['start_at', 'timestamptz'],
  ['end_at', 'timestamptz'],
  ['is_all_day', 'boolean'],
  ['time_zone', 'text'],
  ['status', 'text'],
  ['is_exception', 'boolean'],
  ['is_private', 'boolean'],
  ['is_organizer', 'boolean'],
  ['own_response', 'text'],
  ['meeting_url', 'text'],
  ['meeting_platform', 'text'],
  ['organizer_email', 'text'],
  ['organizer_name', 'text'],
  ['attendees', 'jsonb'],
  ['raw', 'jsonb'],
  ['content_hash', 'text'],
] as const;
const names = columns.map(([name]) => name).join(', ');

/** `xmax = 0` is true for a row that was inserted. */
const upsertSql = `
  insert into events (event_id, calendar_id, team_id, bot_excluded, created_at, updated_at, ${names})
  select gen_random_uuid(), $1, $2, false, $3, $3, ${names}
    from jsonb_to_recordset($4::jsonb) as given (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})
  on conflict (calendar_id, occurrence_key) do update
    set updated_at = excluded.updated_at, ${columns.map(([name]) => `${name} = excluded.${name}`).join(', ')}
    where events.content_hash <> excluded.content_hash
  returning event_id, xmax = 0 as is_new`;

type StoredColumns = Pick<EventRow, (typeof columns)[number][0]>;

function rowOf({ simulatorLinkHosts }: ApplyContext, one: Occurrence, seriesId: string): object {
  const link = findMeetingLink(one.linkCandidates, simulatorLinkHosts);
  const storable = (text: string | null): string | null =>
    text === null ? null : text.replaceAll('\0', '').toWellFormed();
  const row: Record<keyof StoredColumns, unknown> = {
    occurrence_key: one.occurrenceKey,
    provider_event_id: one.providerEventId,
    series_id: seriesId,
    meeting_key: `${one.meetingUid}@${one.startMs}`,
    title: storable(one.title),
    description: storable(one.description),
    location: storable(one.location),
    start_at: new Date(one.startMs),
    end_at: new Date(one.endMs),
    is_all_day: one.isAllDay,
    time_zone: one.timeZone,
    status: one.status,
    is_exception: one.isException,
    is_private: one.isPrivate,
    is_organizer: one.isOrganizer,
    own_response: one.ownResponse,
    meeting_url: link?.url ?? null,
    meeting_platform: link?.platform ?? null,
    organizer_email: storable(one.organizerEmail),
    organizer_name: storable(one.organizerName),
    attendees: one.attendees,
    raw: storableJson(one.raw),
    content_hash: contentHash(one),
  };
  return row;
}

/** PostgreSQL stores no character 0. */
function storableJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  const zero = String.raw`\u0000`;
  return text.includes(zero) ? (JSON.parse(text.replaceAll(zero, '')) as unknown) : value;
}

/** Google names the series that goes on after "this and all following" after the one it comes from. */
const continuation = /^(.+)_R\d{8}(?:T\d{6}Z?)?$/;

/** Series of the occurrences and masters, by the provider's id. */
export async function upsertSeries(
  { transaction, connection, at }: ApplyContext,
  occurrences: readonly Occurrence[],
  masters: ReadonlyMap<string, Inherited>,
): Promise<Map<string, SeriesRow>> {
  const wanted = new Map<string, { event_type: string; inherited: Inherited | null }>();
  for (const { providerSeriesId, isRecurring } of occurrences) {
    const known = wanted.get(providerSeriesId);
    const event_type = isRecurring ? 'recurring' : (known?.event_type ?? 'one_off');
    wanted.set(providerSeriesId, { event_type, inherited: null });
  }
  for (const [id, inherited] of masters) wanted.set(id, { event_type: 'recurring', inherited });
  if (wanted.size === 0) return new Map();
  const given = [...wanted].map(([provider_series_id, series]) => ({
    series_id: randomUUID(),
    provider_series_id,
    continues: continuation.exec(provider_series_id)?.[1] ?? null,
    ...series,
  }));
  await transaction.query(
    `insert into series (series_id, calendar_id, team_id, provider_series_id, event_type, inherited, bot_config_id,
       bot_excluded, created_at)
     select given.series_id, $1, $2, given.provider_series_id, given.event_type, given.inherited, former.bot_config_id,
       coalesce(former.bot_excluded, false), $3
       from jsonb_to_recordset($4::jsonb) as given (series_id uuid, provider_series_id text, event_type text,
         inherited jsonb, continues text)
       left join series former on former.calendar_id = $1 and former.provider_series_id = given.continues
     on conflict (calendar_id, provider_series_id) do update
       set event_type = excluded.event_type, inherited = coalesce(excluded.inherited, series.inherited)
       where series.event_type <> excluded.event_type
         or (excluded.inherited is not null and series.inherited is distinct from excluded.inherited)`,
    [connection.calendar_id, connection.team_id, at, JSON.stringify(given)],
  );
  return await findSeries(transaction, connection.calendar_id, [...wanted.keys()]);
}

export async function findSeries(
  executor: Executor,
  calendarId: string,
  providerSeriesIds: readonly string[],
): Promise<Map<string, SeriesRow>> {
  const rows = await executor.query<SeriesRow>(
    'select * from series where calendar_id = $1 and provider_series_id = any($2::text[])',
    [calendarId, providerSeriesIds],
  );
  return new Map(rows.map((row) => [row.provider_series_id, row]));
}

/** Cancels events by the provider's ids. One that goes on under another id is left alone. */
export async function cancelByProviderId(
  { transaction, connection, at }: ApplyContext,
  providerEventIds: readonly string[],
): Promise<ChangedEvent[]> {
  const rows = await transaction.query<{ event_id: string }>(
    `update events set status = 'cancelled', content_hash = '', updated_at = $3
     where calendar_id = $1 and provider_event_id = any($2::text[]) and status <> 'cancelled' returning event_id`,
    [connection.calendar_id, providerEventIds, at],
  );
  return rows.map(({ event_id }) => ({ event_id, change: 'cancelled' }));
}

/** After a full round: what was not seen in its window is not there any more. */
export async function cancelUnseen(
  { transaction, connection, at }: ApplyContext,
  seen: ReadonlySet<string>,
  window: { readonly fromMs: number; readonly toMs: number },
): Promise<ChangedEvent[]> {
  const rows = await transaction.query<{ event_id: string }>(
    `update events set status = 'cancelled', content_hash = '', updated_at = $3
     where calendar_id = $1 and status <> 'cancelled' and end_at > $4 and start_at < $5
       and not (provider_event_id = any($2::text[])) returning event_id`,
    [connection.calendar_id, [...seen], at, new Date(window.fromMs), new Date(window.toMs)],
  );
  return rows.map(({ event_id }) => ({ event_id, change: 'cancelled' }));
}
