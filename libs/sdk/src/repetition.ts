import type { RapporteurError } from './rapporteur-error.ts';

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** Limit of a pause requested by the service: longer than our own, but not hours, as with a daily cap. */
const longestRequestedPauseMs = 60_000;

/** Responses that state that nothing was done: a retry is safe for every method. */
const untouched = new Set(['FST_ERR_TOO_MANY_REQUESTS']);
/** Temporary responses, and failures without a response: the first attempt may have succeeded. */
const passing = new Set([502, 503, 504]);
const unanswered = new Set(['SDK_NETWORK']);
/** An earlier attempt with the same Idempotency-Key is still in progress; a later retry gets its response. */
const stillInProgress = 'FST_ERR_IDEMPOTENCY_IN_PROGRESS';

/**
 * Delay before the next attempt, in milliseconds; null: no retry.
 * @param tries Number of attempts so far.
 * @param safe Whether sending it twice has the effect of sending it once: GET, or POST with an Idempotency-Key.
 * @param random From 0 to 1.
 */
export function pauseBeforeRepeating(
  error: RapporteurError,
  { tries, safe, random }: { readonly tries: number; readonly safe: boolean; readonly random: number },
): number | null {
  const { code, statusCode, retryAfter } = error;
  const passes = unanswered.has(code) || code === stillInProgress || (statusCode !== null && passing.has(statusCode));
  if (!untouched.has(code) && !(safe && passes)) return null;
  const askedMs = (retryAfter ?? 0) * 1_000;
  if (askedMs > longestRequestedPauseMs) return null;
  const ownMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  return Math.max(askedMs, ownMs * (0.5 + random / 2));
}
