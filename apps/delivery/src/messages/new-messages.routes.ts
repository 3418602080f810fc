import { Router } from 'express';
import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { invalid, queryInteger, readInput, teamOf } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { awaitMessages, listNewMessages, newestPlace } from './new-messages.store.ts';
import type { MessagePlace, NewMessage } from './new-messages.store.ts';
import { redactedPayload } from './redaction.ts';

export interface NewMessageDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
}

const listQuery = z.strictObject({ after: z.string().max(100).optional(), wait: queryInteger(0, 10).default(0) });
const pollMs = 500;
/** Of this process. Others get their response at once. */
const mostWaiting = 50;

/** The API of new messages, below `/internal/v2/webhooks`. */
export function newMessageRoutes({ database, clock, isStopping }: NewMessageDependencies): Router {
  const router = Router();
  let waiting = 0;

  router.get('/messages', async (request, response) => {
    const { after, wait } = readInput(listQuery, request.query);
    const teamId = teamOf(request);
    const from = after === undefined ? null : readPlace(after);
    await awaitMessages(database, teamId);
    if (from === null)
      return void response.json({ success: true, data: [], after: writePlace(await newestPlace(database)) });
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const deadline = waiting >= mostWaiting ? 0 : clock.monotonic() + wait * 1_000;
    waiting += 1;
    try {
      let found = await listNewMessages(database, teamId, from);
      while (found.messages.length === 0 && clock.monotonic() < deadline && !closed.signal.aborted && !isStopping()) {
        await clock.sleep(Math.min(pollMs, deadline - clock.monotonic()), closed.signal).catch(() => undefined);
        found = await listNewMessages(database, teamId, from);
      }
      response.json({ success: true, data: found.messages.map(toMessage), after: writePlace(found.after) });
    } finally {
      waiting -= 1;
    }
  });

  return router;
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
    throw invalid('after', 'It is not what a response before gave.');
  return { storedIn, messageId };
}
