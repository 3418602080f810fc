import { describe, expect, test } from '@jest/globals';
import { cpuMsOfReading } from '@rapporteur/testbed';
import { findMeetingLinks, longestText } from './find-meeting-links.ts';
import type { LinkSearch } from './find-meeting-links.ts';

const meet = 'https://meet.google.com/abc-defg-hij';
const zoom = 'https://us02web.zoom.us/j/12345678901?pwd=abc-DEF_123.1';
const context = encodeURIComponent(
  '{"Tid":"5c7d0b28-bdf8-410c-aa93-4df372b16203","Oid":"9f2a3b4c-bdf8-410c-aa93-4df372b16203"}',
);
const teams = `https://teams.microsoft.com/l/meetup-join/19%3ameeting_NzY0%40thread.v2/0?context=${context}`;
const wrapped = `https://urldefense.com/v3/__${zoom}__;!!ABC_1-x!yZ$`;

function search(...texts: string[]): LinkSearch {
  return findMeetingLinks(
    texts.map((text) => ({ text, source: 'organizer' as const })),
    [],
  );
}
const urlsOf = (text: string): string[] => search(text).links.map(({ url }) => url);

describe('what people write around a link', () => {
  const surroundings = [
    '会議：<link>。',
    'オンライン会議（<link>）に参加してください',
    '会议链接：<link>，密码：123',
    '「<link>」',
    '『<link>』、',
    '【<link>】',
    '참가: <link>입니다',
    '“<link>”',
    '„<link>“',
    '«<link>»',
    '‹<link>›…',
    "'<link>'",
    '"<link>"',
    '‘<link>’',
    '`<link>`',
    '**<link>**',
    '**<link>**and more',
    '*<link>*',
    '_<link>_',
    '__<link>__',
    '~~<link>~~',
    '[Join](<link>)',
    '[<link>](<link>)',
    '[<link>]',
    '(<link>).',
    '((<link>))',
    '{<link>}',
    '<<link>>',
    '<<link>|Join>',
    '&lt;<link>&gt;',
    '<a href="<link>">Join</a>',
    "<a href='<link>'>Join</a>",
    '<p><link></p>',
    '<link>.',
    '<link>,',
    '<link>;',
    '<link>!',
    '<link>?!',
    '<link>...',
    '<link>, see you',
    '<link>(Zoom)',
    'Join:<link>;then wait',
    '<link>,https://example.com/notes',
    'https://example.com/?next=<link>',
    '\u200b<link>\u200b',
    '\ufeff<link>\u2060text',
    '<link>\u00ad',
    '<link>\u00a0text',
    '<link>&nbsp;text',
    '<link>&#8203;text',
    '<link>&#x3002;',
    '<link>&mdash;join',
    '<link>&hellip;',
    '&laquo;<link>&raquo;',
    '&rarr; <link>&zwnj;text',
    '<link>&amp;nbsp;text',
    '<link>\u2014the call',
    '<link>\u2013 the call',
    '<link>\u2015',
    '<link>--',
    '<link>\\n',
    '<link>\r\n',
    '<link>\ud800',
    '➡️<link>⬅️',
    'رابط: <link>؟',
  ];
  test.each(surroundings)('%s is no part of it', (around) => {
    for (const link of [meet, zoom, teams]) {
      const { links } = search(around.replaceAll('<link>', () => link));
      expect(links).toMatchObject([{ platform: link === meet ? 'meet' : link === zoom ? 'zoom' : 'teams' }]);
      expect(links[0]?.url.endsWith(link)).toBe(true);
    }
  });

  test.each(['会議：<link>。', '（<link>）', '**<link>**', '(<link>),', '<a href="<link>">x</a>'])(
    '%s is no part of a wrapped link either',
    (around) => {
      expect(urlsOf(around.replaceAll('<link>', () => wrapped))).toEqual([wrapped]);
    },
  );

  test.each([
    [zoom.replace('?', '?uname=x&amp;'), zoom.replace('?', '?uname=x&')],
    [meet.replace('https', 'HTTPS'), meet],
    [meet.replace('https', 'http'), meet],
    ['Zoom:us02web.zoom.us/j/12345678901?pwd=a.1', 'https://us02web.zoom.us/j/12345678901?pwd=a.1'],
    ['meet.google.com/abc-defg-hij', meet],
    ['（meet.google.com/abc-defg-hij）', meet],
    ['https:\\/\\/meet.google.com\\/abc-defg-hij', meet],
    ['https&colon;&sol;&sol;meet.google.com&sol;abc-defg-hij&period;', meet],
    [`${meet}@10:00`, meet],
    [`${meet}:30`, meet],
    [zoom.replace('?', '?uname=x&amp;amp;'), zoom.replace('?', '?uname=x&')],
    [teams.replace('https://teams.microsoft.com', 'msteams:'), teams],
    [teams.replace('https', 'msteams'), teams],
    [
      'zoommtg://zoom.us/join?action=join&confno=12345678901&pwd=a.1',
      'https://zoom.us/join?action=join&confno=12345678901&pwd=a.1',
    ],
  ])('%s is found as it is opened', (text, url) => {
    expect(urlsOf(text)).toEqual([url]);
  });
});

