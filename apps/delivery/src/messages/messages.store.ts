import { webhookEventOf } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { traceAsText } from '@rapporteur/event-bus';
import type { DeliveryState, PayloadFormat } from '../schema/entities.ts';
import { isFinal, testEvent } from '../event-types.ts';
import type { FinalTimes, Message } from './message-body.ts';

export interface Addressee {
  readonly endpoint_id: string;
  readonly enabled: boolean;
  /** Sequence of the bot's event that must be sent to this endpoint first; absent: none. */
  readonly previous?: number | undefined;
  /** For an address of a bot or a calendar: its origin, over which concurrent attempts are limited. */
  readonly origin?: string;
}
interface Subscriber extends Addressee {
  readonly format: PayloadFormat;
  readonly events: readonly string[];
}

/** One event in every format of endpoints; null: it has no message in the legacy format. */
export interface CallbackNotification {
  readonly v2: Message;
  readonly legacy: Message | null;
}

/**
 * Stores an event and one delivery per subscribed endpoint, in the caller's transaction. A stored message is not
 * changed. Endpoints are always locked first: enabling and disabling wait for this transaction.
 */
export async function storeNotification(
  transaction: Executor,
  callbackNotification: CallbackNotification,
  now: Date,
): Promise<void> {
  const subscribers = await lockSubscribers(transaction, callbackNotification.v2);
  for (const message of messagesOf(callbackNotification)) {
    const endpoints = subscribers
      .filter(({ format }) => format === message.format)
      .map((endpoint) => ({ ...endpoint, previous: previousFor(endpoint, message) }));
    // New endpoints can request the end of a bot later; its legacy form is then created again.
    const kept = endpoints.length > 0 || (message.format === 'v2' && isFinal(message.event));
    if (!kept && (message.format !== 'v2' || !(await isAwaited(transaction, message.teamId)))) continue;
    if (await insertMessage(transaction, message, now)) await addDeliveries(transaction, message, endpoints, now);
  }
}

/**
 * Stores one message in one format, with a delivery per endpoint subscribed in that format; nothing if there is none and
 * no program waits for new messages.
 */
export async function storeOne(transaction: Executor, message: Message, now: Date): Promise<void> {
  const subscribers = await lockSubscribers(transaction, message);
  const endpoints = subscribers.filter(({ format }) => format === message.format);
  const kept = endpoints.length > 0 || (message.format === 'v2' && (await isAwaited(transaction, message.teamId)));
  if (kept && (await insertMessage(transaction, message, now)))
    await addDeliveries(transaction, message, endpoints, now);
}

/**
 * Sends an event to every enabled endpoint that is subscribed to it, including those that got it before. Its stored
 * message is replaced: same id, new links.
 */
export async function redeliver(
  transaction: Executor,
  callbackNotification: CallbackNotification,
  now: Date,
): Promise<void> {
  const subscribers = await lockSubscribers(transaction, callbackNotification.v2);
  for (const message of messagesOf(callbackNotification)) {
    const endpoints = subscribers.filter(({ format, enabled }) => format === message.format && enabled);
    if (endpoints.length === 0 && message.format === 'legacy') continue;
    await replaceMessage(transaction, message, now);
    await addDeliveries(transaction, message, endpoints, now);
  }
}

/** A program of the team waits for new messages. */
async function isAwaited(transaction: Executor, teamId: string): Promise<boolean> {
  const found = await transaction.query('select from listeners where team_id = $1 and expires_at > now()', [teamId]);
  return found.length > 0;
}

function messagesOf({ v2, legacy }: CallbackNotification): Message[] {
  return legacy === null ? [v2] : [v2, legacy];
}

function lockSubscribers(transaction: Executor, { teamId, event }: Message): Promise<Subscriber[]> {
  return transaction.query<Subscriber>(
    `select endpoint_id, enabled, format, events from webhook_endpoints
      where team_id = $1 and owner_id is null and $2 = any(events) order by endpoint_id for share`,
    [teamId, event],
  );
}

/** The preceding event of an endpoint; events that the legacy format lacks never precede one that it has. */
export function previousFor(
  { format, events }: Pick<Subscriber, 'format' | 'events'>,
  { order }: Pick<Message, 'order'>,
): number | undefined {
  return previousOf(
    order,
    events.filter((event) => format === 'v2' || webhookEventOf(event)?.legacy === true),
  );
}

