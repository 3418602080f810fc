import { backoffMs } from '@rapporteur/async';
import { LeaseLost, QueueWorker } from '@rapporteur/work-queue';
import { closeOld, keepChannel } from '../channels/keep-channel.ts';
import type { ChannelDependencies } from '../channels/keep-channel.ts';
import { connectionNotice } from '../connections/connection-shape.ts';
import { connectionProblemOf, problemRetryMs } from '../connections/connect-calendar.ts';
import { changeConnection, findConnectionRow } from '../connections/connections.store.ts';
import { writeNotice } from '../notices/write-notices.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ChannelRow, ConnectionRow } from '../schema/entities.ts';
import { takeSyncRequests } from '../connections/request-sync.store.ts';
import { leasedCalendars, leaseMs, syncCalendar } from './sync-calendar.ts';
import type { SyncDependencies, SyncOutcome } from './sync-calendar.ts';

export interface SyncWorkerDependencies extends SyncDependencies, Omit<ChannelDependencies, 'tokens'> {
  readonly settings: SyncDependencies['settings'] & {
    readonly sweepMs: number;
    readonly syncEveryMs: number;
    readonly syncRestMs: number;
    readonly concurrency: number;
  };
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
  readonly onOutcome: (outcome: 'synced' | 'failed') => void;
}

/** Minimum pause between two claims. */
const mostOftenMs = 50;
const firstRetryMs = 5_000;

/**
 * Number of consecutive failures from which on the connection shows the problem. Errors that may be temporary are retried first: a
 * rejected new access token may have expired at that moment.
 */
function failuresUntilStated(error: unknown): number {
  if (!(error instanceof ProviderError)) return 10;
  return ['expired', 'unreadable', 'refused'].includes(error.kind) ? 3 : 1;
}

/** Syncs due calendars. Every claim sets the next periodic sync. */
export function startSyncWorker(dependencies: SyncWorkerDependencies): QueueWorker<ConnectionRow> {
  const { database, clock, logger, settings } = dependencies;
  return new QueueWorker<ConnectionRow>({
    clock,
    logger,
    what: 'calendars',
    concurrency: settings.concurrency,
    pollMs: settings.sweepMs,
    restMs: Math.min(settings.sweepMs, mostOftenMs),
    claim: async (limit) => {
      await takeSyncRequests(database, { now: clock.now(), restMs: settings.syncRestMs });
      const at = new Date(clock.now());
      const set = { sync_started_at: at, next_sync_at: new Date(at.getTime() + settings.syncEveryMs) };
      return await leasedCalendars.claim(database, { at, limit, leaseMs, set });
    },
    work: (connection) => syncOne(dependencies, connection),
  }).start();
}

/** Processes one claimed calendar. Never rejects. */
async function syncOne(dependencies: SyncWorkerDependencies, connection: ConnectionRow): Promise<void> {
  const { logger, database } = dependencies;
  const { calendar_id: calendarId, team_id: teamId, deleted_at } = connection;
  try {
    if (deleted_at !== null) {
      await endConnection(dependencies, connection);
      return;
    }
    await keepChannel(dependencies, connection);
    const outcome: SyncOutcome = await syncCalendar(dependencies, connection);
    dependencies.onOutcome('synced');
    if (outcome.changed > 0) dependencies.onDecided();
    logger.info({ calendarId, teamId, ...outcome }, 'A calendar was synced.');
  } catch (error) {
    dependencies.onOutcome('failed');
    await noteFailure(dependencies, connection, error).catch((failure: unknown) =>
      logger.error({ err: failure, calendarId, teamId }, 'A failed sync could not be noted.'),
    );
  } finally {
    // If this fails, the lease expires.
    await leasedCalendars.release(database, connection).catch(() => undefined);
  }
}

async function noteFailure(
  dependencies: SyncWorkerDependencies,
  connection: ConnectionRow,
  error: unknown,
): Promise<void> {
  const { database, clock, logger, events, settings } = dependencies;
  const facts = { err: error, calendarId: connection.calendar_id, teamId: connection.team_id };
  if (error instanceof LeaseLost) {
    logger.warn(facts, 'A sync was stopped: another process syncs this calendar.');
    return;
  }
  const failures = connection.sync_failures + 1;
  const problem = failures >= failuresUntilStated(error) ? connectionProblemOf(error, connection.platform) : null;
  const waitMs = backoffMs(failures, {
    firstMs: problem === null ? firstRetryMs : problemRetryMs,
    longestMs: problem === null ? Math.min(problemRetryMs, settings.syncEveryMs) : problemRetryMs,
    requestedMs: error instanceof ProviderError ? error.retryAfterMs : undefined,
  });
  const at = new Date(clock.now());
  const retryAt = new Date(at.getTime() + waitMs);
  await database.transaction(async (transaction) => {
    await leasedCalendars.extend(transaction, connection, { at: new Date(clock.now()), leaseMs });
    const current = await findConnectionRow(transaction, connection.calendar_id);
    // The credentials were replaced meanwhile: failures of the former ones no longer apply, and the next sync is
    // already due.
    if (current?.client_secret.equals(connection.client_secret) !== true) return;
    const isNew = problem !== null && connection.status !== problem.status;
    const changed = await changeConnection(transaction, connection.calendar_id, {
      sync_status: connection.synced_at === null ? 'failed' : 'partial',
      sync_error: error instanceof ProviderError ? error.message : 'The sync failed in this deployment; it is retried.',
      sync_failures: failures,
      next_sync_at: retryAt,
      ...(problem === null ? {} : { status: problem.status, status_message: problem.message }),
      ...(isNew ? { updated_at: at } : {}),
    });
    if (isNew && changed !== null)
      await writeNotice({ transaction, events }, changed, connectionNotice(changed, 'calendar.connection_error'));
  });
  events.notify();
  logger.warn({ ...facts, failures, status: problem?.status }, 'A calendar could not be synced.');
}

/** Closes the channels of a deleted calendar, and deletes it. */
async function endConnection(dependencies: SyncWorkerDependencies, connection: ConnectionRow): Promise<void> {
  const { database, logger } = dependencies;
  const channels = await database.query<ChannelRow>('select * from channels where calendar_id = $1', [
    connection.calendar_id,
  ]);
  await closeOld(
    dependencies,
    connection,
    channels.map((channel) => ({ ...channel, state: 'closing' })),
  ).catch((error: unknown) => {
    logger.warn(
      { err: error, calendarId: connection.calendar_id },
      'The push channel of a deleted calendar was not closed; it expires.',
    );
  });
  await database.query('delete from connections where calendar_id = $1', [connection.calendar_id]);
}
