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
    expect(search(text)).toMatchObject({ links: [], problem: null, meetingKey: null });
  });

  test('says so when only the first part is read', () => {
    expect(search(`${' '.repeat(longestText)}${meet}`)).toMatchObject({ links: [], problem: /not read/ as never });
  });
});

describe('a passcode beside the link', () => {
  const bare = 'https://acme.zoom.us/j/81234567890';
  const withCode = (passcode: string) => [`${bare}?pwd=${passcode}`];
  test.each([
    ['<link>\nMeeting ID: 812 3456 7890\nPasscode: 493817', '493817'],
    ['Join Zoom Meeting<br><link><br><br>Meeting ID: 812 3456 7890<br>Passcode: aB3@x-9*<br>', 'aB3%40x-9*'],
    ['<p><a href="<link>">Join</a></p><p><b>Passcode:</b>&nbsp;493817</p>', '493817'],
    ['<link> (Passcode 493817)', '493817'],
    ['Passcode: 493817. Link: <link>', '493817'],
    ['<link> password is 493817, see you', '493817'],
    ['<link>\nMeeting-ID: 812 3456 7890\nKenncode: 493817', '493817'],
    ['<link>\nID de réunion : 812 3456 7890\nCode secret : 493817', '493817'],
    ['<link>\nID de reunión: 812 3456 7890\nCódigo de acceso: 493817', '493817'],
    ['<link>\nミーティング ID: 812 3456 7890\nパスコード: 493817', '493817'],
    ['<link>\n会议号：812 3456 7890\n密码：493817', '493817'],
    // A language without an entry in the list of labels.
    ['<link>\nFundar-ID: 812 3456 7890\nAðgangsorð: 493817', '493817'],
    ['<link>\nID / code: 812-3456-7890 / 493817', '493817'],
    [
      '<link>\nMeeting ID: 812 3456 7890\nPasscode: aB3x9\nDial: +1 309\nMeeting ID: 812 3456 7890\nPasscode: 123456',
      'aB3x9',
    ],
  ])('of %j is added to it', (text, passcode) => {
    const found = search(text.replaceAll('<link>', () => bare));
    expect(found.links.map(({ url }) => url)).toEqual(withCode(passcode));
    expect(found).toMatchObject({ lacksPasscode: false, meetingKey: 'https://zoom.us/j/81234567890' });
  });

  test.each([
    '<link>',
    '<link>\nMeeting ID: 812 3456 7890\nTime: 10:00',
    '<link>\nMeeting ID: 812 3456 7890\nDate: 2031-05-04',
    '<link>\nPasscode: ask Ada',
    '<link>\nA passcode is required to join.',
    '<link>\nPasscode: none',
    '<link>\nFind your local number: https://us02web.zoom.us/u/kbXyZ',
  ])('is said to be missing where %j has none', (text) => {
    const found = search(text.replaceAll('<link>', () => bare));
    expect(found.links.map(({ url }) => url)).toEqual([bare]);
    expect(found.lacksPasscode).toBe(true);
  });

  test('is that of its own meeting where an event has two', () => {
    const other = 'https://acme.zoom.us/j/99988877766';
    const text = `${bare}\nMeeting ID: 812 3456 7890\nPasscode: 111111\n${other}\nMeeting ID: 999 8887 7766\nPasscode: 222222`;
    expect(urlsOf(text)).toEqual([`${bare}?pwd=111111`, `${other}?pwd=222222`]);
  });

  test('of a wrapped link is added to the link inside', () => {
    const text = `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(bare)}&data=x Passcode: 493817`;
    expect(search(text)).toMatchObject({ meetingKey: 'https://zoom.us/j/81234567890', lacksPasscode: false });
  });
});

describe('a number and a passcode without a link', () => {
  test.each([
    [
      'Microsoft Teams meeting. Meeting ID: 234 567 890 123 4 Passcode: aB3dE9',
      'teams.microsoft.com/meet/2345678901234?p=aB3dE9',
    ],
    [
      'Microsoft Teams-Besprechung\nBesprechungs-ID: 234 567 890 123\nKennung: aB3dE9',
      'teams.microsoft.com/meet/234567890123?p=aB3dE9',
    ],
    [
      'https://teams.microsoft.com/meet/2345678901234\nPasscode: aB3dE9',
      'teams.microsoft.com/meet/2345678901234?p=aB3dE9',
    ],
    ['We meet on Zoom. Meeting ID: 812 3456 7890, passcode: 493817', 'zoom.us/j/81234567890?pwd=493817'],
  ])('of %j are a link', (text, url) => {
    expect(urlsOf(text)).toEqual([`https://${url}`]);
  });

  test('are none without the passcode, and the reason is stated', () => {
    const { links, problem } = search('Microsoft Teams meeting. Meeting ID: 234 567 890 123 4');
    expect(links).toEqual([]);
    expect(problem).toContain('passcode');
  });

  test.each(['Call the Zoom team: 555 123 4567', 'Invoice for Teams: 2031 0504 1234', 'Order number: 123 456 789 012'])(
    '%j is no meeting',
    (text) => {
      expect(search(text)).toMatchObject({ links: [], problem: null });
    },
  );
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
    filled('Passcode: ', 'https://zoom.us/j/81234567890 '),
    filled('81234567890 ', 'https://zoom.us/j/81234567890 '),
    filled('8', 'https://zoom.us/j/81234567890 '),
    filled('<b ', 'https://zoom.us/j/81234567890 '),
    filled('a: 123 456 789 ', 'zoom '),
    filled('/meet/', 'teams '),
  ];
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('of %j takes less than 50 ms', (_start, text) => {
    expect(cpuMsOfReading((input) => search(input), text, 49)).toBeLessThan(50);
  });
});
