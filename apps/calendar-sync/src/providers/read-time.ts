import { DateTime, IANAZone } from 'luxon';
import { findIana } from 'windows-iana';
import type { EventNotice } from '../schema/rows.ts';

export interface WrittenTime {
  /** ISO 8601, with an offset or without. */
  readonly text: string;
  /** Of a text without an offset; null: the calendar's. IANA's name or Windows'. */
  readonly zone: string | null;
}

export interface ReadTime {
  readonly ms: number;
  /** Where the time that was written is none, or two. */
  readonly notice: EventNotice | null;
}

/** In characters. */
const longestTime = 40;
const longestZone = 64;
const local = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/;
const absolute = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-8]):?[0-5]\d)$/;

/**
 * The instant of a time of an event; null: it is unreadable. A local time that a change of the clock doubles is the earlier one,
 * one that it skips is as much later; both are stated in the notice.
 * @param calendarZone of a time that names none, or one that is unknown
 */
export function readTime({ text, zone }: WrittenTime, calendarZone: string): ReadTime | null {
  if (text.length > longestTime) return null;
  if (absolute.test(text)) return instant(DateTime.fromISO(text, { setZone: true }));
  if (!local.test(text)) return null;
  const named = zone === null ? null : readZone(zone);
  const used = named ?? readZone(calendarZone);
  if (used === null) return null;
  const read = DateTime.fromISO(text, { zone: used });
  const result = instant(read);
  if (result === null) return null;
  return { ...result, notice: hourNotice(read, text) ?? zoneNotice(zone, named, used) };
}

/** An all-day event begins with its day, which may begin after midnight. */
function hourNotice(read: DateTime, text: string): EventNotice | null {
  if (!text.includes('T')) return null;
  const zone = String(read.zoneName);
  // Luxon moves a skipped time on, so what it wrote is not what was read.
  const minutes = read.toFormat("yyyy-MM-dd'T'HH:mm");
  if (!text.startsWith(minutes)) {
    const message = `The time ${text} does not exist in ${zone}, where the clock is put forward; ${minutes} is used.`;
    return { code: 'TIME_SKIPPED', message };
  }
  if (read.getPossibleOffsets().length < 2) return null;
  return {
    code: 'TIME_DOUBLED',
    message: `The time ${text} exists twice in ${zone}, where the clock is put back; the earlier one is used.`,
  };
}

function zoneNotice(written: string | null, named: string | null, used: string): EventNotice | null {
  if (written === null || named !== null) return null;
  return {
    code: 'TIME_ZONE_UNKNOWN',
    message: `The time zone ${written.slice(0, longestZone)} is unknown; the zone of the calendar, ${used}, is used.`,
  };
}

function instant(read: DateTime): ReadTime | null {
  const earliest = read.isValid ? Math.min(...read.getPossibleOffsets().map((one) => one.toMillis())) : Number.NaN;
  return Number.isFinite(earliest) ? { ms: earliest, notice: null } : null;
}

/** IANA's name of a time zone, also of one of Windows; null: it is unknown. */
export function readZone(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > longestZone) return null;
  if (/^(?:utc|z|gmt|etc\/(?:utc|gmt)|tzone:\/\/microsoft\/utc)$/i.test(trimmed)) return 'UTC';
  const [windows] = findIana(trimmed);
  if (windows !== undefined) return windows;
  return IANAZone.isValidZone(trimmed) ? trimmed : null;
}

/** Of one event: each once. */
export function noticesOf(times: readonly (ReadTime | null)[]): EventNotice[] {
  const notices = times.map((time) => time?.notice ?? null).filter((notice) => notice !== null);
  return [...new Map(notices.map((notice) => [notice.message, notice])).values()];
}
