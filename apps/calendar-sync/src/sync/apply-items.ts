import { randomUUID, hash } from 'node:crypto';
import { mapInSlices } from '@rapporteur/async';
import { storableJson } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import type { MeetingPlatform } from '@rapporteur/meeting-links';
import type { TeamTransaction } from '../bots/team-transaction.ts';
import { chooseLink } from '../links/choose-link.ts';
import { findMeetingLinks } from '../links/find-meeting-links.ts';
import type { ChangedEvent } from '../notices/write-notices.ts';
import type { Occurrence } from '../providers/calendar-provider.ts';
import type { ConnectionRow, EventNotice, EventRow, Inherited, SeriesRow } from '../schema/entities.ts';

export interface ApplyContext {
  readonly transaction: TeamTransaction;
  readonly connection: Pick<ConnectionRow, 'calendar_id' | 'team_id' | 'window_start' | 'window_end'>;
  readonly simulatorLinkHosts: readonly string[];
  readonly at: Date;
}

/** Writes new and changed occurrences; unchanged ones cost no write. Returns the changed events. */
export async function applyOccurrences(
  context: ApplyContext,
  occurrences: readonly Occurrence[],
  masters: ReadonlyMap<string, Inherited> = new Map(),
): Promise<ChangedEvent[]> {
  // An entity may occur several times in a page: the last one is used.
  const newest = [...new Map(occurrences.map((one) => [one.occurrenceKey, one])).values()];
  const different = await withoutUnchanged(context, newest);
  await upsertSeries(context, different, masters);
  if (different.length === 0) return [];
  const preferred = await preferredPlatform(context);
  const rows = await mapInSlices(different, (one) => storableJson(rowOf(context, one, preferred)));
  const written = await context.transaction.query<{ event_id: string; is_new: boolean }>(upsertSql, [
    context.connection.calendar_id,
    context.connection.team_id,
    context.at,
    `[${rows.join(',')}]`,
  ]);
  return written.map(({ event_id, is_new }) => ({ event_id, change: is_new ? 'created' : 'updated' }));
}

type HashedOccurrence = Occurrence & { readonly hash: string };

/** New and changed occurrences. Unchanged ones are neither sent to PostgreSQL nor locked. */
async function withoutUnchanged(
  { transaction, connection }: ApplyContext,
  occurrences: readonly Occurrence[],
): Promise<HashedOccurrence[]> {
  if (occurrences.length === 0) return [];
  const stored = await transaction.query<{ occurrence_key: string; content_hash: string }>(
    'select occurrence_key, content_hash from events where calendar_id = $1 and occurrence_key = any($2::text[])',
    [connection.calendar_id, occurrences.map(({ occurrenceKey }) => occurrenceKey)],
  );
  const hashes = new Map(stored.map(({ occurrence_key, content_hash }) => [occurrence_key, content_hash]));
  const hashed = await mapInSlices(occurrences, (one) => ({ ...one, hash: contentHash(one) }));
  return hashed.filter(({ occurrenceKey, hash }) => hashes.get(occurrenceKey) !== hash);
}

/** Read in this transaction, which locks the connection's row: a later change also updates these events. */
async function preferredPlatform({ transaction, connection }: ApplyContext): Promise<MeetingPlatform | null> {
  const [row] = await transaction.query<Pick<ConnectionRow, 'preferred_platform'>>(
    'select preferred_platform from connections where calendar_id = $1',
    [connection.calendar_id],
  );
  return row?.preferred_platform ?? null;
}

const columns = [
  ['occurrence_key', 'text'],
  ['provider_event_id', 'text'],
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
  ['kind', 'text'],
  ['meeting_url', 'text'],
  ['meeting_platform', 'text'],
  ['meeting_links', 'jsonb'],
  ['notices', 'jsonb'],
  ['organizer_email', 'text'],
  ['organizer_name', 'text'],
  ['attendees', 'jsonb'],
  ['raw', 'jsonb'],
  ['content_hash', 'text'],
] as const;
const names = columns.map(([name]) => name).join(', ');

/** `xmax = 0` is true for an inserted row. */
const upsertSql = `
  insert into events (event_id, calendar_id, team_id, series_id, bot_excluded, created_at, updated_at, ${names})
  select gen_random_uuid(), $1, $2, series.series_id, false, $3, $3, ${names}
    from jsonb_to_recordset($4::jsonb) as given (provider_series_id text,
      ${columns.map(([name, type]) => `${name} ${type}`).join(', ')})
    join series on series.calendar_id = $1 and series.provider_series_id = given.provider_series_id
  on conflict (calendar_id, occurrence_key) do update
    set updated_at = excluded.updated_at, series_id = excluded.series_id, ${columns.map(([name]) => `${name} = excluded.${name}`).join(', ')}
    where events.content_hash <> excluded.content_hash
  returning event_id, xmax = 0 as is_new`;

type StoredColumns = Pick<EventRow, (typeof columns)[number][0]>;

