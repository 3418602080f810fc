import { readEach } from '@rapporteur/contracts';
import type { AccessTokens } from '../connections/access-tokens.ts';
import type { Database } from '@rapporteur/database';
import type { Occurrence, ProviderItem, CalendarProvider } from '../providers/calendar-provider.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ConnectionRow, EventRow, Inherited, Platform } from '../schema/entities.ts';
import type { UnreadableItem } from '../connections/unreadable-events.store.ts';
import { findSeries } from './apply-items.ts';

export interface ResolvedItems {
  readonly occurrences: readonly Occurrence[];
  readonly masters: ReadonlyMap<string, Inherited>;
  /** Provider ids of removed events and deleted series. */
  readonly removed: readonly string[];
  /** Provider ids of series that are cancelled with all of their occurrences. */
  readonly cancelledSeries: readonly string[];
  readonly unreadable: readonly UnreadableItem[];
}

interface Resolving {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
}

/**
 * Merges occurrences that contain only their times with their master: of the page, of an earlier round, or requested. A
 * master also updates its stored occurrences; the sequence of items does not matter.
 */
export async function resolveItems(
  dependencies: Resolving,
  connection: ConnectionRow,
  items: readonly ProviderItem[],
): Promise<ResolvedItems> {
  const masters = items.filter((item) => item.kind === 'master');
  const removed = items.flatMap((item) => (item.kind === 'removed' ? [item.providerEventId] : []));
  const unreadable: UnreadableItem[] = items.filter((item) => item.kind === 'unreadable');
  const single = items.flatMap((item) => (item.kind === 'occurrence' ? [item.occurrence] : []));
  const inheriting = items.filter((item) => item.kind === 'inheriting');
  const inherited = await inheritAll(dependencies, connection, { masters, inheriting, removed });
  return {
    occurrences: [...single, ...inherited.occurrences],
    masters: new Map(masters.map(({ providerSeriesId, master }) => [providerSeriesId, master])),
    removed: [...removed, ...inherited.cancelled],
    cancelledSeries: masters.filter(({ isCancelled }) => isCancelled).map(({ providerSeriesId }) => providerSeriesId),
    unreadable: [...unreadable, ...inherited.unreadable],
  };
}

interface Inheriting {
  readonly masters: readonly Extract<ProviderItem, { kind: 'master' }>[];
  readonly inheriting: readonly Extract<ProviderItem, { kind: 'inheriting' }>[];
  readonly removed: readonly string[];
}

type InheritedOccurrence = { readonly id: string } & (
  | { readonly occurrence: Occurrence | null }
  | { readonly reason: string }
);

async function inheritAll(
  dependencies: Resolving,
  connection: ConnectionRow,
  { masters, inheriting, removed }: Inheriting,
) {
  const known = await knownMasters(dependencies, connection, {
    masters: new Map(masters.map(({ providerSeriesId, master }) => [providerSeriesId, master])),
    inheriting,
  });
  const provider = dependencies.providers[connection.platform];
  const account = { accountEmail: connection.account_email, timeZone: connection.time_zone };
  const own = new Set([...removed, ...inheriting.map(({ providerEventId }) => providerEventId)]);
  const stored = await storedItems(
    dependencies,
    connection,
    masters.map(({ providerSeriesId }) => providerSeriesId),
  );
  const again = stored.filter(({ provider_event_id: id }) => !own.has(id)).map(({ raw }) => raw ?? {});
  const all = [...again, ...inheriting.map(({ item }) => item)];
  const whole = readEach(
    all,
    (element): InheritedOccurrence | null => {
      const item = element as Inherited;
      const master = known.get(String(item['seriesMasterId']));
      // Deleted meanwhile: its occurrences are about to be removed.
      if (master === undefined) return null;
      return { id: String(item['id']), occurrence: provider.inherit(item, master, account) };
    },
    ({ element, reason }) => ({ id: String((element as Inherited)['id']), reason }),
  ).filter((one) => one !== null);
  return {
    occurrences: whole.flatMap((one) => ('occurrence' in one && one.occurrence !== null ? [one.occurrence] : [])),
    cancelled: whole.flatMap((one) => ('occurrence' in one && one.occurrence === null ? [one.id] : [])),
    unreadable: whole.flatMap((one) => ('reason' in one ? [{ providerEventId: one.id, reason: one.reason }] : [])),
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
        if (error instanceof ProviderError && error.kind === 'gone') return null;
        throw error;
      });
    if (master !== null) known.set(id, master);
  }
  return known;
}

/** The own data of stored regular occurrences. */
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
