import { ApiException } from '@kubernetes/client-node';
import { backoffMs, readRetryAfter } from '@rapporteur/async';
import type { StartObstacle } from '../launcher.ts';

/** HTTP status of a failed call, or null when there was no complete response. */
export function statusOf(error: unknown): number | null {
  if (error instanceof ApiException) return error.code;
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : null;
}

const longestMessage = 1_000;

/** The API server's message for a failed call, or why it did not respond. */
export function messageOf(error: unknown): string {
  const body: unknown = error instanceof ApiException ? error.body : null;
  const status: unknown = typeof body === 'string' ? parse(body) : body;
  const message = (status as { message?: unknown } | null)?.message;
  return (typeof message === 'string' ? message : causeOf(error)).slice(0, longestMessage);
}

/** The HTTP client's own error says only that a request failed; the client library's has the headers of the response. */
function causeOf(error: unknown): string {
  const { message, cause, code } = (error ?? {}) as { readonly [key in 'message' | 'cause' | 'code']?: unknown };
  if (typeof cause === 'object' && cause !== null) return causeOf(cause);
  if (error instanceof ApiException) return /^Message: (.*)$/m.exec(error.message)?.[1] ?? `HTTP ${error.code}`;
  return typeof message === 'string' && message !== '' ? message : String(code ?? error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Whether a failed call certainly changed nothing. A conflict, a timeout and any error of the server leave that open:
 * the object has to be read.
 */
export function isCertainlyRefused(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 409;
}

/** What a failed call means for launches. A rate limit ends by itself, like a conflict or an error of the server. */
export function obstacleOfError(error: unknown): StartObstacle {
  const message = messageOf(error);
  if (isQuota(error)) return { cause: 'quota-exceeded', message };
  const passes = !isCertainlyRefused(error) || statusOf(error) === 429 || statusOf(error) === 410;
  return { cause: passes ? 'api-unavailable' : 'api-refused', message };
}

/** A quota refuses with 403 like RBAC, but may accept the same call later. */
export function isQuota(error: unknown): boolean {
  return statusOf(error) === 403 && isQuotaMessage(messageOf(error));
}

/** Whether the API server refuses an object because a ResourceQuota is exhausted. */
export function isQuotaMessage(message: string): boolean {
  return /exceeded quota/i.test(message);
}

/** Milliseconds of a Retry-After header, or null. */
function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof ApiException)) return null;
  return readRetryAfter((error.headers as Record<string, string | undefined>)['retry-after'], Date.now());
}

/**
 * Exponential backoff with jitter, from half a second to 5 s: bots start soon after an outage, and one request in 5 s is
 * no load. Never less than `Retry-After`.
 */
export function retryDelayMs(error: unknown, failures: number): number {
  const requestedMs = retryAfterMs(error) ?? 0;
  return backoffMs(failures, { firstMs: 500, longestMs: 5_000, requestedMs, jitter: 0.5 });
}
