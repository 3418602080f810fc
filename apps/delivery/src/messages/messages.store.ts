import type { Executor } from '@rapporteur/database';
import type { DeliveryState } from '../schema/rows.ts';
import { isFinal, testEvent } from './event-types.ts';
import type { Message } from './message-body.ts';

interface Addressee {
  readonly endpoint_id: string;
  readonly enabled: boolean;
}

export async function isStored(database: Executor, messageId: string): Promise<boolean> {
  const found = await database.query('select 1 from messages where message_id = $1', [messageId]);
  return found.length > 0;
}

/**
 * Stores a message and one delivery per subscribed endpoint, in the caller's transaction. A message that is stored already
 * stays as it is. Endpoints are locked first, as everywhere: one that is enabled or disabled meanwhile waits for this.
 */
export async function storeMessage(transaction: Executor, message: Message, now: Date): Promise<void> {
  const endpoints = await transaction.query<Addressee>(
    `select endpoint_id, enabled from webhook_endpoints
      where team_id = $1 and $2 = any(events) order by endpoint_id for share`,
    [message.teamId, message.event],
  );
  if (endpoints.length === 0 && !isFinal(message.event)) return;
  if (!(await insertMessage(transaction, message, now))) return;
  await addDeliveries(transaction, message.messageId, endpoints, now);
}

/** False when it was stored already. */
export async function insertMessage(transaction: Executor, message: Message, now: Date): Promise<boolean> {
  const inserted = await transaction.query(
    `insert into messages (message_id, team_id, bot_id, event, body, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning message_id`,
    [message.messageId, message.teamId, message.botId, message.event, message.body, now],
  );
  return inserted.length > 0;
}

/**
 * Puts a message on its way to endpoints the caller has locked; where it has been before, its schedule starts anew. For a
 * disabled endpoint it is held.
 */
export async function addDeliveries(
  transaction: Executor,
  messageId: string,
  endpoints: readonly Addressee[],
  now: Date,
): Promise<void> {
  const states = endpoints.map(({ enabled }): DeliveryState => (enabled ? 'pending' : 'held'));
  await transaction.query(
    `insert into deliveries (endpoint_id, message_id, state, tries, attempts, next_attempt_at, created_at)
     select endpoint_id, $1, state, 0, 0, case when state = 'pending' then $2::timestamptz end, $2
       from unnest($3::uuid[], $4::text[]) as addressed (endpoint_id, state)
     on conflict (endpoint_id, message_id) do update
       set state = excluded.state, tries = 0, next_attempt_at = excluded.next_attempt_at, lease_id = null,
           settled_at = null`,
    [messageId, now, endpoints.map((endpoint) => endpoint.endpoint_id), states],
  );
}

/** Every endpoint a message goes to when nobody names one: those it was addressed to, or those subscribed by now. */
export async function lockAddressees(
  transaction: Executor,
  message: { readonly messageId: string; readonly teamId: string; readonly event: string },
): Promise<Addressee[]> {
  const addressed = await transaction.query<Addressee>(
    `select endpoint_id, enabled from webhook_endpoints
      where endpoint_id in (select endpoint_id from deliveries where message_id = $1)
      order by endpoint_id for share`,
    [message.messageId],
  );
  if (addressed.length > 0 || message.event === testEvent) return addressed;
  return transaction.query<Addressee>(
    `select endpoint_id, enabled from webhook_endpoints
      where team_id = $1 and $2 = any(events) order by endpoint_id for share`,
    [message.teamId, message.event],
  );
}
