import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { CallbackDeliveryKind, CallbackDeliveryRow, CallbackDeliveryState } from '../schema/rows.ts';
import type { AttemptOutcome, ClaimLimits } from '../sending/attempt-worker.ts';
import { chooseDueSql } from '../sending/claim-sql.ts';
import type { AttemptResult } from '../sending/schedule.ts';
import type { NewCallbackDelivery } from './new-callback-delivery.ts';

/** One call that this process may attempt until its lease ends. */
export interface ClaimedCallbackDelivery {
  readonly callId: string;
  readonly botId: string;
  readonly teamId: string;
  readonly kind: CallbackDeliveryKind;
  readonly messageId: string;
  readonly event: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly secretField: string | null;
  readonly partition: string;
  readonly body: Buffer;
  readonly leaseId: string;
  /** Attempts made before. */
  readonly tries: number;
}

/** Stores a call, due at once, unless this trigger has made one already. */
export async function insertCallbackDelivery(
  transaction: Executor,
  call: NewCallbackDelivery,
  now: Date,
): Promise<void> {
  const { message, kind, trigger, url, method, secretField, previous } = call;
  await transaction.query(
    `insert into calls (call_id, bot_id, team_id, kind, trigger, message_id, event, url, method, secret_field, partition, body,
       state, tries, next_attempt_at, created_at, sequence, previous_sequence)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', 0, $13, $13, $14, $15) on conflict do nothing`,
    [
      randomUUID(),
      message.botId,
      message.teamId,
      kind,
      trigger,
      message.messageId,
      message.event,
      url,
      method,
      secretField,
      `${message.teamId} ${originOf(url)}`,
      message.body,
      now,
      kind === 'legacy' ? (message.order?.sequence ?? null) : null,
      previous,
    ],
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** True when each of these occasions of a bot has made its call. */
export async function areCalled(executor: Executor, botId: string, triggers: readonly string[]): Promise<boolean> {
  if (triggers.length === 0) return true;
  const found = await executor.query('select 1 from calls where bot_id = $1 and trigger = any($2)', [botId, triggers]);
  return found.length === triggers.length;
}

const chooseDue = chooseDueSql({
  table: 'calls',
  partition: 'partition',
  partitionType: 'text',
  team: `split_part(partition, ' ', 1)`,
  row: 'call_id',
});

/** Leases what is due to the bots' own addresses (`chooseDueSql`). */
export function claimCallbackDeliveries(database: Executor, limits: ClaimLimits): Promise<ClaimedCallbackDelivery[]> {
  const { nowMs, leaseMs, total, perPartition, perTeam, busy } = limits;
  return database.query<ClaimedCallbackDelivery>(
    `with ${chooseDue}
     update calls as c set lease_id = gen_random_uuid(), next_attempt_at = $6
       from chosen where c.call_id = chosen.row
     returning c.call_id as "callId", c.bot_id as "botId", c.team_id as "teamId", c.kind, c.message_id as "messageId",
       c.event, c.url, c.method, c.secret_field as "secretField", c.partition, c.body, c.lease_id as "leaseId", c.tries`,
    [new Date(nowMs), [...busy.keys()], [...busy.values()], perPartition, total, new Date(nowMs + leaseMs), perTeam],
  );
}

/** Gives a call back untouched, for another attempt at `dueMs`. */
export async function releaseCallbackDelivery(
  database: Executor,
  call: ClaimedCallbackDelivery,
  dueMs: number,
): Promise<void> {
  await database.query('update calls set lease_id = null, next_attempt_at = $3 where call_id = $1 and lease_id = $2', [
    call.callId,
    call.leaseId,
    new Date(dueMs),
  ]);
}

export interface RecordedCall {
  readonly number: number;
  readonly state: CallbackDeliveryState;
}

/**
 * Writes down an attempt and what follows from it. A success always settles the call; a failure only while the lease is
 * still this attempt's. Null when the call was removed meanwhile.
 */
export function recordCallbackDelivery(
  database: Database,
  call: ClaimedCallbackDelivery,
  result: AttemptResult,
  outcome: AttemptOutcome,
): Promise<RecordedCall | null> {
  return database.transaction(async (transaction) => {
    const [held] = await transaction.query<CallbackDeliveryRow>('select * from calls where call_id = $1 for update', [
      call.callId,
    ]);
    if (held === undefined) return null;
    const number = held.tries + 1;
    await insertAttempt(transaction, { callId: call.callId, number, startedMs: outcome.startedMs }, result);
    if (result.succeeded || held.lease_id === call.leaseId) {
      await settle(transaction, { callId: call.callId, number, result }, outcome);
      return { number, state: outcome.step.state };
    }
    await transaction.query('update calls set tries = $2 where call_id = $1', [call.callId, number]);
    return { number, state: held.state };
  });
}

async function insertAttempt(
  transaction: Executor,
  { callId, number, startedMs }: { readonly callId: string; readonly number: number; readonly startedMs: number },
  result: AttemptResult,
): Promise<void> {
  await transaction.query(
    `insert into call_attempts (attempt_id, call_id, number, outcome, status_code, error, started_at, duration_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      randomUUID(),
      callId,
      number,
      result.succeeded ? 'succeeded' : 'failed',
      result.statusCode,
      result.error,
      new Date(startedMs),
      result.durationMs,
    ],
  );
}

async function settle(
  transaction: Executor,
  { callId, number, result }: { readonly callId: string; readonly number: number; readonly result: AttemptResult },
  { step, startedMs, nowMs }: AttemptOutcome,
): Promise<void> {
  const pending = step.state === 'pending';
  await transaction.query(
    `update calls set state = $2, tries = $3, next_attempt_at = $4, settled_at = $5, lease_id = null, last_attempt_at = $6,
       last_status = $7, last_error = $8 where call_id = $1`,
    [
      callId,
      step.state,
      number,
      pending ? new Date(nowMs + step.pauseMs) : null,
      pending ? null : new Date(nowMs),
      new Date(startedMs),
      result.statusCode,
      result.error,
    ],
  );
}

/**
 * Makes a callback of a team once more, the same id, bytes and address, as a callback of its own. Throws CALLBACK_NOT_FOUND when
 * the message has no such callback.
 */
export async function resendCallback(
  executor: Executor,
  of: { readonly teamId: string; readonly messageId: string; readonly callId: string },
  now: Date,
): Promise<void> {
  const made = await executor.query(
    `insert into calls (call_id, bot_id, team_id, kind, trigger, message_id, event, url, method, secret_field, partition, body,
       state, tries, next_attempt_at, created_at)
     select $4::uuid, bot_id, team_id, kind, 'resend/' || $4::text, message_id, event, url, method, secret_field, partition, body,
       'pending', 0, $5, $5 from calls
      where call_id = $1 and team_id = $2 and message_id = $3 and kind = 'callback' returning call_id`,
    [of.callId, of.teamId, of.messageId, randomUUID(), now],
  );
  if (made.length === 0) throw fail('CALLBACK_NOT_FOUND');
}

const callsShown = 50;

/** The callbacks of a team's bot, newest first. */
export function listCallbacks(
  database: Executor,
  owner: { teamId: string; botId: string },
): Promise<CallbackDeliveryRow[]> {
  return database.query<CallbackDeliveryRow>(
    `select * from calls where bot_id = $1 and team_id = $2 and kind = 'callback'
      order by created_at desc, call_id limit ${callsShown}`,
    [owner.botId, owner.teamId],
  );
}
