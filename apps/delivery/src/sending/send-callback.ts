import { callbackKey, messageHeaders } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime';
import { legacyTimeoutMs } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';
import { noResponse, sendAttempt } from './send-attempt.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import { legacyKeyHeader } from './bot-secrets.ts';
import type { RequestBotSecret } from './bot-secrets.ts';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts';

/** Dependencies of an attempt. */
export interface SendDependencies {
  readonly outbound: Pick<OutboundHttp, 'request'>;
  readonly secrets: Pick<EndpointSecrets, 'forSigning' | 'openHeaders'>;
  readonly requestBotSecret: RequestBotSecret;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Header for the secret of a callback. */
export const callbackSecretHeader = 'x-service-secret';

/**
 * Makes one attempt to an address of a bot or a calendar. Rejects with AttemptCancelled, or when the secret cannot be
 * requested now.
 */
export async function sendCallback(
  { outbound, requestBotSecret, clock, timeoutMs }: Omit<SendDependencies, 'secrets'>,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { kind, ownerId, teamId, secretField, messageId, body } = delivery;
  const secret =
    ownerId === null || secretField === null
      ? null
      : await requestBotSecret({ botId: ownerId, teamId, field: secretField });
  // A callback without its secret is never sent: receivers must be able to refuse calls without it.
  if (kind === 'callback' && secretField !== null && secret === null)
    return noResponse(
      'The secret of this callback is not kept any more, so it was not sent. Retry the callback and give the secret again.',
      { permanent: true },
    );
  const legacy = kind === 'legacy';
  const keys = legacy || secret === null ? [] : [callbackKey(secret)];
  return sendAttempt(outbound, clock, {
    url: delivery.url,
    method: delivery.method,
    headers: {
      ...messageHeaders({ messageId, body, timestamp: Math.floor(clock.now() / 1_000) }, keys),
      ...(secret === null ? {} : { [legacy ? legacyKeyHeader : callbackSecretHeader]: secret }),
    },
    body,
    timeoutMs: legacy ? Math.min(timeoutMs, legacyTimeoutMs) : timeoutMs,
    signal,
    keepResponse: false,
    sentenceFor: (status) => sentenceFor(status, legacy ? 'webhook address of this bot' : 'callback'),
  });
}

function sentenceFor(status: number, what: string): string {
  if (status >= 300 && status < 400)
    return `The ${what} responded with ${status}, a redirect. Redirects are not followed: give the final address.`;
  return `The ${what} responded with ${status}. Only a 2xx response counts as received.`;
}
