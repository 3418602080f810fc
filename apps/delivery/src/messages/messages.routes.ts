import { Router } from 'express';
import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { idOf, invalid, queryInteger, readCursor, readInput, teamOf } from '@rapporteur/service-runtime';
import type { Clock, PageCursor } from '@rapporteur/service-runtime';
import type { Endpoints } from '../endpoints/endpoints.store.ts';
import { resendCallback } from './callbacks.store.ts';
import { listAttempts, listMessages, resendMessage } from './message-history.store.ts';
import type { ListedAttempt, ListedMessage } from './message-history.store.ts';
import { redactedPayload } from './redaction.ts';

export interface MessageRoutesDependencies {
  readonly database: Database;
  readonly endpoints: Pick<Endpoints, 'get'>;
  readonly clock: Clock;
  /** Called after a resend: deliveries are due. */
  readonly onDue: () => void;
}

const listQuery = z.strictObject({
  limit: queryInteger(1, 100).default(50),
  cursor: z.string().max(300).optional(),
  state: z.enum(['pending', 'held', 'succeeded', 'failed']).optional(),
  bot_id: z.uuid().optional(),
});
const resendQuery = z
  .strictObject({ endpoint_id: z.uuid().optional(), callback_id: z.uuid().optional() })
  .refine(({ endpoint_id, callback_id }) => endpoint_id === undefined || callback_id === undefined, {
    path: ['callback_id'],
    message: 'cannot be given together with endpoint_id',
  });
const endpointQuery = z.strictObject({ endpoint_id: z.uuid().optional() });

/** The API of messages and their attempts, below `/internal/v2/webhooks`. */
export function messageRoutes({ database, endpoints, clock, onDue }: MessageRoutesDependencies): Router {
  const router = Router();

  router.get('/endpoints/:endpointId/messages', async (request, response) => {
    const { limit, cursor, state, bot_id: botId } = readInput(listQuery, request.query);
    const from = cursor === undefined ? null : placeOf(cursor);
    const endpointId = idOf(request, 'endpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND');
    await endpoints.get(teamOf(request), endpointId);
    const page = await listMessages(database, {
      endpointId,
      state: state ?? null,
      botId: botId ?? null,
      limit,
      from,
    });
    response.json({
      success: true,
      data: page.rows.map(toMessage),
      cursor: page.cursor,
      prev_cursor: page.prevCursor,
    });
  });

  router.get('/messages/:messageId/attempts', async (request, response) => {
    const { endpoint_id: endpointId } = readInput(endpointQuery, request.query);
    const owner = { teamId: teamOf(request), messageId: request.params['messageId'] };
    const attempts = await listAttempts(database, owner, endpointId ?? null);
    response.json({ success: true, data: attempts.map(toAttempt) });
  });

  router.post('/messages/:messageId/resend', async (request, response) => {
    const { endpoint_id: endpointId, callback_id: callbackId } = readInput(resendQuery, request.query);
    const owner = { teamId: teamOf(request), messageId: request.params['messageId'] };
    if (callbackId !== undefined) {
      await resendCallback(database, { ...owner, callbackId }, new Date(clock.now()));
      onDue();
      const message = 'The callback is on its way again.';
      return void response.json({ success: true, data: { message, message_id: owner.messageId } });
    }
    const count = await resendMessage(database, owner, endpointId ?? null, new Date(clock.now()));
    onDue();
    response.json({ success: true, data: { message: resentSentence(count), message_id: owner.messageId } });
  });

  return router;
}

function placeOf(cursor: string): PageCursor {
  const place = readCursor(cursor);
  if (place === null) throw invalid('cursor', 'It is not a cursor of this list.');
  return place;
}

function resentSentence(endpoints: number): string {
  if (endpoints === 0) return 'No endpoint is subscribed to this event, so nothing is sent.';
  return `The message is on its way again to ${endpoints === 1 ? '1 endpoint' : `${endpoints} endpoints`}.`;
}

function toMessage(row: ListedMessage): Record<string, unknown> {
  // During an attempt the column is the end of its lease, which is not shown to customers.
  const waiting = row.lease_id === null ? row.next_attempt_at : null;
  return {
    message_id: row.message_id,
    event: row.event,
    bot_id: row.bot_id,
    state: row.state,
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: waiting?.toISOString() ?? null,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    payload:
      row.redacted_at === null ? (JSON.parse(row.body.toString('utf8')) as unknown) : redactedPayload(row.bot_id),
  };
}

function toAttempt(row: ListedAttempt): Record<string, unknown> {
  return {
    attempt_id: row.attempt_id,
    endpoint_id: row.endpoint_id,
    number: row.number,
    outcome: row.outcome,
    status_code: row.status_code,
    error: row.error,
    response_body: row.response_body?.toString('utf8') ?? null,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
  };
}
