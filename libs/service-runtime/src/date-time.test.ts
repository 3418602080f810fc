import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dateTime, parseDateTime } from './date-time.ts';

const digits = (most: number, width = 2) =>
  fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(width, '0'));
const fraction = fc.stringMatching(/^(\.\d{1,12})?$/);
const offset = fc.oneof(
  fc.constantFrom('Z', 'z'),
  fc.tuple(fc.constantFrom('+', '-'), digits(23), digits(59)).map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
);
/** A day that every month has, so that all of these are valid date-times. */
const day = fc.tuple(digits(9_999, 4), digits(11), digits(27)).map(([year, month, date]) => {
  return `${year}-${String(Number(month) + 1).padStart(2, '0')}-${String(Number(date) + 1).padStart(2, '0')}`;
});
const clock = fc.tuple(digits(23), digits(59), digits(59)).map((parts) => parts.join(':'));

describe('a date-time', () => {
  test('of the grammar is the instant that JavaScript reads, with its microseconds', () => {
    fc.assert(
      fc.property(day, fc.constantFrom('T', 't'), clock, fraction, offset, (date, separator, time, part, zone) => {
        const parsed = parseDateTime(`${date}${separator}${time}${part}${zone}`);
        const read = new Date(`${date}T${time}${zone.toUpperCase()}`);
        const year = read.getUTCFullYear();
        if (year < 1 || year > 9_999) return expect(parsed).toBeNull();
        const micros = part.slice(1, 7).padEnd(6, '0');
        expect(parsed).toBe(`${read.toISOString().slice(0, 19)}.${micros}Z`);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is compared as a text in the order of its instant', () => {
    fc.assert(
      fc.property(day, clock, offset, day, clock, offset, (...parts) => {
        const [left, right] = [parts.slice(0, 3), parts.slice(3)].map(([date, time, zone]) =>
          parseDateTime(`${date}T${time}${zone}`),
        );
        if (left == null || right == null) return;
        expect(left < right).toBe(Date.parse(left) < Date.parse(right));
      }),
    );
  });

  test.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T15:59:60.5-08:00', '2017-01-01T00:00:00.500000Z'],
    ['2026-11-21T09:00:00-16:00', '2026-11-22T01:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000000Z'],
  ])('%s is %s', (text, instant) => expect(parseDateTime(text)).toBe(instant));

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T12:60:00Z',
    '2026-01-01T12:00:61Z',
    '2026-01-01T12:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01 00:00:00Z',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '+12026-01-01T00:00:00Z',
    '2026-01-01',
    '1767225600',
    '',
  ])('%j is none', (text) => {
    expect(parseDateTime(text)).toBeNull();
    expect(dateTime.safeParse(text).error?.issues[0]?.message).toContain('RFC 3339');
  });

  test('is never half read: any text is a canonical instant or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\dTZtz:.+-]{1,40}$/)), (text) => {
        const parsed = parseDateTime(text);
        if (parsed !== null) expect(parseDateTime(parsed)).toBe(parsed);
      }),
    );
  });
});
