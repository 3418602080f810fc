import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { DeliveryState } from '../schema/entities.ts';
import { addDeliveries, insertMessage } from './messages.store.ts';
import type { NewCallback } from './new-callback.ts';

/** Adds a delivery to an address of a bot or a calendar, once per trigger. A stored message is not changed. */
export async function insertCallback(transaction: Executor, callback: NewCallback, now: Date): Promise<void> {
  const { message, ownerId, kind, trigger, url, method, secretField, previous } = callback;
  const [address] = await transaction.query<{ endpoint_id: string }>(
    `insert into webhook_endpoints (endpoint_id, team_id, owner_id, kind, trigger, url, method, secret_field, events, enabled,
       created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, '{}', true, $8, $8) on conflict (owner_id, trigger) do nothing
     returning endpoint_id`,
    [message.teamId, ownerId, kind, trigger, url, method, secretField, now],
  );
  if (address === undefined) return;
  await insertMessage(transaction, message, now);
  const { messageId, teamId, botId } = message;
  const order = kind === 'legacy' ? message.order : null;
  const addressee = {
    endpoint_id: address.endpoint_id,
    enabled: true,
    origin: originOf(url),
    previous: previous ?? undefined,
  };
  await addDeliveries(transaction, [{ messageId, teamId, botId, order, endpoints: [addressee] }], now);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** True when a delivery exists for each of these triggers of a bot. */
export async function areCalled(executor: Executor, botId: string, triggers: readonly string[]): Promise<boolean> {
  if (triggers.length === 0) return true;
  const found = await executor.query('select 1 from webhook_endpoints where owner_id = $1 and trigger = any($2)', [
    botId,
    triggers,
  ]);
  return found.length === triggers.length;
}

/**
 * Repeats a callback of a team with the same message and address, as a separate callback. Throws CALLBACK_NOT_FOUND
 * when the message has no such callback.
 */
export async function resendCallback(
  executor: Executor,
  of: { readonly teamId: string; readonly messageId: string; readonly callbackId: string },
  now: Date,
): Promise<void> {
  const made = await executor.query(
    `with original as (
       select e.*, d.message_id, d.partition, d.bot_id from webhook_endpoints as e join deliveries as d using (endpoint_id)
        where e.endpoint_id = $1 and e.team_id = $2 and d.message_id = $3 and e.kind = 'callback'
     ), address as (
       insert into webhook_endpoints (endpoint_id, team_id, owner_id, kind, trigger, url, method, secret_field, events, enabled,
         created_at, updated_at)
       select $4::uuid, team_id, owner_id, kind, 'resend/' || $4::text, url, method, secret_field, events, enabled, $5, $5 from original
     )
     insert into deliveries (delivery_id, endpoint_id, message_id, partition, state, tries, attempts, next_attempt_at, created_at, bot_id)
     select gen_random_uuid(), $4::uuid, message_id, partition, 'pending', 0, 0, $5, $5, bot_id from original returning delivery_id`,
    [of.callbackId, of.teamId, of.messageId, randomUUID(), now],
  );
  if (made.length === 0) throw fail('CALLBACK_NOT_FOUND');
}

/** A callback of a bot and its result. */
export interface ListedCallback {
  readonly callback_id: string;
  readonly message_id: string;
  readonly bot_id: string;
  readonly event: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly lease_id: string | null;
  readonly last_attempt_at: Date | null;
  /** Status of the last attempt; null when it got no response. */
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
}

const callbacksShown = 50;

/** The callbacks of a team's bot, newest first. */
export function listCallbacks(
  database: Executor,
  owner: { readonly teamId: string; readonly botId: string },
): Promise<ListedCallback[]> {
  return database.query<ListedCallback>(
    `select e.endpoint_id as callback_id, e.owner_id as bot_id, e.url, e.method, m.event, d.message_id, d.state, d.attempts,
            d.next_attempt_at, d.lease_id, d.last_attempt_at, d.last_error, d.created_at, d.settled_at, a.status_code as last_status
       from webhook_endpoints as e join deliveries as d using (endpoint_id) join messages as m using (message_id)
       left join attempts as a on a.delivery_id = d.delivery_id and a.number = d.attempts
      where e.owner_id = $1 and e.team_id = $2 and e.kind = 'callback'
      order by e.created_at desc, e.endpoint_id limit ${callbacksShown}`,
    [owner.botId, owner.teamId],
  );
}
