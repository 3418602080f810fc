import { judgeGuests } from '../guests/judge-guest.ts';
import type { Judged } from '../guests/judge-guest.ts';
import type { EventRow } from '../schema/entities.ts';
import type { RuleConditions } from '../schema/rule-conditions.ts';

type MatchedEvent = Pick<
  EventRow,
  'calendar_id' | 'title' | 'is_private' | 'is_organizer' | 'own_response' | 'meeting_platform' | 'organizer_email'
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
  const checks: Check[] = [[!event.is_private, 'The event is not private.', 'The event is private.']];
  if (calendar_id !== null)
    checks.push([event.calendar_id === calendar_id, 'It is in the calendar.', 'It is in another calendar.']);
  if (only_accepted) {
    const isAccepted = event.is_organizer || event.own_response === 'accepted';
    checks.push([isAccepted, 'The account accepted it or organizes it.', 'The account has not accepted it.']);
  }
  if (external_guests) checks.push([hasExternalGuests(event), 'It has external guests.', 'It has no external guests.']);
  if (title_contains !== null) {
    const holds = event.title.slice(0, longestTitle).toLowerCase().includes(title_contains.toLowerCase());
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

/** Cached by attendees, which all rules of an event share. */
const known = new WeakMap<object, boolean>();

function hasExternalGuests(event: MatchedEvent): boolean {
  if (event.attendees === null) return false;
  const holds = known.get(event.attendees) ?? judgeGuests(event).some(({ kind }) => kind === 'external');
  known.set(event.attendees, holds);
  return holds;
}
