import { describe, expect, test } from '@jest/globals';
import { parseMeetingLink } from './index.ts';

function readingOf(text: string): string {
  const result = parseMeetingLink(text);
  return result.accepted ? result.link.joinUrl : result.reason;
}

const tenant = '5c7d0b28-bdf8-410c-aa93-4df372b16203';
const organizer = '9f2a3b4c-bdf8-410c-aa93-4df372b16203';
const meetup = (context: string, thread = '19:meeting_NzY0@thread.v2/0'): string =>
  `https://teams.microsoft.com/l/meetup-join/${thread}?context=${context}`;
const light = (coordinates: object): string =>
  `https://teams.live.com/light-meetings/launch?coords=${Buffer.from(JSON.stringify(coordinates)).toString('base64')}`;

describe('the passcode of a Zoom link', () => {
  test.each(['abc-DEF_123.1', 'AbC123.1', 'QUJDREVGR0hJSktMTU5PUA09', '123456', 'a*b@c-_9', 'x', 'abc_', 'ab=='])(
    '%s is kept whole',
    (passcode) => {
      const joined = new URL(readingOf(`https://zoom.us/j/12345678901?uname=x&pwd=${encodeURIComponent(passcode)}`));
      expect(joined.searchParams.get('pwd')).toBe(passcode);
    },
  );

  test('is kept where the link was copied out of HTML', () => {
    expect(readingOf('https://zoom.us/j/12345678901?uname=x&amp;pwd=abc-DEF_123.1')).toContain('?pwd=abc-DEF_123.1');
    expect(readingOf('https://zoom.us/j/12345678901?uname=x&amp;amp;pwd=abc.1')).toContain('?pwd=abc.1');
    expect(readingOf('https://teams.microsoft.com/meet/21345678901?a=1&amp;p=AbC')).toContain('?p=AbC');
    expect(readingOf('https://zoom.us/j/12345678901?pwd=a&amp;pwd=b')).toMatch(/more than once/);
  });

  test('may have a plus sign, which is no space', () => {
    expect(readingOf('https://zoom.us/j/12345678901?pwd=a+b')).toContain('?pwd=a%2Bb');
  });

  test.each([
    'abc-DEF_123.1Passcode',
    'abc.12025-01-01',
    'abc.1.2',
    'abc.1/join',
    'abc.',
    'abc%20def',
    'abc%E3%80%82',
    'abc%ZZ',
    'a'.repeat(300),
  ])('%s is refused, and nothing of it is used', (passcode) => {
    expect(readingOf(`https://zoom.us/j/12345678901?pwd=${passcode}`)).toMatch(/passcode .* damaged/);
  });

  test('that comes twice, and a token of a registrant that is damaged, are refused', () => {
    expect(readingOf('https://zoom.us/j/12345678901?pwd=a&pwd=b')).toMatch(/more than once/);
    expect(readingOf('https://zoom.us/w/12345678901?tk=abc%20def')).toMatch(/token .* damaged/);
    expect(readingOf('https://zoom.us/w/12345678901?tk=aB-c_1.DQYA.x')).toContain('?tk=aB-c_1.DQYA.x');
  });
});

describe('the opaque parts of a Teams link', () => {
  test('are kept as they are, in upper and lower case', () => {
    const context = JSON.stringify({ Tid: tenant.toUpperCase(), Oid: organizer, MessageId: '7' });
    const thread = '19:meeting_AbC-d_E@thread.v2';
    const joined = readingOf(meetup(encodeURIComponent(context), `${thread}/1585`));
    expect(joined).toBe(
      `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(thread)}/1585?context=${encodeURIComponent(context)}`,
    );
    expect(readingOf('https://teams.live.com/meet/93Ab_C?p=X.y~Z-_')).toBe(
      'https://teams.live.com/meet/93Ab_C?p=X.y~Z-_',
    );
  });

  test('of a channel of an earlier generation are accepted', () => {
    const context = encodeURIComponent(JSON.stringify({ Tid: tenant, Oid: organizer }));
    expect(readingOf(meetup(context, '19:abc@thread.skype/1585'))).toContain('thread.skype/1585');
  });

  const whole = encodeURIComponent(JSON.stringify({ Tid: tenant, Oid: organizer }));
  test.each([
    [meetup(`${whole}Meeting`), /context is damaged/],
    [meetup(`${whole}&context=${whole}`), /more than once/],
    [meetup(whole.slice(0, -6)), /context is damaged/],
    [meetup(whole, '19:meeting_NzY0@thread.v2tail/0'), /no meeting thread/],
    [meetup(whole, '19:meeting_NzY0@thread.v2/0/tail'), /damaged behind/],
    [
      meetup(encodeURIComponent(JSON.stringify({ Tid: tenant, Oid: organizer, IsBroadcastMeeting: true }))),
      /live event/,
    ],
    ['https://teams.microsoft.com/meet/21345678901?p=Ab%20C', /passcode .* damaged/],
    ['https://teams.microsoft.com/meet/21345678901tail?p=AbC', /meeting number .* damaged/],
    [light({ meetingCode: '9312345678901', passcode: 'Ab C' }), /passcode .* damaged/],
    [light({ meetingCode: '9312345678901', passcode: 7 }), /passcode .* damaged/],
    [light({ conversationId: '19:a@thread.v2', messageId: 'x', tenantId: tenant, organizerId: organizer }), /damaged/],
  ])('%s is refused', (text, reason) => {
    expect(readingOf(text)).toMatch(reason);
  });
});

