import { describe, expect, test } from '@jest/globals';
import { readGoogleEvent } from './google/google-events.ts';
import { readGraphEvent } from './microsoft/microsoft-events.ts';
import { readTime, readZone } from './read-time.ts';

const berlin = 'Europe/Berlin';
function timeOf(text: string, zone: string | null = null, calendarZone = berlin) {
  const read = readTime({ text, zone }, calendarZone);
  return read === null ? null : [new Date(read.ms).toISOString(), read.notice?.code ?? null];
}

test('an odd fact about an attendee does not hide the attendee', () => {
  const event = { id: 'e', start: { dateTime: '2027-01-11T09:00:00Z' }, end: { dateTime: '2027-01-11T10:00:00Z' } };
  const account = { accountEmail: 'ada@example.com', timeZone: berlin };
  const google = { email: 'bob@fabrikam.com', self: 'true', resource: 1, responseStatus: 7, displayName: {} };
  const graph = { emailAddress: { address: 'bob@fabrikam.com', name: 7 }, type: 7, status: 'none' };
  for (const item of [
    readGoogleEvent({ ...event, attendees: [google, null] }, account),
    readGraphEvent({ ...event, attendees: [graph, null] }, account),
  ])
    expect(item).toMatchObject({ occurrence: { attendees: [{ email: 'bob@fabrikam.com', name: null }] } });
});

test('titles and names are kept without what shows them as others', () => {
  const event = { id: 'e', start: { dateTime: '2027-01-11T09:00:00Z' }, end: { dateTime: '2027-01-11T10:00:00Z' } };
  const account = { accountEmail: 'ada@example.com', timeZone: berlin };
  const [given, email] = ['\u202e\u200byllaB\n', 'bob@fabrikam.com'];
  const google = { email, displayName: given };
  const graph = { emailAddress: { address: email, name: given } };
  for (const item of [
    readGoogleEvent({ ...event, summary: given, organizer: google, attendees: [google] }, account),
    readGraphEvent({ ...event, subject: given, organizer: graph, attendees: [graph] }, account),
  ])
    expect(item).toMatchObject({
      occurrence: { title: 'yllaB', organizerName: 'yllaB', attendees: [{ email, name: 'yllaB' }] },
    });
});

