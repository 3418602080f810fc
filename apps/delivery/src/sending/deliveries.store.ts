import { randomUUID } from 'node:crypto';
import { insertRow } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { SealedSecrets } from '../endpoints/endpoint-secrets.ts';
import { disableEndpoint } from '../endpoints/endpoint-switch.ts';
import { testEvent } from '../event-types.ts';
import { attempts } from '../schema/entities.ts';
import type { CallbackKind, DeliveryRow, DeliveryState, DisabledReason, PayloadFormat } from '../schema/entities.ts';
import type { AttemptOutcome, ClaimLimits } from './attempt-worker.ts';
import { chooseDueSql } from './claim-sql.ts';
import { failingLimitMs } from './schedule.ts';
import type { AttemptResult, NextStep } from './schedule.ts';

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
  /** Previous attempts of this schedule. */
  readonly tries: number;
  readonly event: string;
  readonly botId: string | null;
  readonly body: Buffer;
  readonly format: PayloadFormat;
  readonly keyField: string | null;
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
       m.format, m.key_field as "keyField",
       e.endpoint_id as "endpointId", e.team_id as "teamId", e.url, e.secret, e.previous_secret as "previousSecret",
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
 * Stores an attempt and the next step. A success always settles the message; a failure only while this attempt holds
 * the lease. Null when the endpoint was deleted meanwhile.
 */
export function recordAttempt(
  database: Database,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  outcome: AttemptOutcome,
): Promise<RecordedDelivery | null> {
  return database.transaction(async (transaction) => {
    const [endpoint] = await transaction.query<LockedEndpoint>(
      'select enabled, failing_since from webhook_endpoints where endpoint_id = $1 for no key update',
      [delivery.endpointId],
    );
    if (endpoint === undefined) return null;
    const counted = await countAttempt(transaction, delivery, result, outcome.startedMs);
    if (counted === null) return null;
    await insertAttempt(transaction, delivery, result, { number: counted.attempts, startedMs: outcome.startedMs });
    if (result.succeeded || counted.own) await settle(transaction, delivery, outcome.step, outcome.nowMs);
    const judged = { result, nowMs: outcome.nowMs };
    const disabled = delivery.kind === null ? await judgeEndpoint(transaction, delivery, endpoint, judged) : null;
    const state = await stateOf(transaction, delivery);
    return { number: counted.attempts, state, disabled };
  });
}

interface LockedEndpoint {
  readonly enabled: boolean;
  readonly failing_since: Date | null;
}

async function countAttempt(
  transaction: Executor,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  startedMs: number,
): Promise<{ attempts: number; own: boolean } | null> {
  const [counted] = await transaction.query<{ attempts: number; own: boolean }>(
    `update deliveries set attempts = attempts + 1, last_attempt_at = $3, last_error = $4
      where delivery_id = $1
     returning attempts, (lease_id is not distinct from $2::uuid) as own`,
    [delivery.deliveryId, delivery.leaseId, new Date(startedMs), result.error],
  );
  return counted ?? null;
}

async function insertAttempt(
  transaction: Executor,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  { number, startedMs }: { readonly number: number; readonly startedMs: number },
): Promise<void> {
  await insertRow(transaction, attempts, {
    attempt_id: randomUUID(),
    delivery_id: delivery.deliveryId,
    number,
    outcome: result.succeeded ? 'succeeded' : 'failed',
    status_code: result.statusCode,
    error: result.error,
    response_body: result.responseBody,
    started_at: new Date(startedMs),
    duration_ms: result.durationMs,
  });
}

async function settle(transaction: Executor, delivery: ClaimedDelivery, step: NextStep, nowMs: number): Promise<void> {
  const pending = step.state === 'pending';
  await transaction.query(
    `update deliveries set state = $2, next_attempt_at = $3, settled_at = $4, lease_id = null, tries = tries + 1
      where delivery_id = $1`,
    [
      delivery.deliveryId,
      step.state,
      pending ? new Date(nowMs + step.pauseMs) : null,
      pending ? null : new Date(nowMs),
    ],
  );
}

/** A failed test message does not count toward disabling the endpoint. */
async function judgeEndpoint(
  transaction: Executor,
  { endpointId, event }: ClaimedDelivery,
  endpoint: LockedEndpoint,
  { result, nowMs }: { readonly result: AttemptResult; readonly nowMs: number },
): Promise<DisabledReason | null> {
  if (result.succeeded) {
    if (endpoint.failing_since !== null)
      await transaction.query('update webhook_endpoints set failing_since = null where endpoint_id = $1', [endpointId]);
    return null;
  }
  if (event === testEvent || !endpoint.enabled) return null;
  if (endpoint.failing_since === null) {
    await transaction.query('update webhook_endpoints set failing_since = $2 where endpoint_id = $1', [
      endpointId,
      new Date(nowMs),
    ]);
  }
  const failingMs = nowMs - (endpoint.failing_since?.getTime() ?? nowMs);
  const reason = result.statusCode === 410 ? 'gone' : failingMs >= failingLimitMs ? 'failing' : null;
  if (reason !== null) await disableEndpoint(transaction, endpointId, reason, new Date(nowMs));
  return reason;
}

async function stateOf(transaction: Executor, delivery: ClaimedDelivery): Promise<DeliveryState> {
  const [row] = await transaction.query<{ state: DeliveryState }>(
    'select state from deliveries where delivery_id = $1',
    [delivery.deliveryId],
  );
  return row?.state ?? 'failed';
}
