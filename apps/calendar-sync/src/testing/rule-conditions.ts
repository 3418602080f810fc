import type { RuleConditions } from '../schema/entities.ts';

/** The conditions of a rule that names none: the defaults of the contract. */
export const noConditions: RuleConditions = {
  only_accepted: false,
  external_guests: false,
  title_contains: null,
  organizer_email: null,
  platforms: null,
  calendar_id: null,
  exclude_responses: ['declined'],
  exclude_kinds: ['out_of_office', 'focus_time', 'working_location'],
  exclude_titles: [],
  exclude_guests: [],
};
