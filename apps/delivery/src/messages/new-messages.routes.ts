import type { Router } from 'express';
import type { Database, Executor } from '@rapporteur/database';
import { invalid, servePublic } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth, PublicCall } from '@rapporteur/service-runtime';
import type { MessageRow } from '../schema/entities.ts';
import { redactedPayload } from './redaction.ts';

/** Place in the order in which messages are stored: a transaction, and the last message of it that was listed. */
interface MessagePlace {
  readonly storedIn: string;
  readonly messageId: string;
}

type NewMessage = Pick<MessageRow, 'message_id' | 'event' | 'bot_id' | 'body' | 'created_at' | 'redacted_at'>;

/** Longer than a program that lists again and again ever pauses. */
const awaitedSeconds = 120;
const atOnce = 100;

/** From the commit on, every event of the team becomes a message, for 2 minutes. */
async function awaitMessages(database: Executor, teamId: string): Promise<void> {
  await database.query(
    `insert into listeners (team_id, expires_at) values ($1, now() + $2 * interval '1 second')
     on conflict (team_id) do update set expires_at = excluded.expires_at`,
    [teamId, awaitedSeconds],
  );
}

/** The place after everything that is stored now. */
export async function newestPlace(database: Executor): Promise<MessagePlace> {
  const [row] = await database.query<{ at: string }>(`select ${horizonSql}::text as at`, []);
  return { storedIn: row?.at ?? '0', messageId: '' };
}

/**
 * The oldest transaction that may still store a message. Messages from it on are not listed yet: one that commits later
 * could otherwise come before a listed one and be missed.
 */
const horizonSql = `pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** The team's messages after a place, at most 100, and the place after them. */
export async function listNewMessages(
  database: Executor,
  teamId: string,
  after: MessagePlace,
): Promise<{ readonly messages: NewMessage[]; readonly after: MessagePlace }> {
  const messages = await database.query<NewMessage & { readonly stored_in: string }>(
    `select message_id, event, bot_id, body, created_at, redacted_at, stored_in::text from messages
      where team_id = $1 and format = 'v2' and (stored_in, message_id) > ($2::bigint, $3) and stored_in < ${horizonSql}
      order by messages.stored_in, message_id limit ${atOnce}`,
    [teamId, after.storedIn, after.messageId],
  );
  const last = messages.at(-1);
  return { messages, after: last === undefined ? after : { storedIn: last.stored_in, messageId: last.message_id } };
}

export interface NewMessageDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
}

const pollMs = 500;
/** The limit of waiting requests of this process. Others get their response at once. */
const mostWaiting = 50;

/** The API of new messages. */
export function newMessageRoutes(auth: InternalAuth, { database, clock, isStopping }: NewMessageDependencies): Router {
  let waiting = 0;
  const listNewWebhookMessages = async ({ teamId, query, response }: PublicCall<'listNewWebhookMessages'>) => {
    const from = query.after === undefined ? null : readPlace(query.after);
    await awaitMessages(database, teamId);
    if (from === null) return { data: [], after: writePlace(await newestPlace(database)) };
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const deadline = waiting >= mostWaiting ? 0 : clock.monotonic() + query.wait * 1_000;
    waiting += 1;
    try {
      let found = await listNewMessages(database, teamId, from);
      while (found.messages.length === 0 && clock.monotonic() < deadline && !closed.signal.aborted && !isStopping()) {
        await clock.sleep(Math.min(pollMs, deadline - clock.monotonic()), closed.signal).catch(() => undefined);
        found = await listNewMessages(database, teamId, from);
      }
      return { data: found.messages.map(toMessage), after: writePlace(found.after) };
    } finally {
      waiting -= 1;
    }
  };
  return servePublic(auth, { listNewWebhookMessages });
}

function toMessage({ message_id, event, bot_id, body, created_at, redacted_at }: NewMessage) {
  return {
    message_id,
    event,
    bot_id,
    created_at: created_at.toISOString(),
    payload: redacted_at === null ? (JSON.parse(body.toString('utf8')) as unknown) : redactedPayload(bot_id),
  };
}

const writePlace = ({ storedIn, messageId }: MessagePlace): string => `${storedIn}/${messageId}`;

function readPlace(text: string): MessagePlace {
  const [, storedIn, messageId] = /^(\d{1,18})\/(\w{0,80})$/.exec(text) ?? [];
  if (storedIn === undefined || messageId === undefined)
    throw invalid('after', 'It is not the value of a previous response.');
  return { storedIn, messageId };
}
