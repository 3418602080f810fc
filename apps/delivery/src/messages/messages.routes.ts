import type { Router } from 'express';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid, readCursor, servePublic } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth, PageCursor } from '@rapporteur/service-runtime';
import type { Endpoints } from '../endpoints/endpoints.store.ts';
import { listCallbacks, resendCallback } from './callbacks.store.ts';
import type { ListedCallback } from './callbacks.store.ts';
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

/** The API of messages, their attempts, and callbacks. */
export function messageRoutes(
  auth: InternalAuth,
  { database, endpoints, clock, onDue }: MessageRoutesDependencies,
): Router {
  return servePublic(auth, {
    listWebhookMessages: async ({ teamId, params: { endpoint_id: endpointId }, query }) => {
      const { limit, cursor, state = null, bot_id: botId = null } = query;
      const from = cursor === undefined ? null : placeOf(cursor);
      await endpoints.get(teamId, endpointId);
      const page = await listMessages(database, { endpointId, state, botId, limit, from });
      return { data: page.rows.map(toMessage), cursor: page.cursor, prev_cursor: page.prevCursor };
    },
    listWebhookAttempts: async ({ teamId, params: { message_id: messageId }, query }) => {
      const attempts = await listAttempts(database, { teamId, messageId }, query.endpoint_id ?? null);
      return { data: attempts.map(toAttempt) };
    },
    resendWebhookMessage: async ({ teamId, params: { message_id: messageId }, query }) => {
      const { endpoint_id: endpointId = null, callback_id: callbackId } = query;
      const at = new Date(clock.now());
      if (endpointId !== null && callbackId !== undefined)
        throw invalid('callback_id', 'cannot be given together with endpoint_id.');
      const message =
        callbackId === undefined
          ? resentSentence(await resendMessage(database, { teamId, messageId }, endpointId, at))
          : 'The callback is on its way again.';
      if (callbackId !== undefined) await resendCallback(database, { teamId, messageId, callbackId }, at);
      onDue();
      return { data: { message, message_id: messageId } };
    },
    listBotCallbacks: async ({ teamId, params }) => {
      const callbacks = await listCallbacks(database, { teamId, botId: params.bot_id });
      if (callbacks.length === 0) throw fail('CALLBACK_NOT_FOUND');
      return { data: callbacks.map(toCallback) };
    },
  });
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
    error: row.last_status === null ? 'No response' : `HTTP ${row.last_status}`,
    message: row.last_error,
    attempted_at: (row.last_attempt_at ?? row.settled_at ?? row.created_at).toISOString(),
    retries_attempted: Math.max(0, row.attempts - 1),
  };
}