function rowOf({ simulatorLinkHosts }: ApplyContext, one: HashedOccurrence, preferred: MeetingPlatform | null): object {
  const { links, problem, meetingKey, lacksPasscode } = findMeetingLinks(one.linkTexts, simulatorLinkHosts);
  const notices: EventNotice[] = [
    ...(problem === null ? [] : [{ code: 'MEETING_LINK_UNUSABLE' as const, message: problem }]),
    ...(lacksPasscode ? [{ code: 'PASSCODE_MISSING' as const, message: passcodeMissing }] : []),
    ...one.timeNotices,
  ];
  const row: Record<keyof StoredColumns | 'provider_series_id', unknown> = {
    occurrence_key: one.occurrenceKey,
    provider_event_id: one.providerEventId,
    provider_series_id: one.providerSeriesId,
    meeting_key: meetingKey ?? `no link: ${one.providerEventId}`,
    title: one.title,
    description: one.description,
    location: one.location,
    start_at: new Date(one.startMs),
    end_at: new Date(one.endMs),
    is_all_day: one.isAllDay,
    time_zone: one.timeZone,
    status: one.status,
    is_exception: one.isException,
    is_private: one.isPrivate,
    is_organizer: one.isOrganizer,
    own_response: one.ownResponse,
    kind: one.kind,
    ...chooseLink(links, preferred),
    meeting_links: links,
    notices,
    organizer_email: one.organizerEmail,
    organizer_name: one.organizerName,
    attendees: one.attendees,
    raw: one.raw,
    content_hash: one.hash,
  };
  return row;
}

const passcodeMissing =
  'The link of the Zoom meeting holds no passcode, and the event names none. The bot cannot join if the meeting has one.';

/** After "this and all following", Google derives the id of the continuing series from the original's. */
const continuation = /^(.+)_R\d{8}(?:T\d{6}Z?)?$/;

async function upsertSeries(
  { transaction, connection, at }: ApplyContext,
  occurrences: readonly Occurrence[],
  masters: ReadonlyMap<string, Inherited>,
): Promise<void> {
  const wanted = new Map<string, { event_type: string; inherited: Inherited | null }>();
  for (const { providerSeriesId, isRecurring } of occurrences) {
    const known = wanted.get(providerSeriesId);
    const event_type = isRecurring ? 'recurring' : (known?.event_type ?? 'one_off');
    wanted.set(providerSeriesId, { event_type, inherited: null });
  }
  for (const [id, inherited] of masters) wanted.set(id, { event_type: 'recurring', inherited });
  if (wanted.size === 0) return;
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
       left join series known on known.calendar_id = $1 and known.provider_series_id = given.provider_series_id
     where known.series_id is null or known.event_type <> given.event_type
       or (given.inherited is not null and known.inherited is distinct from given.inherited)
     on conflict (calendar_id, provider_series_id) do update
       set event_type = excluded.event_type, inherited = coalesce(excluded.inherited, series.inherited)`,
    [connection.calendar_id, connection.team_id, at, storableJson(given)],
  );
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

/** Cancels events by provider id. An event that continues under another id is not affected. */
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

/** Cancels every event of these series, by the provider's series ids. */
export async function cancelSeries(
  { transaction, connection, at }: ApplyContext,
  providerSeriesIds: readonly string[],
): Promise<ChangedEvent[]> {
  if (providerSeriesIds.length === 0) return [];
  const rows = await transaction.query<{ event_id: string }>(
    `update events set status = 'cancelled', content_hash = '', updated_at = $3
     where status <> 'cancelled' and series_id in (
       select series_id from series where calendar_id = $1 and provider_series_id = any($2::text[]))
     returning event_id`,
    [connection.calendar_id, providerSeriesIds, at],
  );
  return rows.map(({ event_id }) => ({ event_id, change: 'cancelled' }));
}

export interface SeenEvents {
  /** Provider ids of existing events. */
  readonly seen: ReadonlySet<string>;
  readonly fromMs: number;
  readonly toMs: number;
  /** Limits the check to this series, by provider id; null: the whole calendar. */
  readonly providerSeriesId: string | null;
}

/** After a complete read of a window: cancels events that were not seen. */
export async function cancelUnseen(
  { transaction, connection, at }: ApplyContext,
  { seen, fromMs, toMs, providerSeriesId }: SeenEvents,
): Promise<ChangedEvent[]> {
  const rows = await transaction.query<{ event_id: string }>(
    `update events set status = 'cancelled', content_hash = '', updated_at = $3
     where calendar_id = $1 and status <> 'cancelled' and end_at > $4 and start_at < $5
       and not (provider_event_id = any($2::text[])) and ($6::text is null or series_id in (
         select series_id from series where calendar_id = $1 and provider_series_id = $6)) returning event_id`,
    [connection.calendar_id, [...seen], at, new Date(fromMs), new Date(toMs), providerSeriesId],
  );
  return rows.map(({ event_id }) => ({ event_id, change: 'cancelled' }));
}

/** Equal exactly when all stored data of the occurrence is equal. */
function contentHash({ raw, ...occurrence }: Occurrence): string {
  const { updated: _updated, etag: _etag, ...stable } = raw;
  return hash('sha256', JSON.stringify([occurrence, stable]), 'base64');
}
