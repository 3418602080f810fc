import { z } from 'zod';
import { meetingPlatform } from '@rapporteur/contracts';

/** Conditions of a rule; all that are set must hold. */
export const ruleConditions = z.object({
  only_accepted: z.boolean().default(false),
  external_guests: z.boolean().default(false),
  title_contains: z.string().min(1).max(255).nullable().default(null),
  organizer_email: z.string().min(3).max(254).nullable().default(null),
  platforms: z.array(meetingPlatform).min(1).nullable().default(null),
  calendar_id: z.uuid().nullable().default(null),
});
export type RuleConditions = z.infer<typeof ruleConditions>;
