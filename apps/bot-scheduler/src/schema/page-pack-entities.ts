import type { MeetingPlatformName, PagePackOverlay } from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { column, key, optional } from './columns.ts';

/** The operator's overlay of a platform's page pack. No row: there was none so far. */
export const pagePackEntity = defineTable({
  name: 'page_packs',
  columns: {
    platform: key(text<MeetingPlatformName>(), 'page_packs_key'),
    /** Null: the built-in pack alone. */
    overlay: optional(jsonb<PagePackOverlay>()),
    version: column('text'),
    accepted_at: column('timestamptz'),
    /** What bots outside its share use, and all bots once it is suspended. Null: the built-in pack. */
    previous_overlay: optional(jsonb<PagePackOverlay>()),
    previous_version: column('text'),
    suspended_at: optional('timestamptz'),
    /** Why, as a sentence. */
    suspension: optional('text'),
  },
});

export type PagePackRow = RowOf<typeof pagePackEntity>;

/** At most one row: the newest reading of the source that was refused. */
export const pagePackRefusalEntity = defineTable({
  name: 'page_pack_refusals',
  columns: {
    id: key('integer', 'page_pack_refusals_key'),
    reason: column('text'),
    message: column('text'),
    refused_at: column('timestamptz'),
  },
});

/** Whether a bot with this version got into its meeting. */
export const pagePackOutcomeEntity = defineTable({
  name: 'page_pack_outcomes',
  columns: {
    bot_id: key('uuid', 'page_pack_outcomes_key'),
    platform: column('text'),
    version: column('text'),
    entered: column('boolean'),
    /** By which the page showed that the bot stays out. Null: it entered, or the page could not be operated. */
    rule: optional('text'),
    at: column('timestamptz'),
  },
  indices: [{ name: 'page_pack_outcomes_by_version', columns: ['platform', 'version', 'at'] }],
});
