import { z } from 'zod';
import { meetingPlatform } from '@rapporteur/contracts';

const texts = z.array(z.string().min(1).max(255)).max(50).default([]);

/** Conditions of a rule; all that are set must hold, and no exclusion may. */
export const ruleConditions = z.object({
  only_accepted: z.boolean().default(false),
  external_guests: z.boolean().default(false),
  title_contains: z.string().min(1).max(255).nullable().default(null),
  organizer_email: z.string().min(3).max(254).nullable().default(null),
  platforms: z.array(meetingPlatform).min(1).nullable().default(null),
  calendar_id: z.uuid().nullable().default(null),
  exclude_responses: z.array(z.enum(['accepted', 'declined', 'tentative', 'needsAction'])).default(['declined']),
  exclude_kinds: z
    .array(z.enum(['out_of_office', 'focus_time', 'working_location']))
    .default(['out_of_office', 'focus_time', 'working_location']),
  exclude_titles: texts,
  exclude_guests: texts,
});
export type RuleConditions = z.infer<typeof ruleConditions>;
