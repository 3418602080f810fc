import { invalid, parseDateTime } from '@rapporteur/service-runtime';

const field = 'join_at';
const earliestMs = 60_000;
/** Allowance for the time that a valid request takes to arrive. */
const inTransitMs = 5_000;
const latestMs = 90 * 24 * 3_600_000;

/** Parses a join time of the v2 API: about a minute to 90 days ahead. Throws VALIDATION that names the field. */
export function readJoinAt(text: string, nowMs: number): Date {
  const joinAt = readTime(text, nowMs);
  if (joinAt.getTime() < nowMs + earliestMs - inTransitMs) {
    throw invalid(field, 'It must be at least 1 minute ahead. To send a bot now, create it without a schedule.');
  }
  return joinAt;
}

/** Parses a start time of the legacy API, which has no minimum notice: a past time means now. */
export function readLegacyStart(text: string, nowMs: number): Date {
  return new Date(Math.max(nowMs, readTime(text, nowMs).getTime()));
}

function readTime(text: string, nowMs: number): Date {
  const parsed = parseDateTime(text);
  if (parsed === null) throw invalid(field, 'It is not a time. Send ISO 8601 with a time zone.');
  const time = new Date(parsed);
  if (time.getTime() > nowMs + latestMs) throw invalid(field, 'It must be at most 90 days ahead.');
  return time;
}
