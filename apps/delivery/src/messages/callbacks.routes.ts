import { Router } from 'express';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { idOf, teamOf } from '@rapporteur/service-runtime';
import { listCallbacks } from './callbacks.store.ts';
import type { ListedCallback } from './callbacks.store.ts';

/** Lists the callbacks of a bot and their results, below `/internal/v2/webhooks`. */
export function callbackRoutes({ database }: { readonly database: Database }): Router {
  const router = Router();
  router.get('/callbacks/:botId', async (request, response) => {
    const botId = idOf(request, 'botId', 'CALLBACK_NOT_FOUND');
    const callbacks = await listCallbacks(database, { teamId: teamOf(request), botId });
    if (callbacks.length === 0) throw fail('CALLBACK_NOT_FOUND');
    response.json({ success: true, data: callbacks.map(toCallback) });
  });
  return router;
}

function toCallback(row: ListedCallback): Record<string, unknown> {
  // During an attempt the column is the end of its lease, which is not shown to customers.
  const waiting = row.lease_id === null ? row.next_attempt_at : null;
  return {
    callback_id: row.callback_id,
    message_id: row.message_id,
    bot_id: row.bot_id,
    event: row.event,
    url: row.url,
    method: row.method,
    state: row.state,
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: waiting?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    callback_error: row.state === 'failed' ? toError(row) : null,
  };
}

function toError(row: ListedCallback): Record<string, unknown> {
  return {
    status_code: row.last_status,
    error: row.last_status === null ? 'No answer' : `HTTP ${row.last_status}`,
    message: row.last_error,
    attempted_at: (row.last_attempt_at ?? row.settled_at ?? row.created_at).toISOString(),
    retries_attempted: Math.max(0, row.attempts - 1),
  };
}
