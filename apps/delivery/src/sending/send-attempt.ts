import { readRetryAfter } from '@rapporteur/async';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundResponse, OutboundHttp, OutboundRequest } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime';
import type { AttemptResult } from './schedule.ts';

export interface AttemptRequest {
  readonly url: string;
  readonly method: OutboundRequest['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Deadline of the whole attempt, from name resolution to the last byte of the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** False when the response could repeat a secret that was sent: it is not stored then. */
  readonly keepResponse: boolean;
  /** Error text for the customer about an unsuccessful response. */
  readonly sentenceFor: (status: number) => string;
}

const keptResponseBytes = 2_048;

/** Thrown when the attempt was aborted by this service: no result of the receiver. */
export class AttemptCancelled extends Error {}

/** Makes one attempt. An error of the receiver is a result; rejects with AttemptCancelled. */
export async function sendAttempt(
  outbound: Pick<OutboundHttp, 'request'>,
  clock: Pick<Clock, 'now'>,
  attempt: AttemptRequest,
): Promise<AttemptResult> {
  const { keepResponse, sentenceFor, ...request } = attempt;
  const startedAt = performance.now();
  try {
    const response = await outbound.request({ ...request, maxResponseBytes: keptResponseBytes, whenTooLarge: 'cut' });
    const result = resultOf(response, clock.now(), sentenceFor);
    return keepResponse ? result : { ...result, responseBody: null };
  } catch (error) {
    return resultOfFailure(error, Math.round(performance.now() - startedAt));
  }
}

function resultOf(response: OutboundResponse, nowMs: number, sentenceFor: (status: number) => string): AttemptResult {
  const { status, headers, bodyPrefix, durationMs } = response;
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

function resultOfFailure(error: unknown, durationMs: number): AttemptResult {
  const refused = error instanceof Failure;
  if (!refused && !(error instanceof OutboundFailure)) throw error;
  if (!refused && error.kind === 'cancelled') throw new AttemptCancelled();
  // The duration of a refusal would disclose which internal names exist.
  const silent = refused || error.kind === 'address-refused' || error.kind === 'dns';
  return noResponse(error.message, {
    timedOut: !refused && error.kind === 'timeout',
    durationMs: silent ? 0 : durationMs,
  });
}

/** The result of an attempt without a response. @param error a sentence for the customer. */
export function noResponse(
  error: string,
  more: { readonly timedOut?: boolean; readonly durationMs?: number; readonly permanent?: boolean } = {},
): AttemptResult {
  return {
    succeeded: false,
    statusCode: null,
    timedOut: more.timedOut ?? false,
    retryAfterMs: null,
    error,
    responseBody: null,
    durationMs: more.durationMs ?? 0,
    ...(more.permanent === true ? { permanent: true } : {}),
  };
}
