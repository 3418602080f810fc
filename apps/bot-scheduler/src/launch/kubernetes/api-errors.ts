import { ApiException } from '@kubernetes/client-node';
import { backoffMs, readRetryAfter } from '@rapporteur/async';

/** HTTP status of a failed call, or null when there was no complete response. */
export function statusOf(error: unknown): number | null {
  if (error instanceof ApiException) return error.code;
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : null;
}

/** The API server's message for a failed call. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiException)) return error instanceof Error ? error.message : String(error);
  const body: unknown = error.body;
  const status: unknown = typeof body === 'string' ? parse(body) : body;
  const message = (status as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : error.message.slice(0, 500);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof ApiException)) return null;
  return readRetryAfter((error.headers as Record<string, string | undefined>)['retry-after'], Date.now());
}

/** Exponential backoff with jitter, from half a second to 30 s; never less than `Retry-After`. */
export function retryDelayMs(error: unknown, failures: number): number {
  const requestedMs = retryAfterMs(error) ?? 0;
  return backoffMs(failures, { firstMs: 500, longestMs: 30_000, requestedMs, jitter: 0.5 });
}
