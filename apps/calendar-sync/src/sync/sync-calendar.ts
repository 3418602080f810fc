import type { Database, Executor } from '@rapporteur/database';
import type { Outbox } from '@rapporteur/event-bus';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { leasedRows } from '@rapporteur/work-queue';
import { noteSilence } from '../channels/keep-channel.ts';
import type { AccessTokens } from '../connections/access-tokens.ts';
import { changeConnection, findConnectionRow } from '../connections/connections.store.ts';
import { noteUnreadable, readUnreadable, removeUnseenUnreadable } from '../connections/unreadable-events.store.ts';
import type { DecideBots } from '../bots/decide-bots.ts';
import { teamTransaction } from '../bots/team-transaction.ts';
import { writeNotices } from '../notices/write-notices.ts';
import type { ChangedEvent } from '../notices/write-notices.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, Page, ProviderItem, RoundStart } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/entities.ts';
import { applyOccurrences, cancelByProviderId, cancelSeries, cancelUnseen } from './apply-items.ts';
import type { ApplyContext } from './apply-items.ts';
import { resolveItems } from './resolve-items.ts';
import type { ResolvedItems } from './resolve-items.ts';

export interface SyncDependencies {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
  readonly decideBots: DecideBots;
  readonly events: Pick<Outbox, 'add' | 'notify'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: {
    readonly windowDays: number;
    readonly fullSyncEveryMs: number;
    readonly simulatorLinkHosts: readonly string[];
  };
}

export interface SyncOutcome {
  readonly round: 'full' | 'incremental';
  readonly pages: number;
  readonly changed: number;
}

const dayMs = 86_400_000;
const windowBackMs = dayMs;
const mostPages = 2_000;

/** Runs one round of pages for a calendar whose lease is held. Rejects with ProviderError and LeaseLost. */
export async function syncCalendar(dependencies: SyncDependencies, connection: ConnectionRow): Promise<SyncOutcome> {
  const start = startOf(dependencies, connection);
  try {
    return await runRound(dependencies, connection, start);
  } catch (error) {
    // Also within a round: applied pages are valid, and the full round finds the rest.
    if (!(error instanceof ProviderError) || error.kind !== 'cursor-expired') throw error;
    dependencies.logger.info({ calendarId: connection.calendar_id }, 'The sync cursor expired: reading everything.');
    return await runRound(dependencies, connection, fullRound(dependencies));
  }
}

/** A full round also moves the window, which the cursor fixes, and finds changes that the provider did not report. */
function startOf(dependencies: SyncDependencies, connection: ConnectionRow): RoundStart {
  const { sync_cursor: cursor, window_start: windowStart, full_sync_wanted } = connection;
  const full = fullRound(dependencies);
  const isOld = windowStart === null || windowStart.getTime() + dependencies.settings.fullSyncEveryMs <= full.fromMs;
  return cursor === null || full_sync_wanted || isOld ? full : { kind: 'incremental', cursor };
}

function fullRound({ clock, settings }: SyncDependencies): Extract<RoundStart, { kind: 'full' }> {
  const now = clock.now();
  return { kind: 'full', fromMs: now - windowBackMs, toMs: now + settings.windowDays * dayMs };
}

/** Items of a round so far, by provider id. */
interface Seen {
  readonly events: Set<string>;
  readonly unreadable: Set<string>;
  readonly series: Set<string>;
  readonly removed: Set<string>;
}

async function runRound(
  dependencies: SyncDependencies,
  connection: ConnectionRow,
  start: RoundStart,
): Promise<SyncOutcome> {
  const seen: Seen = { events: new Set(), unreadable: new Set(), series: new Set(), removed: new Set() };
  let changed = 0;
  let page: string | null = null;
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const read = await readPage(dependencies, connection, { start, page });
    for (const item of read.items) note(seen, item);
    changed += await applyPage(dependencies, connection, { start, read, seen });
    if ('cursor' in read.next) {
      if (start.kind === 'incremental' && changed > 0) await noteSilence(dependencies.database, connection);
      return { round: start.kind, pages, changed };
    }
    page = read.next.page;
  }
  throw new ProviderError('refused', 'The provider sent more pages than a calendar can have.');
}

function note(seen: Seen, item: ProviderItem): void {
  if (item.kind === 'removed') seen.removed.add(item.providerEventId);
  else if (item.kind === 'master') seen.series.add(item.providerSeriesId);
  else if (item.kind === 'unreadable') seen.unreadable.add(item.providerEventId);
  else {
    seen.events.add(idOf(item));
    if (item.kind === 'inheriting') seen.series.add(item.providerSeriesId);
    else if (item.occurrence.isRecurring) seen.series.add(item.occurrence.providerSeriesId);
  }
}

