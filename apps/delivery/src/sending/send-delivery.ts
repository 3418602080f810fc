import { endpointKey, messageHeaders } from '@rapporteur/outbound-http';
import { legacyKeyHeader } from './bot-secrets.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import { legacyTimeoutMs } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';
import { sendAttempt } from './send-attempt.ts';
import { sendCallback } from './send-callback.ts';
import type { SendDependencies } from './send-callback.ts';

/**
 * Makes one attempt to an endpoint or to an address of a bot or a calendar. Rejects with AttemptCancelled, or when this
 * service cannot send: a secret does not open, or a bot's key cannot be requested now.
 */
export async function sendDelivery(
  dependencies: SendDependencies,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { outbound, secrets, requestBotSecret, clock, timeoutMs } = dependencies;
  const { messageId, body, botId, teamId, keyField, secret } = delivery;
  if (secret === null) return sendCallback(dependencies, delivery, signal);
  const keys = secrets.forSigning({ ...delivery, secret }, clock.now()).map(endpointKey);
  const apiKey =
    botId === null || keyField === null ? null : await requestBotSecret({ botId, teamId, field: keyField });
  return sendAttempt(outbound, clock, {
    url: delivery.url,
    method: 'POST',
    headers: {
      ...secrets.openHeaders(delivery),
      ...messageHeaders({ messageId, body, timestamp: Math.floor(clock.now() / 1_000) }, keys),
      ...(apiKey === null ? {} : { [legacyKeyHeader]: apiKey }),
    },
    body,
    timeoutMs: delivery.format === 'legacy' ? Math.min(timeoutMs, legacyTimeoutMs) : timeoutMs,
    signal,
    keepResponse: apiKey === null && delivery.headers === null,
    sentenceFor,
  });
}

function sentenceFor(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint responded with ${status}, a redirect. Redirects are not followed: register the final address.`;
  if (status === 410)
    return 'The endpoint responded with 410 (gone) and was disabled. Enable it to receive what is held.';
  if (status === 429)
    return 'The endpoint responded with 429 (too many requests). The next attempt waits at least 60 s.';
  return `The endpoint responded with ${status}. Only a 2xx response counts as received.`;
}
