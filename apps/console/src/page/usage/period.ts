const dayMs = 86_400_000;
const usualDays = 31;

/** Days in UTC, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The days of the address; default: the last 31. */
export function periodOf(search: URLSearchParams, now: number): Period {
  const to = dayIn(search.get('to')) ?? dayOf(now);
  return { from: dayIn(search.get('from')) ?? dayOf(Date.parse(to) - (usualDays - 1) * dayMs), to };
}

/** For the API: until the beginning of the day after. */
export function queryOf({ from, to }: Period): { ended_after: string; ended_before: string } {
  return { ended_after: `${from}T00:00:00.000Z`, ended_before: new Date(Date.parse(to) + dayMs).toISOString() };
}

/** Each day of the period; of a long one, the last 366. */
export function daysOf({ from, to }: Period): string[] {
  const count = Math.min(366, Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1));
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(to) - (count - 1 - index) * dayMs));
}

/** The first of so many days that end now. */
export function lastDays(count: number, now: number): string {
  return dayOf(now - (count - 1) * dayMs);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function dayIn(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}
