import type { Database, Executor } from '@rapporteur/database';
import type { Outbox } from '@rapporteur/event-bus';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { AccessTokens } from '../connections/access-tokens.ts';
import { changeConnection, findConnectionRow } from '../connections/connections.store.ts';
import type { DecideBots } from '../bots/decide-bots.ts';
import { writeNotices } from '../notices/write-notices.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { CalendarProvider, Page, ProviderItem, RoundStart } from '../providers/calendar-provider.ts';
import type { ConnectionRow, Platform } from '../schema/rows.ts';
import { applyOccurrences, cancelByProviderId, cancelUnseen } from './apply-items.ts';
import type { ApplyContext } from './apply-items.ts';
import type { ChangedEvent } from '../notices/write-notices.ts';
import { holdLease } from './claims.store.ts';
import type { Claim } from './claims.store.ts';
import { resolveItems } from './resolve-items.ts';

export interface SyncDependencies {
  readonly database: Database;
  readonly providers: Readonly<Record<Platform, CalendarProvider>>;
  readonly tokens: Pick<AccessTokens, 'use'>;
  readonly decideBots: DecideBots;
  readonly events: Pick<Outbox, 'add' | 'notify'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: { readonly windowDays: number; readonly simulatorLinkHosts: readonly string[] };
}

export interface SyncOutcome {
  readonly round: 'full' | 'incremental';
  readonly pages: number;
  readonly changed: number;
}

const dayMs = 86_400_000;
const windowBackMs = dayMs;
/** A window is frozen in its cursor: a new one is opened when it has moved this much. */
const rollAfterMs = 7 * dayMs;
const mostPages = 2_000;

/** One round of pages for a calendar whose lease is held. Rejects with ProviderError and LeaseLost. */
export async function syncCalendar(dependencies: SyncDependencies, claim: Claim): Promise<SyncOutcome> {
  const start = startOf(dependencies, claim.connection);
  try {
    return await runRound(dependencies, claim, start);
  } catch (error) {
    // Also in the middle of a round: what was applied of it is true, and the full round finds the rest.
    if (!(error instanceof ProviderError) || error.kind !== 'cursor-expired') throw error;
    dependencies.logger.info(
      { calendarId: claim.connection.calendar_id },
      'The sync cursor expired: reading everything.',
    );
    return await runRound(dependencies, claim, fullRound(dependencies));
  }
}

function startOf(dependencies: SyncDependencies, connection: ConnectionRow): RoundStart {
  const { sync_cursor: cursor, window_end: end, full_sync_wanted } = connection;
  const full = fullRound(dependencies);
  if (cursor === null || end === null || full_sync_wanted || end.getTime() < full.toMs - rollAfterMs) return full;
  return { kind: 'incremental', cursor };
}

function fullRound({ clock, settings }: SyncDependencies): Extract<RoundStart, { kind: 'full' }> {
  const now = clock.now();
  return { kind: 'full', fromMs: now - windowBackMs, toMs: now + settings.windowDays * dayMs };
}

async function runRound(dependencies: SyncDependencies, claim: Claim, start: RoundStart): Promise<SyncOutcome> {
  const seen = new Set<string>();
  let changed = 0;
  let page: string | null = null;
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const read = await readPage(dependencies, claim.connection, { start, page });
    const isLast = 'cursor' in read.next;
    changed += await applyPage(dependencies, claim, { start, read, seen });
    if (isLast) return { round: start.kind, pages, changed };
    page = 'page' in read.next ? read.next.page : null;
  }
  throw new ProviderError('refused', 'The provider sent more pages than a calendar can have.');
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
  /** Collects the provider's ids of a round. */
  readonly seen: Set<string>;
}

/** A page, the bots that it wants, its notices and, with the last one, the cursor commit together. */
async function applyPage(
  dependencies: SyncDependencies,
  claim: Claim,
  { start, read, seen }: ReadPage,
): Promise<number> {
  const { database, clock, events, settings } = dependencies;
  const { connection } = claim;
  const resolved = await resolveItems(dependencies, connection, newestOf(read.items));
  // Only what the provider sent: a master gives stored occurrences anew that may be gone.
  for (const item of read.items) if (item.kind === 'occurrence' || item.kind === 'inheriting') seen.add(idOf(item));
  const at = new Date(clock.now());
  const count = await database.transaction(async (transaction) => {
    await holdLease(transaction, claim, clock.now());
    const { simulatorLinkHosts } = settings;
    const context: ApplyContext = { transaction, connection, simulatorLinkHosts, at };
    const changes: ChangedEvent[] = [
      ...(await cancelByProviderId(context, resolved.removed)),
      ...(await applyOccurrences(context, resolved.occurrences, resolved.masters)),
    ];
    if ('cursor' in read.next) {
      if (start.kind === 'full') changes.push(...(await cancelUnseen(context, seen, start)));
      await finishRound(transaction, { connection, start, cursor: read.next.cursor, at });
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

/** The same event may come several times: its last word counts. */
function newestOf(items: readonly ProviderItem[]): ProviderItem[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

function idOf(item: ProviderItem): string {
  if (item.kind === 'occurrence') return item.occurrence.providerEventId;
  if (item.kind === 'inheriting') return String(item.item['id']);
  return item.kind === 'master' ? item.providerSeriesId : item.providerEventId;
}

interface FinishedRound {
  readonly connection: ConnectionRow;
  readonly start: RoundStart;
  readonly cursor: string;
  readonly at: Date;
}

async function finishRound(transaction: Executor, { connection, start, cursor, at }: FinishedRound): Promise<void> {
  const window = start.kind === 'full' ? await finishedWindow(transaction, connection, start) : {};
  await changeConnection(transaction, connection.calendar_id, {
    sync_cursor: cursor,
    synced_at: at,
    sync_status: 'success',
    sync_error: null,
    sync_failures: 0,
    status: 'active',
    status_message: null,
    ...window,
  });
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
