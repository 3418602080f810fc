import { describe, expect, test } from '@jest/globals';
import { cpuMsOfReading } from '@rapporteur/testbed';
import { matchRule } from '../bots/match-rule.ts';
import { readGoogleEvent } from '../providers/google/google-events.ts';
import { readGraphEvent } from '../providers/microsoft/microsoft-events.ts';
import { noConditions } from '../testing/rule-conditions.ts';
import type { Attendee, RuleConditions } from '../schema/entities.ts';
import { judgeGuests, readDomain } from './judge-guest.ts';

const attendee = (email: string, over: Partial<Attendee> = {}): Attendee => ({
  email,
  name: null,
  response_status: 'accepted',
  ...over,
});

interface Given {
  readonly account?: string;
  readonly own?: readonly string[] | null;
}
const kindOf = (one: string | Attendee, { account = 'ada@sales.contoso.co.uk', own = null }: Given = {}) =>
  judgeGuests({
    attendees: [typeof one === 'string' ? attendee(one) : one],
    account_email: account,
    own_domains: own,
  })[0]?.kind;

describe('a guest', () => {
  test.each([
    ['bob@sales.contoso.co.uk', 'own'],
    ['BOB@Sales.Contoso.CO.UK', 'own'],
    ['bob@contoso.co.uk', 'own'],
    ['bob@hr.contoso.co.uk', 'own'],
    ['bob@contoso.co.uk.', 'own'],
    ['mailto:bob@contoso.co.uk', 'own'],
    ['bob@othercontoso.co.uk', 'external'],
    ['bob@contoso.com', 'external'],
    ['bob@fabrikam.co.uk', 'external'],
    ['bob@gmail.com', 'external'],
    ['c_1888@resource.calendar.google.com', 'room'],
    ['team@group.calendar.google.com', 'group'],
    ['list@googlegroups.com', 'group'],
    ['12ab.contoso.onmicrosoft.com@amer.teams.ms', 'group'],
    ['bob@contoso.local', 'unknown'],
    ['noreply@calendar.invalid', 'unknown'],
    ['/O=EXCHANGELABS/OU=EXCHANGE ADMINISTRATIVE GROUP/CN=RECIPIENTS/CN=ADA', 'unknown'],
    ['EX:/o=ExchangeLabs/ou=x/cn=ada@fabrikam.com', 'unknown'],
    ['IMCEAEX-_o=ExchangeLabs_cn=ada@eurprd01.prod.outlook.com', 'unknown'],
    ['ada', 'unknown'],
    ['ada@', 'unknown'],
    ['@fabrikam.com', 'unknown'],
    ['ada@localhost', 'unknown'],
    ['ada@10.0.0.1', 'unknown'],
    ['', 'unknown'],
    ['bob_fabrikam.com#EXT#@contoso.onmicrosoft.com', 'external'],
    ['bob_contoso.co.uk#EXT#@fabrikam.onmicrosoft.com', 'own'],
    [`${'a'.repeat(400)}@fabrikam.com`, 'unknown'],
  ])('with the address %s is %s', (email, kind) => {
    expect(kindOf(email)).toBe(kind);
  });

  test('that the provider marks as a resource is a room', () => {
    expect(kindOf(attendee('room@fabrikam.com', { resource: true }))).toBe('room');
  });

  test.each([
    ['ada@gmail.com', 'bob@gmail.com', 'external'],
    ['ada@gmail.com', 'ADA@gmail.com', 'own'],
    ['ada@yahoo.co.jp', 'bob@yahoo.co.jp', 'external'],
    ['ada@example.com', 'bob@example.com', 'own'],
    ['ada@contoso.onmicrosoft.com', 'bob@contoso.onmicrosoft.com', 'own'],
    ['ada@contoso.onmicrosoft.com', 'bob@fabrikam.onmicrosoft.com', 'external'],
    ['ada@例え.jp', 'bob@xn--r8jz45g.jp', 'own'],
    ['c_1@group.calendar.google.com', 'bob@fabrikam.com', 'unknown'],
    ['', 'bob@fabrikam.com', 'unknown'],
  ])('of the calendar of %s with the address %s is %s', (account, email, kind) => {
    expect(kindOf(email, { account })).toBe(kind);
  });

  test.each([
    ['bob@fabrikam.com', 'own'],
    ['bob@de.fabrikam.com', 'own'],
    ['bob@contoso.co.uk', 'external'],
  ])('%s is %s to a team with other own domains', (email, kind) => {
    expect(kindOf(email, { own: ['fabrikam.com'] })).toBe(kind);
    expect(kindOf('bob@contoso.local', { own: ['contoso.local'] })).toBe('own');
  });

  test('has a reason', () => {
    const guests = judgeGuests({
      attendees: [attendee('bob@fabrikam.com'), attendee('ada')],
      account_email: 'ada@contoso.com',
      own_domains: null,
    });
    expect(guests).toEqual([
      { email: 'bob@fabrikam.com', kind: 'external', reason: 'fabrikam.com is no own domain.' },
      { email: 'ada', kind: 'unknown', reason: 'Its address has no domain.' },
    ]);
  });
});