/** Sequence of the newest event of these types before this one; undefined when there is none. */
export function previousOf(order: Message['order'], events: readonly string[]): number | undefined {
  const found = events.flatMap((event) => order?.previous[event] ?? []);
  return found.length === 0 ? undefined : Math.max(...found);
}

/** Times of the event and of the first delivery of a stored final message; null when it is not stored. */
export async function storedTimes(executor: Executor, messageId: string): Promise<FinalTimes | null> {
  const [row] = await executor.query<{ body: Buffer }>('select body from messages where message_id = $1', [messageId]);
  if (row === undefined) return null;
  const payload = JSON.parse(row.body.toString('utf8')) as { created_at: string; data: { sent_at: string } };
  return { createdAt: payload.created_at, sentAt: payload.data.sent_at };
}

/** False when it is stored already. */
export async function insertMessage(transaction: Executor, message: Message, now: Date): Promise<boolean> {
  const inserted = await transaction.query(
    `insert into messages (message_id, team_id, bot_id, event, format, key_field, body, created_at, trace)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict do nothing returning message_id`,
    [
      message.messageId,
      message.teamId,
      message.botId,
      message.event,
      message.format,
      message.keyField,
      message.body,
      now,
      traceAsText(),
    ],
  );
  return inserted.length > 0;
}

/** Stores a message; a stored one gets the new bytes. */
export async function replaceMessage(transaction: Executor, message: Message, now: Date): Promise<void> {
  if (await insertMessage(transaction, message, now)) return;
  await transaction.query(
    'update messages set body = $2, stored_in = pg_current_xact_id()::text::bigint where message_id = $1',
    [message.messageId, message.body],
  );
}

type AddressedMessage = Pick<Message, 'messageId' | 'teamId'> & Partial<Pick<Message, 'botId' | 'order'>>;

/**
 * Adds deliveries to endpoints, which the caller has locked. An existing delivery restarts its schedule; one that has not
 * ended, or whose attempt is in progress, is delivered once more after that. For a disabled endpoint it is held.
 */
export async function addDeliveries(
  transaction: Executor,
  message: AddressedMessage,
  endpoints: readonly Addressee[],
  now: Date,
): Promise<void> {
  const states = endpoints.map(({ enabled }): DeliveryState => (enabled ? 'pending' : 'held'));
  await transaction.query(
    `insert into deliveries (delivery_id, endpoint_id, message_id, partition, state, tries, attempts, next_attempt_at, created_at, bot_id,
       sequence, previous_sequence)
     select gen_random_uuid(), endpoint_id, $1, $8::text || ' ' || receiver, state, 0, 0, case when state = 'pending' then $2::timestamptz end, $2, $5, $6, previous
       from unnest($3::uuid[], $4::text[], $7::int[], $9::text[]) as addressed (endpoint_id, state, previous, receiver)
     on conflict (endpoint_id, message_id) do update
       set state = case when deliveries.lease_id is null then excluded.state else deliveries.state end, tries = 0,
           next_attempt_at = case when deliveries.lease_id is null then excluded.next_attempt_at else deliveries.next_attempt_at end,
           settled_at = null, resends = case when deliveries.settled_at is null then deliveries.resends + 1 else 0 end`,
    [
      message.messageId,
      now,
      endpoints.map((endpoint) => endpoint.endpoint_id),
      states,
      message.botId ?? null,
      message.order?.sequence ?? null,
      endpoints.map(({ previous }) => previous ?? null),
      message.teamId,
      endpoints.map(({ endpoint_id, origin }) => origin ?? endpoint_id),
    ],
  );
}

/** The default addressees of a message: endpoints that it was addressed to, or those subscribed now. */
export async function lockAddressees(
  transaction: Executor,
  message: {
    readonly messageId: string;
    readonly teamId: string;
    readonly event: string;
    readonly format: PayloadFormat;
  },
): Promise<Addressee[]> {
  const addressed = await transaction.query<Addressee>(
    `select endpoint_id, enabled from webhook_endpoints
      where endpoint_id in (select endpoint_id from deliveries where message_id = $1) and owner_id is null
      order by endpoint_id for share`,
    [message.messageId],
  );
  if (addressed.length > 0 || message.event === testEvent) return addressed;
  return transaction.query<Addressee>(
    `select endpoint_id, enabled from webhook_endpoints
      where team_id = $1 and owner_id is null and $2 = any(events) and format = $3 order by endpoint_id for share`,
    [message.teamId, message.event, message.format],
  );
}
