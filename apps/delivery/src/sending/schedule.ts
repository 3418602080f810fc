/** Pauses before the attempts of one message; each but the first has a jitter of ±20 %. */
export const attemptPausesMs: readonly number[] = [
  0,
  5_000,
  10_000,
  5 * 60_000,
  15 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
];
/** Minimum pause after a 429 or a timeout. */
export const overloadPauseMs = 60_000;
/** Maximum pause that a receiver can request. */
const longestRequestedPauseMs = 24 * 3_600_000;
/** The documented response time for receivers of the first API generation. */
export const legacyTimeoutMs = 10_000;
/** An endpoint with failures only for this long is disabled. */
export const failingLimitMs = 5 * 24 * 3_600_000;

export interface AttemptResult {
  /** Only 2xx is a success. */
  readonly succeeded: boolean;
  readonly statusCode: number | null;
  readonly timedOut: boolean;
  /** Parsed `Retry-After` header. */
  readonly retryAfterMs: number | null;
  /** One sentence for the customer; null on success. */
  readonly error: string | null;
  /** First bytes of the response; null: no response. */
  readonly responseBody: Buffer | null;
  readonly durationMs: number;
  /** True when a retry cannot succeed. */
  readonly permanent?: boolean;
}

export type NextStep =
  | { readonly state: 'succeeded' }
  | { readonly state: 'failed' }
  | { readonly state: 'pending'; readonly pauseMs: number };

/**
 * The next step of a message after an attempt.
 * @param tries attempts of this schedule so far, this one included.
 * @param spread a random number from 0 to 1.
 */
export function nextStep(result: AttemptResult, tries: number, spread: number): NextStep {
  if (result.succeeded) return { state: 'succeeded' };
  // 410 disables the endpoint, and the message is held instead of failing.
  const pause = attemptPausesMs[result.statusCode === 410 ? 1 : tries];
  if (pause === undefined) return { state: 'failed' };
  const spreadMs = pause * (0.8 + 0.4 * spread);
  const overloaded = result.statusCode === 429 || result.timedOut ? overloadPauseMs : 0;
  const requested = Math.min(result.retryAfterMs ?? 0, longestRequestedPauseMs);
  return { state: 'pending', pauseMs: Math.round(Math.max(spreadMs, overloaded, requested)) };
}