describe('a text without a link that can be used', () => {
  test.each([
    ['Room: https://acme.zoom.us/my/ada.lovelace', 'personal room'],
    ['https://acme.zoom.us/my/ada （個人）', 'personal room'],
    ['https://zoom.us/j/12345678901?pwd=abc.1Passcode:123', 'damaged'],
    ['https://events.zoom.us/ev/Abc', 'ticket'],
    ['https://protect-us.mimecast.com/s/abc?domain=zoom.us', 'hides the meeting link'],
    [`https://urldefense.com/v3/__https://zoom.us/j/12345678901?pwd=abc*1__;`, 'Proofpoint'],
    ['https://teams.microsoft.com/l/meetup-join/19%3ameeting_NzY0%40thread.v2/0', 'context'],
    ['zoom.us/my/ada', 'personal room'],
  ])('%s states the reason', (text, reason) => {
    const { links, problem } = search(text);
    expect(links).toEqual([]);
    expect(problem).toContain(reason);
  });

  test.each([
    'Lunch in the zoom room',
    'mail no-reply@zoom.us/x',
    'https://us02web.zoom.us/u/kbXyZ',
    'https://support.zoom.us/hc/articles/1',
    'https://docs.zoom.us/doc/abc, https://zoom.us/trust and https://zoom.us/client/latest',
    'https://aka.ms/JoinTeamsMeeting?omkt=en-US',
    'https://teams.microsoft.com/meetingOptions/?organizerId=x',
    'https://example.com/meet/abc',
    '',
  ])('%s states none', (text) => {
    expect(search(text)).toEqual({ links: [], problem: null });
  });

  test('says so when only the first part is read', () => {
    expect(search(`${' '.repeat(longestText)}${meet}`)).toMatchObject({ links: [], problem: /not read/ as never });
  });
});

describe('several links', () => {
  const texts = (organizer: string, calendar: string) =>
    findMeetingLinks(
      [
        { text: organizer, source: 'organizer' },
        { text: calendar, source: 'calendar' },
      ],
      [],
    ).links.map(({ platform, source }) => `${platform} of ${source}`);

  test('of which the organizer wrote one come with that one first', () => {
    expect(texts(zoom, meet)).toEqual(['zoom of organizer', 'meet of calendar']);
    expect(texts(`${teams} or ${zoom}`, teams)).toEqual(['zoom of organizer', 'teams of calendar']);
    expect(texts('no link', meet)).toEqual(['meet of calendar']);
    expect(texts(meet, meet)).toEqual(['meet of calendar']);
  });

  test('to the same meeting are one, with its passcode', () => {
    expect(urlsOf(`https://zoom.us/j/12345678901 and ${zoom}`)).toEqual([zoom]);
  });
});

describe('adversarial text of the greatest length', () => {
  const filled = (unit: string, start = ''): string =>
    (start + unit.repeat(Math.ceil(longestText / unit.length))).slice(0, longestText);
  const hostile = [
    filled(')', 'https://zoom.us/'),
    filled(').', 'https://zoom.us/'),
    filled('*', '**https://zoom.us/'),
    filled('https://'),
    filled('https://zoom.us/'),
    filled('https://zoom.us/j/ '),
    filled('https://zoom.us/my/a '),
    filled(`${'https://zoom.us/('.padEnd(4_000, '([)]')} `),
    filled(`https://a.example/?${'u=https://zoom.us/j/1&'.repeat(180)} `),
    filled(`https://urldefense.com/v3/__https://zoom.us/${'**A'.repeat(1_300)}__;Kio!! `),
    filled(`https://teams.microsoft.com/l/meetup-join/${'%25'.repeat(1_300)} `),
    filled('zoom.us/'),
    filled('zoom'),
    filled('a.', 'zoom'),
    filled('&#38;'),
    filled('&amp;amp;'),
    filled('&amp;amp;amp;colon;'),
    filled('&a'),
    filled('msteams:'),
    filled('zoommtg://zoom.us/'),
    filled('a', 'https://meet.google.com/'),
    filled('&'),
    filled('<'),
    filled('http'),
    filled('meet.google.com/ '),
    filled('__https://zoom.us/j/1__'),
    filled('。'),
    filled('\ud800'),
    filled('aHR0cHM6Ly '),
  ];
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('of %j takes less than 50 ms', (_start, text) => {
    expect(cpuMsOfReading((input) => search(input), text, 49)).toBeLessThan(50);
  });
});
