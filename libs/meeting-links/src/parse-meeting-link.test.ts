import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMeetingLink } from './index.ts';
import type { MeetingLink } from './index.ts';

const simulator = {
  linkHosts: [
    'meet.simulator.localhost:8443',
    'teams.simulator.localhost:8443',
    'zoom.simulator.localhost:8443',
    'meet.simulator.test',
    'rooms.simulator.test',
  ],
};

function linkOf(text: string, options = {}): MeetingLink {
  const response = parseMeetingLink(text, options);
  if (!response.accepted) throw new Error(`${text} was refused: ${response.reason}`);
  return response.link;
}
function reasonOf(text: string, options = {}): string {
  const response = parseMeetingLink(text, options);
  return response.accepted ? `accepted as ${response.link.canonicalUrl}` : response.reason;
}

const meetup = 'https://teams.microsoft.com/l/meetup-join';
const threadId = '19:meeting_NzY0@thread.v2';
const tenant = '5c7d0b28-bdf8-410c-aa93-4df372b16203';
const organizer = '9f2a3b4c-bdf8-410c-aa93-4df372b16203';
const context = encodeURIComponent(JSON.stringify({ Tid: tenant, Oid: organizer }));
const teamsCanonical = `${meetup}/${encodeURIComponent(threadId)}/0?context=${context}`;
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

