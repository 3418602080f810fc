import type { RapporteurError } from './rapporteur-error.ts';

const firstPauseMs = 250;
const longestPauseMs = 8_000;
/** A pause the service requests may be longer than our own, but not a matter of hours, as with a daily cap. */
const longestRequestedPauseMs = 60_000;

/** Responses that say nothing was done: a repetition can do no harm, whatever the method. */
const untouched = new Set(['FST_ERR_TOO_MANY_REQUESTS']);
/** Responses that pass, and failures without a response: the first try may have done its work. */
const passing = new Set([502, 503, 504]);
const unanswered = new Set(['SDK_NETWORK']);
/** An earlier try with the same Idempotency-Key is still at work; its response comes with a later repetition. */
const stillInProgress = 'FST_ERR_IDEMPOTENCY_IN_PROGRESS';

/**
 * How long to wait before the call is sent again, in milliseconds; null when it must not be.
 * @param tries How many were made.
 * @param safe Whether sending it twice does what sending it once does: GET, or POST with an Idempotency-Key.
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
