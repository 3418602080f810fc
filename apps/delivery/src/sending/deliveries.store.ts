import { together } from '@rapporteur/async';
import { prepared } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { SealedSecrets } from '../endpoints/endpoint-secrets.ts';
import { disableEndpoint } from '../endpoints/endpoints.store.ts';
import { testEvent } from '../event-types.ts';
import type { CallbackKind, DeliveryRow, DeliveryState, DisabledReason, PayloadFormat } from '../schema/entities.ts';
import type { AttemptOutcome, ClaimLimits } from './attempt-worker.ts';
import { failingLimitMs } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';

/**
 * Maximum time that a message waits for the bot's preceding event to be stored for the same receiver: its publisher may
 * have died before it published (5 s), and a receiver that was added meanwhile never gets it.
 */
const missingEventSeconds = 10;
/** Rows that one claim tries to lock; those that another process claims concurrently are skipped. */
const window = 500;

const inOrder = `(t.tries > 0 or t.previous_sequence is null or coalesce(
    (select bool_and(p.state <> 'pending' or p.tries > 0) from deliveries as p
      where p.partition = t.partition and p.bot_id = t.bot_id and p.sequence = t.previous_sequence),
    t.created_at <= $1::timestamptz - interval '${missingEventSeconds} seconds'))`;
const team = `split_part(partition, ' ', 1)`;

/**
 * SQL that selects due deliveries as `chosen` and locks them: limited per partition over all processes, and per team in
 * this process. Teams, and then partitions of a team, with the fewest attempts in progress come first; age decides only
 * among equals, because unresponsive receivers have the oldest deliveries. Receivers whose last attempt failed come after
 * others with as few attempts, and use at most half of the limit of their team. No two processes get the same. Concurrent
 * claims do not see each other's leases, so a partition may briefly exceed its limit. The first attempt of a message
 * follows the first attempt of the bot's preceding event. Parameters: now, partitions with attempts of this process in
 * progress, their counts, limit per partition, total limit, end of the leases, limit per team.
 */
const chooseDueSql = `recursive pending (partition) as (
       (select partition from deliveries where state = 'pending' order by partition limit 1)
       union all
       -- One step down an index for each partition, however many rows it has.
       select (select t.partition from deliveries as t where t.state = 'pending' and t.partition > pending.partition order by t.partition limit 1)
         from pending where pending.partition is not null
     ), partitions as materialized (
       select partition, ${team} as team, coalesce(failing, false) as failing from pending
        cross join lateral (
          select t.tries > 0 or e.failing_since is not null as failing from deliveries as t join webhook_endpoints as e using (endpoint_id)
           where t.partition = pending.partition and t.state = 'pending' order by t.next_attempt_at limit 1
        ) as oldest
        where partition is not null
     ), here as (
       select partition, count from unnest($2::text[], $3::int[]) as counted (partition, count)
     ), of_team as (
       select split_part(here.partition, ' ', 1) as team, sum(count)::int as count, coalesce(sum(count) filter (where failing), 0)::int as failing
         from here left join partitions using (partition) group by 1
     ), leased as (
       select partition, count(*)::int as count from deliveries
        where lease_id is not null and next_attempt_at > $1 group by partition
     ), busy as (
       select partition, greatest(coalesce(here.count, 0), coalesce(leased.count, 0)) as count
         from here full join leased using (partition)
     ), placed as (
       select partitions.partition, partitions.team, partitions.failing, oldest.row, oldest.next_attempt_at, coalesce(busy.count, 0)
              + row_number() over (partition by partitions.partition order by oldest.next_attempt_at, oldest.row) as place
         from partitions left join busy on busy.partition = partitions.partition
        cross join lateral (
          select t.delivery_id as row, t.next_attempt_at from deliveries as t
           where t.partition = partitions.partition and t.state = 'pending' and t.next_attempt_at <= $1 and ${inOrder}
           order by t.next_attempt_at limit greatest(0, $4 - coalesce(busy.count, 0))
        ) as oldest
     ), ranked as (
       select partition, row, next_attempt_at, coalesce(of_team.count, 0)
              + row_number() over (partition by team order by place, placed.failing, next_attempt_at, row) as rank,
              case when placed.failing then coalesce(of_team.failing, 0)
              + row_number() over (partition by team, placed.failing order by place, next_attempt_at, row) else 0 end as failing_rank
         from placed left join of_team using (team)
     ), candidates as materialized (
       select * from ranked where rank <= $7 and failing_rank <= ($7 + 1) / 2 order by rank, next_attempt_at limit ${window}
     ), chosen as (
       select candidates.partition, candidates.row
         from candidates join deliveries as t on t.partition = candidates.partition and t.delivery_id = candidates.row
        where t.state = 'pending' and t.next_attempt_at <= $1
        order by rank, candidates.next_attempt_at limit $5 for update of t skip locked
     )`;

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