describe('the code of a Google Meet link', () => {
  test.each(['abc-defg-hij,extra', 'abc-defg-hij%E3%80%82', 'abc-defg-hij.', 'abc-defg-hij_', 'abc-defg-hij-'])(
    '%s is refused whole',
    (code) => {
      expect(readingOf(`https://meet.google.com/${code}`)).toMatch(/looks like abc-defg-hij/);
    },
  );
});

describe('another form of a link of a platform', () => {
  test.each([
    ['https://company.zoom.us/my/ada.lovelace?pwd=x', 'zoom', 'personal room'],
    ['https://us02web.zoom.us/s/12345678901?zak=secret', 'zoom', 'as its host'],
    ['https://app.zoom.us/wc/12345678901/start', 'zoom', 'as its host'],
    ['https://zoom.us/meeting/register/tZYqcu-hqDMtGNy', 'zoom', 'registration'],
    ['https://zoom.us/webinar/register/WN_abc', 'zoom', 'registration'],
    ['https://events.zoom.us/ev/Abc', 'zoom', 'ticket'],
    ['https://events.zoomgov.com/ev/Abc', 'zoom', 'ticket'],
    ['https://zoom.us/j/', 'zoom', '9 to 11 digits'],
    ['https://uni.zoom-x.de/j/61234567890', 'zoom', 'separate Zoom service on uni.zoom-x.de'],
    ['https://zoom.us/rec/share/abc', null, 'recording'],
    ['https://zoom.us/p/1234567890', 'zoom', 'looks like'],
    ['https://zoom.us/join?confno=1&confno=2', 'zoom', 'more than once'],
    ['https://docs.zoom.us/doc/abc', null, 'looks like'],
    ['https://zoom.us/trust', null, 'looks like'],
    ['https://us02web.zoom.us/u/kbXyZ', null, 'looks like'],
    ['https://support.zoom.us/hc/en-us', null, 'looks like'],
    ['https://events.teams.microsoft.com/event/5c7d@9f2a', 'teams', 'webinar'],
    ['https://www.microsoft.com/en-us/microsoft-teams/join-a-meeting', 'teams', 'meeting ID'],
    ['https://teams.microsoft.com/meetingOptions/?organizerId=x', null, 'no meeting'],
    ['https://meet.google.com/tel/1234567890123', null, 'no meeting'],
    ['https://g.co/meet/weekly', 'meet', 'shortened'],
    ['https://stream.meet.google.com/stream/abc', 'meet', 'live stream'],
    ['https://g.co/calendar', null, 'not on'],
  ])('%s is refused with the true reason', (text, platform, reason) => {
    const result = parseMeetingLink(text);
    expect(result).toMatchObject({ accepted: false, platform });
    expect(readingOf(text)).toContain(reason);
  });

  test.each([
    ['https://my-company.zoom.us/j/12345678901', 'https://app.zoom.us/wc/12345678901/join'],
    ['https://zoom.us/join?confno=12345678901&pwd=a.1', 'https://app.zoom.us/wc/12345678901/join?pwd=a.1'],
    ['https://us02web.zoom.us/launch/jc/12345678901?pwd=a.1', 'https://app.zoom.us/wc/12345678901/join?pwd=a.1'],
    ['https://agency.zoomgov.com/w/1612345678?tk=a.b', 'https://app.zoomgov.com/wc/1612345678/join?tk=a.b'],
  ])('%s is joined', (text, joinUrl) => {
    expect(readingOf(text)).toBe(joinUrl);
  });
});