describe('a time of an event', () => {
  test.each([
    ['2027-01-11T09:00:00Z', null, '2027-01-11T09:00:00.000Z'],
    ['2027-01-11T09:00:00+02:00', 'Asia/Tokyo', '2027-01-11T07:00:00.000Z'],
    ['2027-01-11T09:00:00.0000000', 'UTC', '2027-01-11T09:00:00.000Z'],
    ['2027-01-11T09:00:00', null, '2027-01-11T08:00:00.000Z'],
    ['2027-01-11T09:00:00', 'W. Europe Standard Time', '2027-01-11T08:00:00.000Z'],
    ['2027-01-11T09:00:00', 'Tokyo Standard Time', '2027-01-11T00:00:00.000Z'],
    ['2027-01-11T09:00:00', 'tzone://Microsoft/Utc', '2027-01-11T09:00:00.000Z'],
    ['2027-01-11', null, '2027-01-10T23:00:00.000Z'],
    ['2027-01-11T09:00', 'Asia/Kolkata', '2027-01-11T03:30:00.000Z'],
    ['2027-01-11T24:00:00', 'UTC', '2027-01-12T00:00:00.000Z'],
    ['2027-01-11t09:00:00z', null, '2027-01-11T09:00:00.000Z'],
    ['2027-01-11T09:00:00', ' ', '2027-01-11T08:00:00.000Z'],
  ])('%s in the zone %s is %s', (text, zone, instant) => {
    expect(timeOf(text, zone)).toEqual([instant, null]);
  });

  test.each([
    '',
    'soon',
    '2027',
    '2027-02-30T09:00:00Z',
    '2027-02-30',
    '2027-01-11T25:00:00Z',
    '2027-01-11T09:00:60Z',
    '2027-01-11T09:00:00+99:00',
    '2027-01-11 09:00:00',
    '01/11/2027',
    '2027-W02-1T09:00:00Z',
    '1799658000000',
    ' 2027-01-11T09:00:00Z',
    `2027-01-11T09:00:00.${'0'.repeat(1_000_000)}Z`,
  ])('%.30s is unreadable, and no other time', (text) => {
    expect(timeOf(text)).toBeNull();
  });

  test('in an hour that the clock doubles is the earlier one, and says so', () => {
    expect(timeOf('2026-10-25T02:30:00')).toEqual(['2026-10-25T00:30:00.000Z', 'TIME_DOUBLED']);
    expect(timeOf('2026-11-01T01:30:00', 'Pacific Standard Time')).toEqual([
      '2026-11-01T08:30:00.000Z',
      'TIME_DOUBLED',
    ]);
    expect(timeOf('2026-10-25T02:30:00+01:00')).toEqual(['2026-10-25T01:30:00.000Z', null]);
    expect(readTime({ text: '2026-10-25T02:30:00', zone: null }, berlin)?.notice?.message).toBe(
      'The time 2026-10-25T02:30:00 exists twice in Europe/Berlin, where the clock is put back; the earlier one is used.',
    );
  });

  test('in an hour that the clock skips is as much later, and says so', () => {
    expect(timeOf('2027-03-28T02:30:00')).toEqual(['2027-03-28T01:30:00.000Z', 'TIME_SKIPPED']);
    expect(readTime({ text: '2027-03-28T02:30:00', zone: null }, berlin)?.notice?.message).toBe(
      'The time 2027-03-28T02:30:00 does not exist in Europe/Berlin, where the clock is put forward; 2027-03-28T03:30 is used.',
    );
  });

  test('of a whole day whose midnight is skipped is the beginning of the day', () => {
    expect(timeOf('2026-04-24', null, 'Africa/Cairo')).toEqual(['2026-04-23T22:00:00.000Z', null]);
  });

  test('in a zone that is unknown is in that of the calendar, and says so; without either it is unreadable', () => {
    expect(timeOf('2027-01-11T09:00:00', 'Customized Time Zone')).toEqual([
      '2027-01-11T08:00:00.000Z',
      'TIME_ZONE_UNKNOWN',
    ]);
    expect(timeOf('2027-01-11T09:00:00', 'Nowhere/Town', 'Nowhere/Else')).toBeNull();
  });
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['China Standard Time', 'Asia/Shanghai'],
  ['UTC', 'UTC'],
  ['Etc/GMT', 'UTC'],
  ['', null],
  ['Middle Earth Standard Time', null],
  ['x'.repeat(1_000_000), null],
])('the zone %.30s is %s', (name, zone) => {
  expect(readZone(name)).toBe(zone);
});

const account = { accountEmail: 'ada@example.com', timeZone: berlin };
const doubled = { dateTime: '2026-10-25T02:30:00' };
const later = { dateTime: '2026-10-25T04:30:00Z' };

describe('an event', () => {
  test('of either provider states what became of its time', () => {
    const notices = [{ code: 'TIME_DOUBLED' }];
    const expected = { occurrence: { startMs: Date.UTC(2026, 9, 25, 0, 30), timeNotices: notices } };
    expect(readGoogleEvent({ id: 'e', start: doubled, end: later }, account)).toMatchObject(expected);
    const windows = { ...doubled, timeZone: 'W. Europe Standard Time' };
    const end = { dateTime: '2026-10-25T04:30:00.0000000', timeZone: 'UTC' };
    expect(readGraphEvent({ id: 'e', start: windows, end }, account)).toMatchObject(expected);
  });

  test('of either provider with an unreadable time is unreadable', () => {
    const start = { dateTime: '2027-02-30T09:00:00Z' };
    expect(() => readGoogleEvent({ id: 'e', start, end: later }, account)).toThrow(/start/);
    expect(() => readGraphEvent({ id: 'e', start, end: later }, account)).toThrow(/start/);
    const original = { id: 'e', start: later, end: later, originalStart: 'soon' };
    expect(() => readGraphEvent(original, account)).toThrow(/originalStart/);
  });
});
