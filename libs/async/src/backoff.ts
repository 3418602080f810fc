export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Minimum, whatever `longestMs` is: what a server requested in Retry-After. */
  readonly requestedMs?: number | null | undefined;
  /** Random share of the time, from 0 to 1; default 0. */
  readonly jitter?: number;
}

/** Milliseconds until the next attempt after `failures` in a row: `firstMs` after the first, doubled each time. */
export function backoffMs(failures: number, { firstMs, longestMs, requestedMs, jitter = 0 }: BackoffLimits): number {
  const exponential = Math.min(longestMs, firstMs * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return Math.max(requestedMs ?? 0, Math.round(exponential * (1 - jitter * Math.random())));
}