async function readPage(
  { providers, tokens }: SyncDependencies,
  connection: ConnectionRow,
  { start, page }: { readonly start: RoundStart; readonly page: string | null },
): Promise<Page> {
  const { calendar_id, platform, raw_calendar_id, account_email, time_zone } = connection;
  const request = { rawCalendarId: raw_calendar_id, accountEmail: account_email, timeZone: time_zone, start, page };
  return await tokens.use(calendar_id, (accessToken) => providers[platform].readPage(accessToken, request));
}

interface ReadPage {
  readonly start: RoundStart;
  readonly read: Page;
  readonly seen: Seen;
}

/** A page, the bots that it wants, its notices and, with the last page, the cursor commit together. */
async function applyPage(
  dependencies: SyncDependencies,
  connection: ConnectionRow,
  { start, read, seen }: ReadPage,
): Promise<number> {
  const { database, clock, events, settings } = dependencies;
  const isLast = 'cursor' in read.next;
  const reading: SeriesReading =
    isLast && start.kind === 'incremental'
      ? await readChangedSeries(dependencies, connection, seen)
      : { series: [], isComplete: true };
  const items = newestOf([...read.items, ...reading.series.flatMap((one) => one.items ?? [])]);
  const resolved = await resolveItems(dependencies, connection, items);
  for (const { providerEventId } of resolved.unreadable) seen.unreadable.add(providerEventId);
  const at = new Date(clock.now());
  const count = await teamTransaction(database, connection.team_id, async (transaction) => {
    await leasedCalendars.extend(transaction, connection, { at: new Date(clock.now()), leaseMs });
    const { simulatorLinkHosts } = settings;
    const context: ApplyContext = { transaction, connection, simulatorLinkHosts, at };
    const changes = await applyResolved(context, resolved);
    changes.push(...(await cancelMissing(context, reading.series)));
    if ('cursor' in read.next) {
      if (start.kind === 'full') changes.push(...(await cancelUnseenEvents(context, seen, start)));
      await finishRound(transaction, {
        connection,
        start,
        cursor: read.next.cursor,
        at,
        isComplete: reading.isComplete,
      });
    }
    await dependencies.decideBots(
      transaction,
      connection.team_id,
      changes.map(({ event_id }) => event_id),
    );
    await writeNotices({ transaction, events }, connection, { changes, isFull: start.kind === 'full' });
    return changes.length;
  });
  if (count > 0) events.notify();
  return count;
}

async function applyResolved(context: ApplyContext, resolved: ResolvedItems): Promise<ChangedEvent[]> {
  const { removed, cancelledSeries, occurrences, masters, unreadable } = resolved;
  const changes = [
    // A single event that became a series has the id of its master.
    ...(await cancelByProviderId(context, [...removed, ...masters.keys()])),
    ...(await cancelSeries(context, cancelledSeries)),
    ...(await applyOccurrences(context, occurrences, masters)),
  ];
  const settled = [...removed, ...masters.keys(), ...occurrences.map(({ providerEventId }) => providerEventId)];
  await noteUnreadable(context.transaction, context.connection.calendar_id, { unreadable, settled, at: context.at });
  return changes;
}

/** Cancels occurrences that their series no longer has. */
async function cancelMissing(context: ApplyContext, series: readonly SeriesNow[]): Promise<ChangedEvent[]> {
  const { window_start: from, window_end: to } = context.connection;
  const gone = series.filter(({ items }) => items === null).map(({ providerSeriesId }) => providerSeriesId);
  const changes = await cancelSeries(context, gone);
  for (const { providerSeriesId, items } of series) {
    if (items === null || from === null || to === null) continue;
    const window = { fromMs: from.getTime(), toMs: to.getTime(), providerSeriesId };
    changes.push(...(await cancelUnseen(context, { ...window, seen: new Set(items.map(idOf)) })));
  }
  return changes;
}

/** An unreadable event exists: its stored data is kept. */
async function cancelUnseenEvents(
  context: ApplyContext,
  { events, unreadable }: Seen,
  { fromMs, toMs }: Extract<RoundStart, { kind: 'full' }>,
): Promise<ChangedEvent[]> {
  await removeUnseenUnreadable(context.transaction, context.connection.calendar_id, unreadable);
  return await cancelUnseen(context, {
    seen: new Set([...events, ...unreadable]),
    fromMs,
    toMs,
    providerSeriesId: null,
  });
}

