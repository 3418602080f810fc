import { z } from 'zod';
import { instant, meetingPlatform } from './shapes.ts';

/** Limit of a stored page structure, in bytes. */
export const largestPageStructureBytes = 1_048_576;

/**
 * `page.json` in the evidence of a failed join: the structure of the page that the bot saw, without what participants
 * wrote. `html` has the page's elements, the attributes of an allow-list, and the texts of controls and notices;
 * `data-not-shown` marks elements that were not visible.
 */
export const pageStructure = z.object({
  format: z.literal(1),
  platform: meetingPlatform,
  taken_at: instant,
  host: z.string().nullable(),
  /** The rule of the page reading that matched last. */
  rule: z.string().nullable(),
  /** Version of the page pack that the bot used; null: not known. */
  page_pack_version: z.string().max(129).nullable(),
  /** The page has more than was kept. */
  truncated: z.boolean(),
  html: z.string(),
});
export type PageStructure = z.infer<typeof pageStructure>;
