import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundAnswer, OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import { readRetryAfter } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';
import { signedHeaders } from './signature.ts';

export interface SendParts {
  readonly outbound: OutboundHttp;
  readonly secrets: EndpointSecrets;
  readonly clock: Clock;
  /** For everything, from the name's resolution to the last byte of the answer. */
  readonly timeoutMs: number;
}

const keptAnswerBytes = 2_048;

/** Thrown when the attempt was cut short on our side: it says nothing about the endpoint. */
export class AttemptCancelled extends Error {}

/**
 * Makes one attempt. What the endpoint did wrong is a result, not an error; rejects with AttemptCancelled, or when this
 * service itself cannot send (a secret that does not open).
 */
export async function sendAttempt(
  { outbound, secrets, clock, timeoutMs }: SendParts,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { messageId, body } = delivery;
  const keys = secrets.forSigning(delivery, clock.now());
  const headers = signedHeaders({ messageId, body, timestamp: Math.floor(clock.now() / 1_000) }, keys);
  const startedAt = performance.now();
  try {
    const answer = await outbound.request({
      url: delivery.url,
      method: 'POST',
      headers,
      body,
      timeoutMs,
      maxResponseBytes: keptAnswerBytes,
      whenTooLarge: 'cut',
      signal,
    });
    return resultOf(answer, clock.now());
  } catch (error) {
    return resultOfFailure(error, Math.round(performance.now() - startedAt));
  }
}

function resultOf(answer: OutboundAnswer, nowMs: number): AttemptResult {
  const { status, headers, bodyPrefix, durationMs } = answer;
  const succeeded = status >= 200 && status < 300;
  return {
    succeeded,
    statusCode: status,
    timedOut: false,
    retryAfterMs: succeeded ? null : readRetryAfter(headers['retry-after'], nowMs),
    error: succeeded ? null : sentenceFor(status),
    responseBody: bodyPrefix,
    durationMs,
  };
}

function sentenceFor(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint answered ${status}, a redirect. Redirects are not followed: register the final address.`;
  if (status === 410) return 'The endpoint answered 410 (gone) and was disabled. Enable it to receive what is held.';
  if (status === 429) return 'The endpoint answered 429 (too many requests). The next attempt waits at least 60 s.';
  return `The endpoint answered ${status}. Only a 2xx answer counts as received.`;
}

function resultOfFailure(error: unknown, durationMs: number): AttemptResult {
  const refused = error instanceof Failure;
  if (!refused && !(error instanceof OutboundFailure)) throw error;
  if (!refused && error.kind === 'cancelled') throw new AttemptCancelled();
  // How long a name took to be refused would tell which names exist inside.
  const silent = refused || error.kind === 'address-refused' || error.kind === 'dns';
  return {
    succeeded: false,
    statusCode: null,
    timedOut: !refused && error.kind === 'timeout',
    retryAfterMs: null,
    error: error.message,
    responseBody: null,
    durationMs: silent ? 0 : durationMs,
  };
}
