import { DateTime, IANAZone } from 'luxon';
import { findIana } from 'windows-iana';
import type { EventNotice } from '../schema/entities.ts';

export interface WrittenTime {
  /** ISO 8601, with or without an offset. */
  readonly text: string;
  /** Zone of a text without an offset, by IANA or Windows name; null: the calendar's. */
  readonly zone: string | null;
}

export interface ReadTime {
  readonly ms: number;
  /** Set when the local time does not exist, or exists twice. */
  readonly notice: EventNotice | null;
}

/** In characters. */
const longestTime = 40;
const longestZone = 64;
const local = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/;
const absolute = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-8]):?[0-5]\d)$/;

/**
 * The instant of an event's time; null: unreadable. A local time that exists twice is the earlier one; one that a clock
 * change skips is moved forward by the change. The notice states both.
 * @param calendarZone for a time without a zone, or with an unknown one
 */
export function readTime({ text: written, zone: given }: WrittenTime, calendarZone: string): ReadTime | null {
  if (written.length > longestTime) return null;
  const zone = given?.trim() === '' ? null : given;
  // RFC 3339 permits lower case.
  const text = written.toUpperCase();
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
  // 24:00 is the midnight that ends the day.
  if (!text.includes('T') || text.includes('T24')) return null;
  const zone = String(read.zoneName);
  // Luxon moves a skipped time forward, so its output differs from the input.
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

/** The IANA name of a time zone given by its IANA or Windows name; null: unknown. */
export function readZone(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > longestZone) return null;
  if (/^(?:utc|z|gmt|etc\/(?:utc|gmt)|tzone:\/\/microsoft\/utc)$/i.test(trimmed)) return 'UTC';
  const [windows] = findIana(trimmed);
  if (windows !== undefined) return windows;
  return IANAZone.isValidZone(trimmed) ? trimmed : null;
}

/** The notices of one event, without duplicates. */
export function noticesOf(times: readonly (ReadTime | null)[]): EventNotice[] {
  const notices = times.map((time) => time?.notice ?? null).filter((notice) => notice !== null);
  return [...new Map(notices.map((notice) => [notice.message, notice])).values()];
}
