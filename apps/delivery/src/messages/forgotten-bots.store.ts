import type { Executor } from '@rapporteur/database';
import { withoutContent } from './redaction.ts';
import type { Message } from './message-body.ts';

/** Whether the stores have confirmed the deletion; null: the bot's data was not deleted. */
export type Forgotten = { readonly confirmed: boolean } | null;

/**
 * Whether the bot's data was deleted. The result holds until the transaction ends: data stored in it is deleted later
 * with the rest, or not stored.
 */
export async function forgottenState(transaction: Executor, botId: string): Promise<Forgotten> {
  await transaction.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [botId]);
  // A separate statement: it must see what was committed while the lock was awaited.
  return readForgotten(transaction, botId);
}

/** True when the bot's data was deleted. */
export async function wasForgotten(executor: Executor, botId: string): Promise<boolean> {
  return (await readForgotten(executor, botId)) !== null;
}

async function readForgotten(executor: Executor, botId: string): Promise<Forgotten> {
  const [found] = await executor.query<{ confirmed: boolean }>(
    'select confirmed_at is not null as confirmed from forgotten_bots where bot_id = $1',
    [botId],
  );
  return found ?? null;
}

const droppedSentence = "The bot's data was deleted before this message could be sent, so it was dropped.";

/**
 * Removes the content of everything stored about a bot and marks it redacted. Final messages can still be sent and
 * state the deletion once `confirmed` was set; pending chat messages are dropped with an explanation.
 */
export async function forgetBot(
  transaction: Executor,
  botId: string,
  { now, confirmed }: { readonly now: Date; readonly confirmed: boolean },
): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [botId]);
  const [noted] = await transaction.query<{ confirmed: boolean }>(
    `insert into forgotten_bots (bot_id, forgotten_at, confirmed_at) values ($1, $2, $3)
     on conflict (bot_id) do update set confirmed_at = coalesce(forgotten_bots.confirmed_at, excluded.confirmed_at)
     returning confirmed_at is not null as confirmed`,
    [botId, now, confirmed ? now : null],
  );
  await redactFinals(transaction, botId, noted?.confirmed === true);
  await redactChat(transaction, botId, now);
  await markRedacted(transaction, botId, now);
  await transaction.query(redactAttemptsSql, [botId]);
}

/** Joined through `deliveries`: attempts are indexed by delivery only, and there is a month of them. */
export const redactAttemptsSql = `
  update attempts as a set response_body = null
    from messages as m join deliveries as d on d.message_id = m.message_id
   where m.bot_id = $1 and a.delivery_id = d.delivery_id and a.response_body is not null`;

/** Also marks messages as redacted that were stored after the deletion. */
export async function markRedacted(transaction: Executor, botId: string, now: Date): Promise<void> {
  await transaction.query('update messages set redacted_at = $2 where bot_id = $1 and redacted_at is null', [
    botId,
    now,
  ]);
}

async function redactFinals(transaction: Executor, botId: string, confirmed: boolean): Promise<void> {
  const finals = await transaction.query<Pick<Message, 'event' | 'format' | 'body'> & { message_id: string }>(
    `select message_id, event, format, body from messages where bot_id = $1 and event = 'bot.completed'`,
    [botId],
  );
  for (const { message_id: messageId, ...kept } of finals)
    await transaction.query('update messages set body = $2 where message_id = $1', [
      messageId,
      withoutContent({ ...kept, botId }, confirmed),
    ]);
}

async function redactChat(transaction: Executor, botId: string, now: Date): Promise<void> {
  const emptied = withoutContent({ event: 'bot.chat_message', format: 'v2', body: Buffer.alloc(0), botId }, true);
  await transaction.query(
    `update deliveries set state = 'failed', settled_at = $2, next_attempt_at = null, lease_id = null, last_error = $3
      where state in ('pending', 'held')
        and message_id in (select message_id from messages where bot_id = $1 and event = 'bot.chat_message')`,
    [botId, now, droppedSentence],
  );
  await transaction.query(`update messages set body = $2 where bot_id = $1 and event = 'bot.chat_message'`, [
    botId,
    emptied,
  ]);
}
