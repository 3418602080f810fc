import type { Database, Executor } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { SealedSecrets } from '../endpoints/endpoint-secrets.ts';
import { disableEndpoint } from '../endpoints/endpoint-switch.ts';
import { testEvent } from '../event-types.ts';
import type { CallbackKind, DeliveryRow, DeliveryState, DisabledReason, PayloadFormat } from '../schema/entities.ts';
import type { AttemptOutcome, ClaimLimits } from './attempt-worker.ts';
import { chooseDueSql } from './claim-sql.ts';
import { failingLimitMs } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends Omit<SealedSecrets, 'secret'> {
  readonly deliveryId: string;
  readonly partition: string;
  /** Null for an endpoint of a team. */
  readonly kind: CallbackKind | null;
  /** Bot or calendar of the address; null for an endpoint of a team. */
  readonly ownerId: string | null;
  readonly method: 'POST' | 'PUT';
  /** Field in which the owner's service stores the value for a header of each attempt; null: no such header. */
  readonly secretField: string | null;
  /** Null for an address of an owner. */
  readonly secret: Buffer | null;
  readonly messageId: string;
  readonly leaseId: string;
  /** Transaction that stored the body; changes when the message gets new bytes. */
  readonly storedIn: string;
  /** Previous attempts of this schedule. */
  readonly tries: number;
  readonly event: string;
  readonly botId: string | null;
  readonly body: Buffer;
  readonly format: PayloadFormat;
  readonly keyField: string | null;
  /** The endpoint's own headers, sealed. */
  readonly headers: Buffer | null;
  readonly url: string;
  readonly trace: string | null;
}

/** Leases due deliveries (`chooseDueSql`). */
export function claimDue(database: Executor, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  const { nowMs, leaseMs, total, perPartition, perTeam, busy } = limits;
  return database.query<ClaimedDelivery>(
    `with ${chooseDueSql}
     update deliveries as d set lease_id = gen_random_uuid(), next_attempt_at = $6
       from chosen, messages as m, webhook_endpoints as e
      where d.delivery_id = chosen.row and m.message_id = d.message_id and e.endpoint_id = d.endpoint_id
     returning d.delivery_id as "deliveryId", d.partition, e.kind, e.owner_id as "ownerId", e.method, e.secret_field as "secretField",
       d.message_id as "messageId", d.lease_id as "leaseId", d.tries, m.event, m.bot_id as "botId", m.body, m.trace,
       m.stored_in::text as "storedIn", m.format, m.key_field as "keyField",
       e.endpoint_id as "endpointId", e.team_id as "teamId", e.url, e.headers, e.secret, e.previous_secret as "previousSecret",
       e.previous_secret_expires_at as "previousSecretExpiresAt"`,
    [new Date(nowMs), [...busy.keys()], [...busy.values()], perPartition, total, new Date(nowMs + leaseMs), perTeam],
  );
}

/** Claimed by `claimDue`, which is fair to receivers and teams. */
const leasedDeliveries = leasedRows<Pick<DeliveryRow, 'delivery_id' | 'lease_id'>>({
  table: 'deliveries',
  key: ['delivery_id'],
  due: 'next_attempt_at',
  lease: 'lease_id',
});

/** Returns a delivery without an attempt, due again at `dueMs`. */
export async function releaseLease(database: Executor, delivery: ClaimedDelivery, dueMs: number): Promise<void> {
  const row = { delivery_id: delivery.deliveryId, lease_id: delivery.leaseId };
  await leasedDeliveries.release(database, row, { at: new Date(dueMs), dueInMs: 0 });
}

export interface RecordedDelivery {
  /** Counted over the lifetime of this message at this endpoint. */
  readonly number: number;
  readonly state: DeliveryState;
  /** Why this attempt disabled the endpoint; null when it did not. */
  readonly disabled: DisabledReason | null;
}

/**
 * Stores an attempt and the next step. A success settles the message as long as it has the bytes that were sent; a failure
 * only while this attempt holds the lease. Null when the endpoint was deleted meanwhile.
 */
