import { webhookEventOf } from '@rapporteur/contracts';
import { prepared } from '@rapporteur/database';
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
  readonly team_id: string;
  readonly format: PayloadFormat;
  readonly events: readonly string[];
}

/** A message in one format, and the trace in which its event arrived; default: the current one. */
export type NewMessage = Message & { readonly trace?: string | null };

/**
 * Stores messages and one delivery of each per endpoint that is subscribed in its format, in the caller's transaction. A
 * stored message is not changed. Endpoints are always locked first: enabling and disabling wait for this transaction.
 */
export async function storeMessages(transaction: Executor, messages: readonly NewMessage[], now: Date): Promise<void> {
  const subscribers = await lockSubscribers(transaction, messages);
  const kept: (NewMessage & AddressedMessage)[] = [];
  for (const message of messages) {
    const { format, teamId, event } = message;
    const endpoints = subscribers
      .filter((one) => one.team_id === teamId && one.format === format && one.events.includes(event))
      .map((endpoint) => ({ ...endpoint, previous: previousFor(endpoint, message) }));
    // New endpoints can request the end of a bot later; its legacy form is then created again.
    const isKept =
      endpoints.length > 0 || (format === 'v2' && (isFinal(event) || (await isAwaited(transaction, teamId))));
    if (isKept) kept.push({ ...message, endpoints });
  }
  const inserted = await insertMessages(transaction, kept, now);
  const fresh = kept.filter(({ messageId, endpoints }) => inserted.has(messageId) && endpoints.length > 0);
  if (fresh.length > 0) await addDeliveries(transaction, fresh, now);
}

/**
 * Sends an event to every enabled endpoint that is subscribed to it, including those that got it before. Its stored
 * messages are replaced: same ids, new links.
 */
export async function redeliver(transaction: Executor, messages: readonly Message[], now: Date): Promise<void> {
  const subscribers = await lockSubscribers(transaction, messages);
  for (const message of messages) {
    const endpoints = subscribers.filter(({ format, enabled }) => format === message.format && enabled);
    if (endpoints.length === 0 && message.format === 'legacy') continue;
    await replaceMessage(transaction, message, now);
    await addDeliveries(transaction, [{ ...message, endpoints }], now);
  }
}

/** A program of the team waits for new messages. */
async function isAwaited(transaction: Executor, teamId: string): Promise<boolean> {
  const found = await transaction.query('select from listeners where team_id = $1 and expires_at > now()', [teamId]);
  return found.length > 0;
}

const subscribersSql = prepared(`select endpoint_id, team_id, enabled, format, events from webhook_endpoints
  where team_id = any($1::uuid[]) and owner_id is null and events && $2::text[] order by endpoint_id for share`);

/** The endpoints of these teams that are subscribed to one of these events. */
function lockSubscribers(transaction: Executor, messages: readonly Message[]): Promise<Subscriber[]> {
  const of = (pick: (message: Message) => string): string[] => [...new Set(messages.map(pick))];
  return transaction.query<Subscriber>(subscribersSql, [of(({ teamId }) => teamId), of(({ event }) => event)]);
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

const insertSql =
  prepared(`insert into messages (message_id, team_id, bot_id, event, format, key_field, body, created_at, trace)
  select message_id, team_id, bot_id, event, format, key_field, body, $8, trace
    from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bytea[], $9::text[])
      as given (message_id, team_id, bot_id, event, format, key_field, body, trace)
   order by message_id
  on conflict do nothing returning message_id`);

/** @returns the ids of those that were not stored already */
async function insertMessages(
  transaction: Executor,
  messages: readonly NewMessage[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (messages.length === 0) return new Set();
  const of = (pick: (message: NewMessage) => unknown): unknown[] => messages.map(pick);
  const inserted = await transaction.query<{ message_id: string }>(insertSql, [
    of(({ messageId }) => messageId),
    of(({ teamId }) => teamId),
    of(({ botId }) => botId),
    of(({ event }) => event),
    of(({ format }) => format),
    of(({ keyField }) => keyField),
    of(({ body }) => body),
    now,
    of(({ trace = traceAsText() }) => trace),
  ]);
  return new Set(inserted.map(({ message_id }) => message_id));
}

/** False when it is stored already. */
export async function insertMessage(transaction: Executor, message: NewMessage, now: Date): Promise<boolean> {
  return (await insertMessages(transaction, [message], now)).size > 0;
}

/** Stores a message; a stored one gets the new bytes. */
export async function replaceMessage(transaction: Executor, message: Message, now: Date): Promise<void> {
  if (await insertMessage(transaction, message, now)) return;
  await transaction.query(
    'update messages set body = $2, stored_in = pg_current_xact_id()::text::bigint where message_id = $1',
    [message.messageId, message.body],
  );
}

type AddressedMessage = Pick<Message, 'messageId' | 'teamId'> &
  Partial<Pick<Message, 'botId' | 'order'>> & { readonly endpoints: readonly Addressee[] };

const addSql =
  prepared(`insert into deliveries (delivery_id, endpoint_id, message_id, partition, state, tries, attempts, next_attempt_at, created_at, bot_id,
    sequence, previous_sequence)
  select gen_random_uuid(), endpoint_id, message_id, team_id || ' ' || receiver, state, 0, 0, case when state = 'pending' then $1::timestamptz end, $1,
         bot_id, sequence, previous
    from unnest($2::text[], $3::text[], $4::uuid[], $5::int[], $6::uuid[], $7::text[], $8::int[], $9::text[])
      as addressed (message_id, team_id, bot_id, sequence, endpoint_id, state, previous, receiver)
  on conflict (endpoint_id, message_id) do update
    set state = case when deliveries.lease_id is null then excluded.state else deliveries.state end, tries = 0,
        next_attempt_at = case when deliveries.lease_id is null then excluded.next_attempt_at else deliveries.next_attempt_at end,
        settled_at = null, resends = case when deliveries.settled_at is null then deliveries.resends + 1 else 0 end`);

/**
 * Adds deliveries to endpoints, which the caller has locked. An existing delivery restarts its schedule; one that has not
 * ended, or whose attempt is in progress, is delivered once more after that. For a disabled endpoint it is held.
 */
export async function addDeliveries(
  transaction: Executor,
  messages: readonly AddressedMessage[],
  now: Date,
): Promise<void> {
  const rows = messages.flatMap(({ endpoints, ...message }) => endpoints.map((endpoint) => ({ message, endpoint })));
  const of = (pick: (row: (typeof rows)[number]) => unknown): unknown[] => rows.map(pick);
  await transaction.query(addSql, [
    now,
    of(({ message }) => message.messageId),
    of(({ message }) => message.teamId),
    of(({ message }) => message.botId ?? null),
    of(({ message }) => message.order?.sequence ?? null),
    of(({ endpoint }) => endpoint.endpoint_id),
    of(({ endpoint }): DeliveryState => (endpoint.enabled ? 'pending' : 'held')),
    of(({ endpoint }) => endpoint.previous ?? null),
    of(({ endpoint }) => endpoint.origin ?? endpoint.endpoint_id),
  ]);
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
