import { backoffMs, mapConcurrently } from '@rapporteur/async';
import { botDataDeletionConfirmed, botDataDeletionFailed } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { Failure } from '@rapporteur/failures';
import { leasedRows } from '@rapporteur/work-queue';
import { calendarOriginOf } from '../schema/create-bot-body.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { ObjectDeletionRow } from '../schema/entities.ts';
import type { StorageClient } from '../service-clients.ts';
import type { BotPlace, Context } from '../schema/context.ts';

export interface ObjectDeletionDependencies extends Pick<Context, 'database' | 'events' | 'now' | 'logger'> {
  readonly deleteBotObjects: StorageClient['deleteBotObjects'];
  /** A deletion that is not confirmed within this time is reported as failed. */
  readonly dataDeletionFailedMs: number;
}

const backoff = { firstMs: 60_000, longestMs: 3_600_000 } as const;
/** Longer than the attempts of a claim, so that no other instance attempts one meanwhile. */
const leaseMs = 300_000;
const attemptTimeoutMs = 60_000;
const botsAtOnce = 20;
const attemptsAtOnce = 5;
const dueDeletions = leasedRows<ObjectDeletionRow>({
  table: 'object_deletions',
  key: ['bot_id'],
  due: 'next_attempt_at',
  attempts: 'attempts',
});

/**
 * Attempts a claimed deletion of the objects of a bot whose data was deleted, and records the result.
 * @returns the deletion when storage did not confirm it; null when it did, now or before
 */
async function deleteObjects(
  dependencies: ObjectDeletionDependencies,
  claimed: ObjectDeletionRow,
  timeoutMs: number,
): Promise<ObjectDeletionRow | null> {
  const place = { botId: claimed.bot_id, teamId: claimed.team_id };
  const { database, deleteBotObjects, events, logger } = dependencies;
  const reply = await deleteBotObjects(place, { timeoutMs }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    logger.warn({ err: error, ...place }, 'Storage did not respond to a deletion; trying again later.');
    return { confirmed: false as const, reason: error.message };
  });
  const left = await database.transaction((transaction) =>
    reply.confirmed
      ? recordConfirmed(transaction, place, dependencies)
      : recordUnconfirmed(transaction, claimed, reply.reason, dependencies),
  );
  events.notify();
  return left;
}

async function recordConfirmed(
  transaction: Executor,
  { botId, teamId }: BotPlace,
  { events, now }: ObjectDeletionDependencies,
): Promise<null> {
  const rows = await transaction.query('delete from object_deletions where bot_id = $1 returning 1', [botId]);
  if (rows.length === 0) return null;
  await transaction.query('update bots set artifacts_deleted = true, updated_at = $2 where id = $1', [
    botId,
    new Date(now()),
  ]);
  await events.add(transaction, botDataDeletionConfirmed, { botId, teamId });
  return null;
}

async function recordUnconfirmed(
  transaction: Executor,
  row: ObjectDeletionRow,
  reason: string,
  { events, now, dataDeletionFailedMs }: ObjectDeletionDependencies,
): Promise<ObjectDeletionRow | null> {
  const { bot_id: botId, team_id: teamId, attempts } = row;
  const at = new Date(now());
  const failsNow = row.failed_at === null && at.getTime() - row.requested_at.getTime() >= dataDeletionFailedMs;
  const next = {
    ...row,
    last_error: reason,
    next_attempt_at: new Date(at.getTime() + backoffMs(attempts, backoff)),
    failed_at: failsNow ? at : row.failed_at,
  };
  const { last_error, next_attempt_at, failed_at } = next;
  // A later attempt, or its confirmation, is newer than this result.
  if (!(await dueDeletions.release(transaction, row, { set: { last_error, next_attempt_at, failed_at } })))
    return await findDeletion(transaction, botId);
  if (!failsNow) return next;
  const [bot] = await transaction.query<Pick<BotRow, 'request' | 'extra'>>(
    'select request, extra from bots where id = $1',
    [botId],
  );
  await events.add(transaction, botDataDeletionFailed, {
    botId,
    teamId,
    calendarEventId: calendarOriginOf(bot?.request ?? {})?.event_id ?? null,
    reason,
    requestedAt: row.requested_at.toISOString(),
    attempts,
    nextAttemptAt: next.next_attempt_at.toISOString(),
    extra: bot?.extra ?? null,
  });
  return next;
}

/** Null: none was requested, or storage has confirmed it. */
export async function findDeletion(executor: Executor, botId: string): Promise<ObjectDeletionRow | null> {
  const [row] = await executor.query<ObjectDeletionRow>('select * from object_deletions where bot_id = $1', [botId]);
  return row ?? null;
}

/** `data_deletion` of the public API. */
export function describeDeletion(row: ObjectDeletionRow | null) {
  if (row === null) return null;
  return {
    status: row.failed_at === null ? ('pending' as const) : ('failed' as const),
    reason: row.last_error,
    requested_at: row.requested_at.toISOString(),
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at.toISOString(),
  };
}

/** Attempts the deletion of one bot now, unless another attempt is in progress. @returns as `deleteObjects` */
export async function deleteObjectsNow(
  dependencies: ObjectDeletionDependencies,
  botId: string,
  timeoutMs: number,
): Promise<ObjectDeletionRow | null> {
  const { database, now } = dependencies;
  await database.query('update object_deletions set next_attempt_at = $2 where bot_id = $1', [botId, new Date(now())]);
  const claim = { at: new Date(now()), limit: 1, leaseMs, only: [botId] };
  const [claimed] = await dueDeletions.claim(database, claim);
  return claimed === undefined ? findDeletion(database, botId) : deleteObjects(dependencies, claimed, timeoutMs);
}

/** Attempts the deletions that are due. @returns how many storage confirmed */
export async function deleteDueObjects(dependencies: ObjectDeletionDependencies): Promise<number> {
  const { database, now, logger } = dependencies;
  const due = await dueDeletions.claim(database, { at: new Date(now()), limit: botsAtOnce, leaseMs });
  let confirmed = 0;
  await mapConcurrently(due, attemptsAtOnce, async (claimed) => {
    const { bot_id: botId, team_id: teamId } = claimed;
    const left = await deleteObjects(dependencies, claimed, attemptTimeoutMs);
    if (left === null) confirmed += 1;
    else logger.warn({ botId, teamId, reason: left.last_error }, 'Storage did not confirm a deletion.');
  });
  return confirmed;
}
