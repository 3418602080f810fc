import { backoffMs } from '@rapporteur/async';
import { closeOld, keepChannel } from '../channels/keep-channel.ts';
import type { ChannelDependencies } from '../channels/keep-channel.ts';
import { connectionNotice } from '../connections/connection-shape.ts';
import { problemOf } from '../connections/connection-status.ts';
import { changeConnection, findConnectionRow } from '../connections/connections.store.ts';
import { writeNotice } from '../notices/write-notices.ts';
import { ProviderError } from '../providers/calendar-provider.ts';
import type { ChannelRow } from '../schema/rows.ts';
import { takeSyncRequests } from '../connections/request-sync.store.ts';
import { claimDue, holdLease, LeaseLost, releaseLease } from './claims.store.ts';
import type { Claim } from './claims.store.ts';
import { syncCalendar } from './sync-calendar.ts';
import type { SyncDependencies, SyncOutcome } from './sync-calendar.ts';

export interface SyncWorkerDependencies extends SyncDependencies, Omit<ChannelDependencies, 'tokens'> {
  readonly settings: SyncDependencies['settings'] & {
    readonly syncEveryMs: number;
    readonly syncRestMs: number;
    readonly concurrency: number;
  };
  /** Notifies the worker that bots are to be applied. */
  readonly onDecided: () => void;
  /** Called when capacity for another calendar is free. */
  readonly onDue: () => void;
  readonly onOutcome: (outcome: 'synced' | 'failed') => void;
}

export interface SyncWorker {
  /** Starts syncs of due calendars up to the concurrency limit. */
  runDue(): Promise<void>;
  /** Resolves when every started sync has ended. */
  settle(): Promise<void>;
}

const firstRetryMs = 5_000;
const longestRetryMs = 15 * 60_000;

/**
 * Consecutive failures after which the connection shows the problem. Errors that may be temporary are retried first: a
 * rejected new access token may have expired at that moment.
 */
function failuresUntilStated(error: unknown): number {
  if (!(error instanceof ProviderError)) return 10;
  return ['expired', 'unreadable', 'refused'].includes(error.kind) ? 3 : 1;
}

export function createSyncWorker(dependencies: SyncWorkerDependencies): SyncWorker {
  const { database, clock, settings } = dependencies;
  const running = new Set<Promise<void>>();
  const runDue = async (): Promise<void> => {
    const limit = settings.concurrency - running.size;
    if (limit <= 0) return;
    await takeSyncRequests(database, { now: clock.now(), restMs: settings.syncRestMs });
    const claims = await claimDue(database, { now: clock.now(), limit, syncEveryMs: settings.syncEveryMs });
    for (const claim of claims) {
      const run = runClaim(dependencies, claim).finally(() => {
        running.delete(run);
        dependencies.onDue();
      });
      running.add(run);
    }
  };
  return {
    runDue,
    settle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Processes one claimed calendar. Never rejects. */
async function runClaim(dependencies: SyncWorkerDependencies, claim: Claim): Promise<void> {
  const { logger, database } = dependencies;
  const { calendar_id: calendarId, team_id: teamId, deleted_at } = claim.connection;
  try {
    if (deleted_at !== null) {
      await endConnection(dependencies, claim);
      return;
    }
    await keepChannel(dependencies, claim.connection);
    const outcome: SyncOutcome = await syncCalendar(dependencies, claim);
    dependencies.onOutcome('synced');
    if (outcome.changed > 0) dependencies.onDecided();
    logger.info({ calendarId, teamId, ...outcome }, 'A calendar was synced.');
  } catch (error) {
    dependencies.onOutcome('failed');
    await noteFailure(dependencies, claim, error).catch((failure: unknown) =>
      logger.error({ err: failure, calendarId, teamId }, 'A failed sync could not be noted.'),
    );
  } finally {
    // If this fails, the lease expires.
    await releaseLease(database, claim).catch(() => undefined);
  }
}

async function noteFailure(dependencies: SyncWorkerDependencies, claim: Claim, error: unknown): Promise<void> {
  const { database, clock, logger, events, settings } = dependencies;
  const { connection } = claim;
  const facts = { err: error, calendarId: connection.calendar_id, teamId: connection.team_id };
  if (error instanceof LeaseLost) {
    logger.warn(facts, 'A sync was given up: another process goes on with this calendar.');
    return;
  }
  const failures = connection.sync_failures + 1;
  const problem = failures >= failuresUntilStated(error) ? problemOf(error, connection.platform) : null;
  const waitMs = backoffMs(failures, {
    firstMs: problem === null ? firstRetryMs : longestRetryMs,
    longestMs: problem === null ? Math.min(longestRetryMs, settings.syncEveryMs) : longestRetryMs,
    requestedMs: error instanceof ProviderError ? error.retryAfterMs : undefined,
  });
  const at = new Date(clock.now());
  const retryAt = new Date(at.getTime() + waitMs);
  await database.transaction(async (transaction) => {
    await holdLease(transaction, claim, clock.now());
    const current = await findConnectionRow(transaction, connection.calendar_id);
    // The credentials were replaced meanwhile: failures of the former ones no longer apply, and the next sync is
    // already due.
    if (current?.client_secret.equals(connection.client_secret) !== true) return;
    const isNew = problem !== null && connection.status !== problem.status;
    const changed = await changeConnection(transaction, connection.calendar_id, {
      sync_status: connection.synced_at === null ? 'failed' : 'partial',
      sync_error: error instanceof ProviderError ? error.message : 'The sync failed on our side; it is tried again.',
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
async function endConnection(dependencies: SyncWorkerDependencies, { connection }: Claim): Promise<void> {
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
      'The push channel of a deleted calendar ends by itself.',
    );
  });
  await database.query('delete from connections where calendar_id = $1', [connection.calendar_id]);
}
