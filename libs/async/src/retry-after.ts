/** No server decides for longer. */
const longestMs = 86_400_000;

/**
 * Milliseconds until the time in a `Retry-After` header, in seconds or as a date, at most a day; null when it is
 * neither.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Math.min(longestMs, Number(header) * 1_000);
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.min(longestMs, Math.max(0, at - nowMs));
}