/** An event may occur several times: the last one is used. */
function newestOf(items: readonly ProviderItem[]): ProviderItem[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

function idOf(item: ProviderItem): string {
  if (item.kind === 'occurrence') return item.occurrence.providerEventId;
  return item.kind === 'master' ? item.providerSeriesId : item.providerEventId;
}

interface FinishedRound {
  /** False: a full round must follow. */
  readonly isComplete: boolean;
  readonly connection: ConnectionRow;
  readonly start: RoundStart;
  readonly cursor: string;
  readonly at: Date;
}

async function finishRound(
  transaction: Executor,
  { connection, start, cursor, at, isComplete }: FinishedRound,
): Promise<void> {
  const window = start.kind === 'full' ? await finishedWindow(transaction, connection, start) : {};
  const { count } = await readUnreadable(transaction, connection.calendar_id);
  await changeConnection(transaction, connection.calendar_id, {
    sync_cursor: cursor,
    synced_at: at,
    sync_status: count === 0 ? 'success' : 'partial',
    sync_error: count === 0 ? null : unreadableText(count),
    sync_failures: 0,
    status: 'active',
    status_message: null,
    ...(isComplete ? {} : { full_sync_wanted: true, next_sync_at: at }),
    ...window,
  });
}

function unreadableText(count: number): string {
  const events = count === 1 ? 'One event of the calendar' : `${count} events of the calendar`;
  return `${events} could not be read and got no bot: unreadable_events names them.`;
}

/** A full sync that was requested since the round began stays wanted. The row is locked since the lease was renewed. */
async function finishedWindow(
  transaction: Executor,
  connection: ConnectionRow,
  { fromMs, toMs }: Extract<RoundStart, { kind: 'full' }>,
) {
  const current = await findConnectionRow(transaction, connection.calendar_id);
  return {
    window_start: new Date(fromMs),
    window_end: new Date(toMs),
    full_sync_wanted: current?.full_sync_requests !== connection.full_sync_requests,
  };
}

interface SeriesNow {
  readonly providerSeriesId: string;
  /** The occurrences in the calendar's window; null: the series does not exist. */
  readonly items: readonly ProviderItem[] | null;
}

interface SeriesReading {
  readonly series: readonly SeriesNow[];
  /** False: some series were not read; a full round is required. */
  readonly isComplete: boolean;
}

interface Reading {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
  readonly logger: Logger;
}

/** Per round; each is a request to the provider. */
const mostSeries = 20;

/**
 * Reads the occurrences of series that an incremental round names. Providers report that a series changed, but not
 * always which occurrences were removed. @param named ids of series, and of removed events
 */
async function readChangedSeries(
  dependencies: Reading,
  connection: ConnectionRow,
  named: { readonly series: ReadonlySet<string>; readonly removed: ReadonlySet<string> },
): Promise<SeriesReading> {
  const { calendar_id: calendarId, window_start: from, window_end: to } = connection;
  const changed = new Set([...named.series, ...(await seriesOf(dependencies.database, calendarId, named.removed))]);
  if (changed.size === 0) return { series: [], isComplete: true };
  if (changed.size > mostSeries || from === null || to === null) return { series: [], isComplete: false };
  const series: SeriesNow[] = [];
  for (const providerSeriesId of changed) {
    const window = { fromMs: from.getTime(), toMs: to.getTime() };
    const items = await readOne(dependencies, connection, { ...window, providerSeriesId });
    if (items !== undefined) series.push({ providerSeriesId, items });
  }
  return { series, isComplete: series.length === changed.size };
}

interface OneSeries {
  readonly providerSeriesId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** undefined: the provider refuses to list them. */
async function readOne(
  { providers, tokens, logger }: Reading,
  connection: ConnectionRow,
  one: OneSeries,
): Promise<readonly ProviderItem[] | null | undefined> {
  const { calendar_id: calendarId, platform, raw_calendar_id, account_email, time_zone } = connection;
  const request = { ...one, rawCalendarId: raw_calendar_id, accountEmail: account_email, timeZone: time_zone };
  try {
    return await tokens.use(calendarId, (accessToken) => providers[platform].readOccurrences(accessToken, request));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'gone' || error.kind === 'cursor-expired') return null;
    if (error.kind !== 'refused' && error.kind !== 'unreadable') throw error;
    logger.warn({ err: error, calendarId }, 'The occurrences of a series could not be read; a full sync follows.');
    return undefined;
  }
}

/** Series that were removed, or that lost an event. */
async function seriesOf(database: Database, calendarId: string, removed: ReadonlySet<string>): Promise<string[]> {
  if (removed.size === 0) return [];
  const rows = await database.query<{ provider_series_id: string }>(
    `select provider_series_id from series where calendar_id = $1 and event_type = 'recurring'
       and (provider_series_id = any($2::text[]) or exists (select 1 from events event
         where event.series_id = series.series_id and event.provider_event_id = any($2::text[])))`,
    [calendarId, [...removed]],
  );
  return rows.map(({ provider_series_id }) => provider_series_id);
}

/** Extended with every page; the lease of a dead process ends after this time. */
export const leaseMs = 60_000;

/** Only the holder of a calendar's lease syncs it. Notifications move its next sync while it is leased. */
export const leasedCalendars = leasedRows<ConnectionRow>({
  table: 'connections',
  key: ['calendar_id'],
  due: 'next_sync_at',
  until: 'sync_lease_until',
  lease: 'sync_lease',
});