export async function recordAttempt(
  database: Database,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  outcome: AttemptOutcome,
): Promise<RecordedDelivery | null> {
  if (result.succeeded) {
    const stored = await storeAttempt(database, delivery, result, outcome);
    return stored === null ? null : { number: stored.number, state: stored.state, disabled: null };
  }
  return await database.transaction(async (transaction) => {
    const stored = await storeAttempt(transaction, delivery, result, outcome);
    if (stored === null) return null;
    const judged = { result, nowMs: outcome.nowMs };
    const disabled = delivery.kind === null ? await judgeFailure(transaction, delivery, stored, judged) : null;
    const state = disabled !== null && stored.state === 'pending' ? 'held' : stored.state;
    return { number: stored.number, state, disabled };
  });
}

interface StoredAttempt {
  readonly number: number;
  readonly state: DeliveryState;
  readonly enabled: boolean;
  /** Of the endpoint, before this attempt. */
  readonly failingSince: Date | null;
}

const settles = `(d.lease_id is not distinct from $3::uuid
  or $4::boolean and (select stored_in from messages where message_id = d.message_id) = $13::bigint)`;

/** A success with a resend requested meanwhile: its schedule begins now. */
const resends = `${settles} and $4::boolean and d.resends > 0`;

/**
 * One statement, as most attempts are successes: it locks the endpoint, counts and settles the delivery, adds the
 * attempt's row, and ends the failures of the endpoint after a success.
 */
async function storeAttempt(
  executor: Executor,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  { step, startedMs, nowMs }: AttemptOutcome,
): Promise<StoredAttempt | null> {
  const pending = step.state === 'pending';
  const [stored] = await executor.query<StoredAttempt>(
    `with endpoint as materialized (
       select enabled, failing_since from webhook_endpoints where endpoint_id = $1 for no key update
     ), counted as (
       update deliveries as d
          set attempts = d.attempts + 1, last_attempt_at = $5, last_error = $6,
              state = case when ${settles} and not (${resends}) then $7 else d.state end,
              next_attempt_at = case when ${resends} then case d.state when 'pending' then $14::timestamptz end
                                     when ${settles} then $8 else d.next_attempt_at end,
              settled_at = case when ${settles} and not (${resends}) then $9 else d.settled_at end,
              lease_id = case when ${settles} then null else d.lease_id end,
              tries = case when ${resends} then 0 when ${settles} then d.tries + 1 else d.tries end,
              resends = case when ${resends} then d.resends - 1 when ${settles} and $7 = 'failed' then 0 else d.resends end
         from endpoint where d.delivery_id = $2
       returning d.attempts, d.state
     ), attempt as (
       insert into attempts (attempt_id, delivery_id, number, outcome, status_code, error, response_body, started_at, duration_ms)
       select gen_random_uuid(), $2, attempts, case when $4 then 'succeeded' else 'failed' end, $10::int, $6, $11::bytea, $5, $12::int from counted
     ), recovered as (
       update webhook_endpoints set failing_since = null
        where endpoint_id = $1 and $4 and failing_since is not null and exists (select from counted)
     )
     select counted.attempts as number, counted.state, endpoint.enabled, endpoint.failing_since as "failingSince" from counted, endpoint`,
    [
      delivery.endpointId,
      delivery.deliveryId,
      delivery.leaseId,
      result.succeeded,
      new Date(startedMs),
      result.error,
      step.state,
      pending ? new Date(nowMs + step.pauseMs) : null,
      pending ? null : new Date(nowMs),
      result.statusCode,
      result.responseBody,
      result.durationMs,
      delivery.storedIn,
      new Date(nowMs),
    ],
  );
  return stored ?? null;
}

/** A failed test message does not count toward disabling the endpoint. */
async function judgeFailure(
  transaction: Executor,
  { endpointId, event }: ClaimedDelivery,
  { enabled, failingSince }: StoredAttempt,
  { result, nowMs }: { readonly result: AttemptResult; readonly nowMs: number },
): Promise<DisabledReason | null> {
  if (event === testEvent || !enabled) return null;
  if (failingSince === null) {
    await transaction.query('update webhook_endpoints set failing_since = $2 where endpoint_id = $1', [
      endpointId,
      new Date(nowMs),
    ]);
  }
  const failingMs = nowMs - (failingSince?.getTime() ?? nowMs);
  const reason = result.statusCode === 410 ? 'gone' : failingMs >= failingLimitMs ? 'failing' : null;
  if (reason !== null) await disableEndpoint(transaction, endpointId, reason, new Date(nowMs));
  return reason;
}