describe('a Google Meet link', () => {
  test.each([
    'https://meet.google.com/abc-defg-hij',
    'https://meet.google.com/ABC-defg-hij/',
    'https://meet.google.com/abc-defg-hij?authuser=1&hs=122#x',
    ' <https://meet.google.com/abc-defg-hij> ',
    'HTTPS://MEET.GOOGLE.COM:443/abc-defg-hij',
    'https://www.google.com/url?q=https%3A%2F%2Fmeet.google.com%2Fabc-defg-hij&sa=D',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmeet.google.com%2Fabc-defg-hij&data=1',
  ])('%s leads to its meeting', (text) => {
    expect(linkOf(text)).toEqual({
      platform: 'meet',
      meetingId: 'abc-defg-hij',
      canonicalUrl: 'https://meet.google.com/abc-defg-hij',
      joinUrl: 'https://meet.google.com/abc-defg-hij',
      simulated: false,
    });
  });

  test('may carry a Workspace nickname', () => {
    expect(linkOf('https://meet.google.com/weekly-standup').meetingId).toBe('weekly-standup');
  });

  test.each([
    ['https://meet.google.com/', /no meeting code/],
    ['https://meet.google.com/lookup/abcdef', /lookup/],
    ['https://meet.google.com/new', /starts a new meeting/],
    ['https://meet.google.com/landing', /abc-defg-hij/],
    ['https://meet.google.com/abc-defg-hij/more', /nothing but the meeting code/],
    ['https://meet.google.com/a', /abc-defg-hij/],
    ['https://meet.google.com/abc-defg-hij%00', /abc-defg-hij/],
    ['https://meet.google.com:8443/abc-defg-hij', /port/],
  ])('%s is refused for what is wrong', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});

describe('a Teams link', () => {
  test.each([
    teamsCanonical,
    `${meetup}/${threadId}/0?context=${context}&anon=true`,
    `https://teams.microsoft.com/v2/?meetingjoin=true#/l/meetup-join/${threadId}/0?context=${context}&anon=true`,
    `https://teams.microsoft.com/dl/launcher/launcher.html?url=${encodeURIComponent(`/_#/l/meetup-join/${threadId}/0?context=${context}`)}&type=meetup-join`,
    `https://teams.microsoft.com/light-meetings/launch?coords=${encodeURIComponent(base64({ conversationId: threadId, tenantId: tenant, organizerId: organizer }))}`,
  ])('in the form %s gives the one canonical link', (text) => {
    expect(linkOf(text)).toMatchObject({ platform: 'teams', meetingId: threadId, canonicalUrl: teamsCanonical });
  });

  test.each([
    ['https://teams.live.com/meet/9312345678901?p=AbC123', 'https://teams.live.com/meet/9312345678901'],
    ['https://teams.microsoft.com/meet/21345678901?p=AbC123', 'https://teams.microsoft.com/meet/21345678901'],
    [
      `https://teams.microsoft.com/dl/launcher/launcher.html?url=/_#/meet/21345678901?p=AbC123&anon=true&type=meet`,
      'https://teams.microsoft.com/meet/21345678901',
    ],
    [
      `https://teams.live.com/light-meetings/launch?coords=${base64({ meetingCode: '9312345678901', passcode: 'AbC123' })}`,
      'https://teams.live.com/meet/9312345678901',
    ],
  ])('%s keeps its passcode for joining', (text, canonicalUrl) => {
    expect(linkOf(text)).toMatchObject({ canonicalUrl, joinUrl: `${canonicalUrl}?p=AbC123` });
  });

  test.each([
    [`${meetup}/${threadId}/0`, /context/],
    [`${meetup}/19:unknown/0?context=${context}`, /thread/],
    ['https://teams.microsoft.com/meet/21345678901', /passcode/],
    ['https://teams.microsoft.com/meet/21345678901?p=a&p=b', /more than once/],
    ['https://teams.microsoft.com/light-meetings/launch?coords=!!!', /coordinates/],
    ['https://teams.microsoft.com/l/channel/19:x', /no meeting/],
    [`https://teams.live.com/light-meetings/launch?coords=${base64({ meetingCode: '\ud800' })}`, /meeting number/],
  ])('%s is refused for what is wrong', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});

describe('a Zoom link', () => {
  test.each([
    'https://zoom.us/j/12345678901?pwd=AbC123.1',
    'https://us02web.zoom.us/w/12345678901?pwd=AbC123.1&uname=x',
    'https://company.zoom.com/wc/join/12345678901?pwd=AbC123.1',
    'https://app.zoom.us/wc/12345678901/join?fromPWA=1&pwd=AbC123.1',
  ])('%s leads to its meeting with its passcode', (text) => {
    expect(linkOf(text)).toMatchObject({
      platform: 'zoom',
      meetingId: '12345678901',
      canonicalUrl: 'https://zoom.us/j/12345678901',
      joinUrl: 'https://app.zoom.us/wc/12345678901/join?pwd=AbC123.1',
    });
  });

  test('of the government service stays there', () => {
    expect(linkOf('https://www.zoomgov.com/j/1600000000').joinUrl).toBe('https://app.zoomgov.com/wc/1600000000/join');
  });

  test.each([
    ['https://events.zoom.us/ev/abc', /Events/],
    ['https://zoom.us/my/someone', /meeting number/],
    ['https://zoom.us/j/1234', /9 to 11 digits/],
    ['https://zoom.us/pricing', /looks like/],
    ['https://notzoom.us/j/12345678901', /^The meeting link is not on .*Google Meet/],
  ])('%s is refused for what is wrong', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});

describe('a simulator link', () => {
  test('is rewritten to the real form and flagged', () => {
    expect(linkOf('https://meet.simulator.localhost:8443/abc-defg-hij', { simulator })).toEqual({
      platform: 'meet',
      meetingId: 'abc-defg-hij',
      canonicalUrl: 'https://meet.simulator.localhost:8443/abc-defg-hij',
      joinUrl: 'https://meet.google.com/abc-defg-hij',
      simulated: true,
    });
    expect(linkOf('https://meet.simulator.test:9999/abc-defg-hij', { simulator }).simulated).toBe(true);
  });

  test('begins with its platform, whose own links it takes', () => {
    expect(linkOf('https://teams.simulator.localhost:8443/meet/1234567890123?p=secret', { simulator })).toEqual({
      platform: 'teams',
      meetingId: '1234567890123',
      canonicalUrl: 'https://teams.simulator.localhost:8443/meet/1234567890123',
      joinUrl: 'https://teams.microsoft.com/meet/1234567890123?p=secret',
      simulated: true,
    });
    expect(linkOf('https://zoom.simulator.localhost:8443/j/12345678901?pwd=abc.1', { simulator })).toEqual({
      platform: 'zoom',
      meetingId: '12345678901',
      canonicalUrl: 'https://zoom.simulator.localhost:8443/j/12345678901',
      joinUrl: 'https://app.zoom.us/wc/12345678901/join?pwd=abc.1',
      simulated: true,
    });
  });

  test.each([
    ['without a simulator', 'https://meet.simulator.localhost:8443/abc-defg-hij', {}],
    ['on another port', 'https://meet.simulator.localhost:8444/abc-defg-hij', { simulator }],
    ['on another host', 'https://evil.meet.simulator.localhost:8443/abc-defg-hij', { simulator }],
    ['with more than a code', 'https://meet.simulator.localhost:8443/abc-defg-hij/x', { simulator }],
    ['on a host without a platform', 'https://rooms.simulator.test/abc-defg-hij', { simulator }],
    ['over http', 'http://meet.simulator.localhost:8443/abc-defg-hij', { simulator }],
  ])('%s is refused', (_what, text, options) => {
    expect(parseMeetingLink(text, options).accepted).toBe(false);
  });

  test('does not change what a real link means', () => {
    expect(linkOf('https://meet.google.com/abc-defg-hij', { simulator }).simulated).toBe(false);
  });
});

test.each(['/meet/1234567890123?p=abC12', teamsCanonical.slice('https://teams.microsoft.com'.length)])(
  'the hosts of one cloud of Teams have one canonical link, and the link that is joined keeps its host (%s)',
  (path) => {
    const [former, current] = ['teams.microsoft.com', 'teams.cloud.microsoft'].map((host) =>
      linkOf(`https://${host}${path}`),
    );
    expect(current?.canonicalUrl).toBe(former?.canonicalUrl);
    expect(current?.joinUrl).toBe(former?.joinUrl.replace('teams.microsoft.com', 'teams.cloud.microsoft'));
    expect(linkOf(`https://gov.teams.microsoft.us${path}`).canonicalUrl).not.toBe(former?.canonicalUrl);
  },
);

describe('a hostile text', () => {
  test.each([
    ['', /empty/],
    ['http://meet.google.com/abc-defg-hij', /https/],
    ['javascript:alert(1)', /https/],
    ['meet.google.com/abc-defg-hij', /https/],
    ['https://user:secret@meet.google.com/abc-defg-hij', /user name/],
    ['https://meet.google.com@evil.example/abc-defg-hij', /user name/],
    ['https://meet.google.com.evil.example/abc-defg-hij', /not on/],
    ['https://meet.google.com./abc-defg-hij', /not on/],
    ['https:\\\\meet.google.com\\abc-defg-hij', /backslash/],
    ['https://meet.google.com/abc-defg-hij https://evil.example', /space/],
    ['https://meet.google.com/abc-\tdefg-hij', /space/],
    ['https://meet.google.com/abc-defg\u200b-hij', /invisible/],
    ['https://127.0.0.1/abc-defg-hij', /not on/],
    ['https://[::1]/abc-defg-hij', /not on/],
    ['https://', /valid address/],
    ['https://google.com/url?q=http%3A%2F%2Fmeet.google.com%2Fabc-defg-hij', /https/],
  ])('%j is refused for what is wrong', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  test('longer than any link is refused unread', () => {
    expect(reasonOf(`https://meet.google.com/${'a'.repeat(5_000)}`)).toMatch(/longer/);
  });

  test('of any kind never throws, and what is accepted is joined over https on a known host', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .tuple(
          fc.constantFrom('https://meet.google.com/', `${meetup}/`, 'https://zoom.us/j/', 'https://zoom.us/wc/'),
          fc.string(),
        )
        .map(([start, rest]) => start + rest),
    );
    fc.assert(
      fc.property(odd, (text) => {
        const response = parseMeetingLink(text, { simulator });
        if (!response.accepted) return;
        expect(new URL(response.link.joinUrl).protocol).toBe('https:');
        expect(new URL(response.link.joinUrl).hostname).toMatch(
          /^(meet\.google\.com|teams\.microsoft\.com|app\.zoom\.us)$/,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('links that were accepted mean the same when read again', () => {
    for (const text of [teamsCanonical, 'https://meet.google.com/abc-defg-hij', 'https://zoom.us/j/12345678901']) {
      expect(linkOf(linkOf(text).canonicalUrl)).toEqual(linkOf(text));
    }
  });
});
