import type { AccessTokens } from '../connections/access-tokens.ts';
import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import type { CalendarProvider, ProviderItem } from '../providers/calendar-provider.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/entities.ts';

export interface SeriesNow {
  readonly providerSeriesId: string;
  /** The occurrences in the calendar's window; null: the series does not exist. */
  readonly items: readonly ProviderItem[] | null;
}

export interface SeriesReading {
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
export async function readChangedSeries(
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
