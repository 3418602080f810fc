import { z } from 'zod';

const grammar = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const minuteMs = 60_000;
const microsecondDigits = 6;

/**
 * Parses a date-time of RFC 3339 and returns the instant in UTC as `YYYY-MM-DDTHH:MM:SS.ffffffZ`, a form that
 * JavaScript, PostgreSQL and a comparison of texts support. Digits below the microsecond are cut off; a leap second is
 * the first instant of the next minute. Null for any other text, and for an instant outside of the years 0001 to 9999
 * of UTC.
 */
export function parseDateTime(text: string): string | null {
  const match = grammar.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  // `Date.UTC` treats years below 100 as years of the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second);
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * minuteMs;
  const instant = new Date(date.getTime() - (sign === '-' ? -offsetMs : offsetMs));
  // A leap second is inserted at the end of a day of UTC, so a minute that has one ends at midnight.
  if (second === 60 && instant.getTime() % 86_400_000 !== 0) return null;
  const seconds = instant.toISOString().slice(0, -'.000Z'.length);
  if (!/^(?!0000)\d{4}-/.test(seconds)) return null;
  return `${seconds}.${fraction.slice(0, microsecondDigits).padEnd(microsecondDigits, '0')}Z`;
}

/** A date-time of a request: RFC 3339 in, the form of `parseDateTime` out. */
export const dateTime = z.string().transform((text, context) => {
  const parsed = parseDateTime(text);
  if (parsed !== null) return parsed;
  context.addIssue({
    code: 'custom',
    message: 'must be a date-time of RFC 3339 with a time zone, in the years 0001 to 9999',
  });
  return z.NEVER;
});
