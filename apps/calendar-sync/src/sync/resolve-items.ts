import type { AccessTokens } from '../connections/access-tokens.ts';
import type { Database } from '@rapporteur/database';
import type { Occurrence, ProviderItem, CalendarProvider } from '../providers/calendar-provider.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionRow, EventRow, Inherited, Platform } from '../schema/rows.ts';
import { findSeries } from './apply-items.ts';

export interface ResolvedItems {
  readonly occurrences: readonly Occurrence[];
  readonly masters: ReadonlyMap<string, Inherited>;
  readonly removed: readonly string[];
}

interface Resolving {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
}

/**
 * Puts occurrences together that say only when they are: with the master of the page, of an earlier round, or asked for. A
 * master also gives its stored occurrences anew, in whatever order the provider sends them.
 */
export async function resolveItems(
  dependencies: Resolving,
  connection: ConnectionRow,
  items: readonly ProviderItem[],
): Promise<ResolvedItems> {
  const masters = new Map<string, Inherited>();
  for (const item of items) if (item.kind === 'master') masters.set(item.providerSeriesId, item.master);
  const inheriting = items.filter((item) => item.kind === 'inheriting');
  const known = await knownMasters(dependencies, connection, { masters, inheriting });
  const provider = dependencies.providers[connection.platform];
  const account = { accountEmail: connection.account_email, timeZone: connection.time_zone };
  const removed = items.flatMap((item) => (item.kind === 'removed' ? [item.providerEventId] : []));
  const own = new Set([...removed, ...inheriting.map(({ item }) => String(item['id']))]);
  const stored = await storedItems(dependencies, connection, [...masters.keys()]);
  const again = stored.filter(({ provider_event_id: id }) => !own.has(id)).map(({ raw }) => raw ?? {});
  const whole = [...again, ...inheriting.map(({ item }) => item)].flatMap((item) => {
    const master = known.get(String(item['seriesMasterId']));
    return master === undefined ? [] : [provider.inherit(item, master, account)];
  });
  const single = items.flatMap((item) => (item.kind === 'occurrence' ? [item.occurrence] : []));
  return {
    occurrences: [...single, ...whole].filter(isTimed),
    masters,
    removed,
  };
}

async function knownMasters(
  { database, providers, tokens }: Resolving,
  { calendar_id, platform }: ConnectionRow,
  {
    masters,
    inheriting,
  }: { masters: ReadonlyMap<string, Inherited>; inheriting: readonly { providerSeriesId: string }[] },
): Promise<Map<string, Inherited>> {
  const known = new Map(masters);
  const wanted = [...new Set(inheriting.map(({ providerSeriesId }) => providerSeriesId))];
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  for (const [id, { inherited }] of await findSeries(database, calendar_id, missing))
    if (inherited !== null) known.set(id, inherited);
  for (const id of missing.filter((one) => !known.has(one))) {
    const master = await tokens
      .use(calendar_id, (accessToken) => providers[platform].readMaster(accessToken, id))
      .catch((error: unknown) => {
        // It was deleted since: its occurrences are about to be removed.
        if (error instanceof ProviderError && error.kind === 'gone') return null;
        throw error;
      });
    if (master !== null) known.set(id, master);
  }
  return known;
}

/** Occurrences that do not deviate, as far as they say something themselves. */
async function storedItems(
  { database }: Resolving,
  { calendar_id }: ConnectionRow,
  providerSeriesIds: readonly string[],
): Promise<Pick<EventRow, 'provider_event_id' | 'raw'>[]> {
  if (providerSeriesIds.length === 0) return [];
  return await database.query(
    `select event.provider_event_id, jsonb_build_object('id', event.raw->'id', 'type', event.raw->'type', 'seriesMasterId',
       event.raw->'seriesMasterId', 'start', event.raw->'start', 'end', event.raw->'end') as raw
     from events event join series on series.series_id = event.series_id
     where series.calendar_id = $1 and series.provider_series_id = any($2::text[]) and event.status <> 'cancelled'
       and event.raw->>'type' = 'occurrence'`,
    [calendar_id, providerSeriesIds],
  );
}

function isTimed({ startMs, endMs }: Occurrence): boolean {
  return Number.isFinite(startMs) && Number.isFinite(endMs);
}
