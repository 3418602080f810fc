import { isWithinAny, judgeGuests } from '../guests/judge-guest.ts';
import type { Judged } from '../guests/judge-guest.ts';
import type { EventRow, RuleConditions } from '../schema/entities.ts';

type MatchedEvent = Pick<
  EventRow,
  | 'calendar_id'
  | 'title'
  | 'is_private'
  | 'is_organizer'
  | 'own_response'
  | 'kind'
  | 'meeting_platform'
  | 'organizer_email'
> &
  Judged;

export interface RuleMatch {
  readonly matches: boolean;
  /** A sentence per evaluated condition, up to the first that does not hold. */
  readonly reasons: readonly string[];
}

/** In characters: the searched part of a title. Providers allow fewer. */
const longestTitle = 2_000;

/** Rules never match private events: a bot there requires an explicit request. */
export function matchRule(conditions: RuleConditions, event: MatchedEvent): RuleMatch {
  const reasons: string[] = [];
  for (const [holds, yes, no] of checksOf(conditions, event)) {
    reasons.push(holds ? yes : no);
    if (!holds) return { matches: false, reasons };
  }
  return { matches: true, reasons };
}

type Check = readonly [holds: boolean, yes: string, no: string];

function checksOf(conditions: RuleConditions, event: MatchedEvent): Check[] {
  const { only_accepted, external_guests, title_contains, organizer_email, platforms, calendar_id } = conditions;
  const checks: Check[] = [
    [!event.is_private, 'The event is not private.', 'The event is private.'],
    ...exclusionsOf(conditions, event),
  ];
  if (calendar_id !== null)
    checks.push([event.calendar_id === calendar_id, 'It is in the calendar.', 'It is in another calendar.']);
  if (only_accepted) {
    const isAccepted = event.own_response === 'accepted' || (event.is_organizer && event.own_response !== 'declined');
    checks.push([isAccepted, 'The account accepted it or organizes it.', 'The account has not accepted it.']);
  }
  if (external_guests) checks.push([hasExternalGuests(event), 'It has external guests.', 'It has no external guests.']);
  if (title_contains !== null) {
    const holds = titleContains(event, title_contains);
    checks.push([holds, 'The title contains the text.', 'The title does not contain the text.']);
  }
  if (organizer_email !== null) {
    const holds = event.organizer_email?.toLowerCase() === organizer_email.toLowerCase();
    checks.push([holds, 'The organizer is the one named.', 'The organizer is another one.']);
  }
  if (platforms !== null) {
    const holds = platforms.some((platform) => platform === event.meeting_platform);
    checks.push([holds, 'The meeting is on one of the platforms.', 'The meeting is on another platform.']);
  }
  return checks;
}

const responses = {
  accepted: 'The account accepted it.',
  declined: 'The account declined it.',
  tentative: 'The account accepted it tentatively.',
  needsAction: 'The account has not responded.',
};
const kinds = {
  meeting: '',
  out_of_office: 'It is an absence (out of office).',
  focus_time: 'It is focus time.',
  working_location: 'It is a working location.',
};

/** Only exclusions that are not met by every event have a reason when they do not apply. */
function exclusionsOf(conditions: RuleConditions, event: MatchedEvent): Check[] {
  const { exclude_responses, exclude_kinds, exclude_titles, exclude_guests } = conditions;
  const response = event.own_response as keyof typeof responses | null;
  const title = exclude_titles.find((text) => titleContains(event, text));
  const guest = exclude_guests.length === 0 ? undefined : excludedGuest(event, exclude_guests);
  const excluded = [
    response !== null && exclude_responses.includes(response) ? responses[response] : null,
    exclude_kinds.some((kind) => kind === event.kind) ? kinds[event.kind] : null,
    title === undefined ? null : `The title contains "${title}".`,
    guest === undefined ? null : `${guest} is invited.`,
  ].filter((reason) => reason !== null);
  return excluded.map((reason): Check => [false, '', `Excluded: ${reason}`]);
}

/** A guest with one of these addresses or domains who has not declined. */
function excludedGuest({ attendees }: MatchedEvent, given: readonly string[]): string | undefined {
  const wanted = given.map((text) => text.trim().toLowerCase().replace(/^@/, ''));
  return attendees?.find(
    ({ email, response_status }) =>
      response_status !== 'declined' && (wanted.includes(email.toLowerCase()) || isWithinAny(email, wanted)),
  )?.email;
}

function titleContains({ title }: MatchedEvent, text: string): boolean {
  return title.slice(0, longestTitle).toLowerCase().includes(text.toLowerCase());
}

/** Cached by attendees, which all rules of an event share. */
const known = new WeakMap<object, boolean>();

function hasExternalGuests(event: MatchedEvent): boolean {
  if (event.attendees === null) return false;
  const holds = known.get(event.attendees) ?? judgeGuests(event).some(({ kind }) => kind === 'external');
  known.set(event.attendees, holds);
  return holds;
}