test.each([
  [' Example.COM ', 'example.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['com', null],
  ['a@example.com', null],
  ['*.example.com', null],
  ['10.0.0.1', null],
  ['https://example.com', null],
])('the domain %j is read as %j', (text, domain) => {
  expect(readDomain(text)).toBe(domain);
});

const account = { accountEmail: 'ada@example.com', timeZone: 'UTC' };
const when = {
  start: { dateTime: '2027-01-11T09:00:00Z' },
  end: { dateTime: '2027-01-11T09:15:00Z' },
};

function guestsOf(item: ReturnType<typeof readGoogleEvent>) {
  if (item.kind !== 'occurrence') throw new Error('There is no occurrence.');
  return judgeGuests({ attendees: item.occurrence.attendees, account_email: 'ada@example.com', own_domains: null }).map(
    ({ kind }) => kind,
  );
}

describe('booked rooms', () => {
  test('of Google are no guests', () => {
    const attendees = [
      { email: 'ada@example.com', self: true, organizer: true },
      { email: 'bob@example.com' },
      { email: 'c_1@resource.calendar.google.com', displayName: 'Aquarium (6)', resource: true },
      { email: 'room@fabrikam.com', resource: true },
    ];
    expect(guestsOf(readGoogle({ id: 'e1', attendees, ...when }))).toEqual(['own', 'own', 'room', 'room']);
  });

  test('of Microsoft are no guests, by their type or their place', () => {
    const of = (address: string, type: string) => ({ type, emailAddress: { address, name: address } });
    const attendees = [
      of('bob@sub.example.com', 'required'),
      of('room@fabrikam.com', 'resource'),
      of('Board@fabrikam.com', 'required'),
    ];
    const locations = [{ displayName: 'Board', locationEmailAddress: 'board@fabrikam.com' }];
    expect(guestsOf(readGraphEvent({ id: 'E1', attendees, locations, ...when }, account))).toEqual([
      'own',
      'room',
      'room',
    ]);
  });
});

function readGoogle(raw: Parameters<typeof readGoogleEvent>[0] & object) {
  return readGoogleEvent(raw, account);
}

test.each([
  ['fred@fireflies.ai', 'accepted', 'tool'],
  ['notes@eu.otter.ai', 'needsAction', 'tool'],
  ['carl@fabrikam.com', 'declined', 'declined'],
  ['carl@fabrikam.com', 'tentative', 'external'],
  ['ada@notfireflies.ai', 'accepted', 'external'],
] as const)(
  '%s who %s is %s: neither a notetaker nor a guest who declined comes from outside',
  (email, response, kind) => {
    expect(kindOf(attendee(email, { response_status: response }))).toBe(kind);
  },
);

describe('a rule without conditions', () => {
  const bob = { email: 'bob@example.com' };
  const google = (over: object) => readGoogle({ id: 'e1', ...when, organizer: bob, ...over });
  const graph = (over: object) => readGraphEvent({ id: 'E1', ...when, ...over }, account);
  const self = (responseStatus: string) => [{ email: 'ada@example.com', self: true, responseStatus }];
  const reasonFor = (item: ReturnType<typeof readGoogleEvent>, conditions: Partial<RuleConditions> = {}) => {
    if (item.kind !== 'occurrence') throw new Error('There is no occurrence.');
    const { isPrivate, isOrganizer, ownResponse, organizerEmail, ...rest } = item.occurrence;
    const { matches, reasons } = matchRule(
      { ...noConditions, ...conditions },
      {
        ...rest,
        calendar_id: 'c',
        is_private: isPrivate,
        is_organizer: isOrganizer,
        own_response: ownResponse,
        organizer_email: organizerEmail,
        meeting_platform: 'meet',
        account_email: 'ada@example.com',
        own_domains: null,
      },
    );
    return matches ? 'matches' : reasons.at(-1);
  };

  test.each([
    ['declined', google({ attendees: self('declined') })],
    ['declined by its organizer', google({ organizer: { self: true }, attendees: self('declined') })],
    [
      'declined, of a calendar without a mark of the own entry',
      google({ attendees: [{ ...self('declined')[0], self: null, email: 'ADA@example.com' }] }),
    ],
    ['declined', graph({ responseStatus: { response: 'declined' } })],
    [
      'declined by its organizer',
      graph({
        isOrganizer: true,
        responseStatus: { response: 'organizer' },
        attendees: [{ status: { response: 'declined' }, emailAddress: { address: 'Ada@example.com' } }],
      }),
    ],
  ])('does not match an event that is %s, unless it includes declined events', (_what, item) => {
    expect(reasonFor(item)).toBe('Excluded: The account declined it.');
    expect(reasonFor(item, { only_accepted: true })).toBe('Excluded: The account declined it.');
    expect(reasonFor(item, { exclude_responses: [] })).toBe('matches');
    expect(reasonFor(item, { exclude_responses: [], only_accepted: true })).toBe('The account has not accepted it.');
  });

  test.each([
    ['an absence', google({ eventType: 'outOfOffice' })],
    ['focus time', google({ eventType: 'focusTime' })],
    ['a working location', google({ eventType: 'workingLocation' })],
    ['an absence', graph({ showAs: 'oof' })],
    ['a working location', graph({ showAs: 'workingElsewhere' })],
  ])('does not match %s, unless it includes that kind', (what, item) => {
    expect(reasonFor(item)).toContain(what);
    expect(reasonFor(item, { exclude_kinds: [] })).toBe('matches');
  });

  test.each([
    google({ attendees: self('needsAction') }),
    google({ attendees: self('tentative'), eventType: 'fromGmail' }),
    google({ eventType: 'a kind of tomorrow' }),
    graph({ responseStatus: { response: 'notResponded' }, showAs: 'tentative' }),
    graph({ isOrganizer: true, responseStatus: { response: 'organizer' }, showAs: 'free' }),
  ])('matches other events', (item) => {
    expect(reasonFor(item)).toBe('matches');
  });

  test('matches none with an excluded response, title or guest', () => {
    const attendees = [...self('needsAction'), { email: 'carl@eu.fabrikam.com' }];
    const item = google({ summary: 'Weekly 1:1 with Carl', attendees });
    expect(reasonFor(item, { exclude_responses: ['needsAction'] })).toBe('Excluded: The account has not responded.');
    expect(reasonFor(item, { exclude_titles: ['lunch', '1:1'] })).toBe('Excluded: The title contains "1:1".');
    for (const guest of ['fabrikam.com', '@Fabrikam.com', 'CARL@eu.fabrikam.com'])
      expect(reasonFor(item, { exclude_guests: [guest] })).toBe('Excluded: carl@eu.fabrikam.com is invited.');
    expect(reasonFor(item, { exclude_titles: ['lunch'], exclude_guests: ['brikam.com', 'bob@fabrikam.com'] })).toBe(
      'matches',
    );
    const declined = google({ attendees: [{ email: 'carl@fabrikam.com', responseStatus: 'declined' }] });
    expect(reasonFor(declined, { exclude_guests: ['fabrikam.com'] })).toBe('matches');
    expect(reasonFor(declined, { external_guests: true })).toBe('It has no external guests.');
  });
});

test('adversarial attendees, titles and rules take less than 50 ms', () => {
  const hostile = ['@', '.', 'a.', '#ext#', '_', '<', ' ', 'ex:', '\u200b', '例'].map((unit) =>
    attendee(unit.repeat(100_000)),
  );
  const attendees = [
    ...hostile,
    ...Array.from({ length: 1_000 }, (_one, index) => attendee(`a${index}@b${index}.example.org`)),
  ];
  const event = {
    calendar_id: 'c',
    title: 'a'.repeat(1_000_000),
    is_private: false,
    is_organizer: true,
    own_response: null,
    kind: 'meeting' as const,
    meeting_platform: null,
    organizer_email: 'a'.repeat(1_000_000),
    attendees,
    account_email: 'ada@example.org',
    own_domains: null,
  };
  const conditions = {
    ...noConditions,
    external_guests: true,
    title_contains: `b${'a'.repeat(254)}`,
    exclude_titles: Array.from({ length: 50 }, () => `b${'a'.repeat(254)}`),
    exclude_guests: Array.from({ length: 50 }, (_one, index) => `${'b'.repeat(200)}${index}.example`),
  };
  expect(cpuMsOfReading(() => matchRule(conditions, { ...event, attendees: [...attendees] }), event, 49)).toBeLessThan(
    50,
  );
});
