import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime';
import type { AttemptResult } from '../sending/schedule.ts';
import { noResponse, sendAttempt } from '../sending/send-attempt.ts';
import { legacyKeyHeader, legacyTimeoutMs } from '../sending/send-delivery.ts';
import { callbackKey, messageHeaders } from '../sending/signature.ts';
import type { RequestBotSecret } from '../sending/bot-secrets.ts';
import type { ClaimedCallbackDelivery } from './callback-deliveries.store.ts';

export interface SendCallbackDeliveryDependencies {
  readonly outbound: Pick<OutboundHttp, 'request'>;
  readonly requestBotSecret: RequestBotSecret;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Where a callback carries its secret. */
export const callbackSecretHeader = 'x-service-secret';

/** Makes one attempt to an address that came with a bot. Rejects with AttemptCancelled, or when the secret cannot be requested now. */
export async function sendCallbackDelivery(
  { outbound, requestBotSecret, clock, timeoutMs }: SendCallbackDeliveryDependencies,
  call: ClaimedCallbackDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { kind, botId, teamId, secretField, messageId, body } = call;
  const secret = secretField === null ? null : await requestBotSecret({ botId, teamId, field: secretField });
  // A receiver that checks the secret must not be taught that calls without one are ours.
  if (kind === 'callback' && secretField !== null && secret === null)
    return noResponse(
      'The secret of this callback is not kept any more, so it was not sent. Retry the callback and give the secret again.',
      { hopeless: true },
    );
  const legacy = kind === 'legacy';
  const keys = legacy || secret === null ? [] : [callbackKey(secret)];
  return sendAttempt(outbound, clock, {
    url: call.url,
    method: call.method,
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
    return `The ${what} answered ${status}, a redirect. Redirects are not followed: give the final address.`;
  return `The ${what} answered ${status}. Only a 2xx answer counts as received.`;
}