const claimSql = prepared(`with ${chooseDueSql}
  update deliveries as d set lease_id = gen_random_uuid(), next_attempt_at = $6
    from chosen, messages as m, webhook_endpoints as e
   where d.delivery_id = chosen.row and m.message_id = d.message_id and e.endpoint_id = d.endpoint_id
  returning d.delivery_id as "deliveryId", d.partition, e.kind, e.owner_id as "ownerId", e.method, e.secret_field as "secretField",
    d.message_id as "messageId", d.lease_id as "leaseId", d.tries, m.event, m.bot_id as "botId", m.body, m.trace,
    m.stored_in::text as "storedIn", m.format, m.key_field as "keyField",
    e.endpoint_id as "endpointId", e.team_id as "teamId", e.url, e.headers, e.secret, e.previous_secret as "previousSecret",
    e.previous_secret_expires_at as "previousSecretExpiresAt"`);

/** Leases due deliveries (`chooseDueSql`). */
export function claimDue(database: Executor, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  const { nowMs, leaseMs, total, perPartition, perTeam, busy } = limits;
  const ends = [new Date(nowMs + leaseMs), perTeam];
  return database.query(claimSql, [
    new Date(nowMs),
    [...busy.keys()],
    [...busy.values()],
    perPartition,
    total,
    ...ends,
  ]);
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

interface Attempted {
  readonly delivery: ClaimedDelivery;
  readonly result: AttemptResult;
  readonly outcome: AttemptOutcome;
}

const mostAtOnce = 50;

/**
 * Stores attempts and their next steps. A success settles the message as long as it has the bytes that were sent; a
 * failure only while this attempt holds the lease. Successes that end at the same time are one statement. Null when the
 * endpoint was deleted meanwhile.
 */
export function attemptRecorder(database: Database): (attempted: Attempted) => Promise<RecordedDelivery | null> {
  const storeTogether = together(mostAtOnce, (some: readonly Attempted[]) => storeAttempts(database, some));
  return async (attempted) => {
    if (attempted.result.succeeded) {
      const stored = await storeTogether(attempted);
      return stored === null ? null : { number: stored.number, state: stored.state, disabled: null };
    }
    return await database.transaction(async (transaction) => {
      const [stored = null] = await storeAttempts(transaction, [attempted]);
      if (stored === null) return null;
      const disabled = attempted.delivery.kind === null ? await judgeFailure(transaction, attempted, stored) : null;
      const state = disabled !== null && stored.state === 'pending' ? 'held' : stored.state;
      return { number: stored.number, state, disabled };
    });
  };
}

interface StoredAttempt {
  readonly deliveryId: string;
  readonly number: number;
  readonly state: DeliveryState;
  readonly enabled: boolean;
  /** The beginning of the endpoint's failures, before this attempt. */
  readonly failingSince: Date | null;
}

const settles = `(d.lease_id is not distinct from g.lease_id
  or g.succeeded and (select stored_in from messages where message_id = d.message_id) = g.stored_in)`;

/** A success with a resend requested meanwhile: its schedule begins now. */
const resends = `${settles} and g.succeeded and d.resends > 0`;

/**
 * One statement, as most attempts are successes: it locks the endpoints, counts and settles the deliveries, adds the
 * attempts' rows, and ends the failures of an endpoint after a success.
 */
const storeSql = prepared(`with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[], $5::timestamptz[], $6::text[], $7::text[], $8::timestamptz[],
      $9::timestamptz[], $10::int[], $11::bytea[], $12::int[], $13::bigint[], $14::timestamptz[])
      as given (endpoint_id, delivery_id, lease_id, succeeded, started_at, error, state, due_at,
        settled_at, status_code, response_body, duration_ms, stored_in, now)
  ), endpoint as materialized (
    select endpoint_id, enabled, failing_since from webhook_endpoints
     where endpoint_id = any($1::uuid[]) order by endpoint_id for no key update
  ), counted as (
    update deliveries as d
       set attempts = d.attempts + 1, last_attempt_at = g.started_at, last_error = g.error,
           state = case when ${settles} and not (${resends}) then g.state else d.state end,
           next_attempt_at = case when ${resends} then case d.state when 'pending' then g.now end
                                  when ${settles} then g.due_at else d.next_attempt_at end,
           settled_at = case when ${settles} and not (${resends}) then g.settled_at else d.settled_at end,
           lease_id = case when ${settles} then null else d.lease_id end,
           tries = case when ${resends} then 0 when ${settles} then d.tries + 1 else d.tries end,
           resends = case when ${resends} then d.resends - 1 when ${settles} and g.state = 'failed' then 0 else d.resends end
      from given as g join endpoint using (endpoint_id) where d.delivery_id = g.delivery_id
    returning d.delivery_id, d.endpoint_id, d.attempts, d.state
  ), attempt as (
    insert into attempts (attempt_id, delivery_id, number, outcome, status_code, error, response_body, started_at, duration_ms)
    select gen_random_uuid(), delivery_id, attempts, case when succeeded then 'succeeded' else 'failed' end, status_code, error,
           response_body, started_at, duration_ms
      from counted join given using (delivery_id)
  ), recovered as (
    update webhook_endpoints set failing_since = null
     where failing_since is not null and endpoint_id in (select endpoint_id from counted join given using (delivery_id, endpoint_id) where succeeded)
  )
  select delivery_id as "deliveryId", attempts as number, state, enabled, failing_since as "failingSince"
    from counted join endpoint using (endpoint_id)`);

async function storeAttempts(
  executor: Executor,
  attempted: readonly Attempted[],
): Promise<readonly (StoredAttempt | null)[]> {
  const ids = attempted.map(({ delivery }) => delivery.deliveryId);
  // An attempt that outlived its lease may end together with the next one; each is counted.
  if (new Set(ids).size < ids.length) throw new Error('Two attempts of one delivery are two statements.');
  const of = (pick: (one: Attempted) => unknown): unknown[] => attempted.map(pick);
  const stored = await executor.query<StoredAttempt>(storeSql, [
    of(({ delivery }) => delivery.endpointId),
    ids,
    of(({ delivery }) => delivery.leaseId),
    of(({ result }) => result.succeeded),
    of(({ outcome }) => new Date(outcome.startedMs)),
    of(({ result }) => result.error),
    of(({ outcome }) => outcome.step.state),
    of(({ outcome: { step, nowMs } }) => (step.state === 'pending' ? new Date(nowMs + step.pauseMs) : null)),
    of(({ outcome: { step, nowMs } }) => (step.state === 'pending' ? null : new Date(nowMs))),
    of(({ result }) => result.statusCode),
    of(({ result }) => result.responseBody),
    of(({ result }) => result.durationMs),
    of(({ delivery }) => delivery.storedIn),
    of(({ outcome }) => new Date(outcome.nowMs)),
  ]);
  const byId = new Map(stored.map((one) => [one.deliveryId, one]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** A failed test message does not count toward disabling the endpoint. */
async function judgeFailure(
  transaction: Executor,
  { delivery: { endpointId, event }, result, outcome: { nowMs } }: Attempted,
  { enabled, failingSince }: StoredAttempt,
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
