import { defineTable } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { column, key, ofBot, optional } from './columns.ts';

/** A deletion that storage has not confirmed. */
export const objectDeletionEntity = defineTable({
  name: 'object_deletions',
  columns: {
    bot_id: key('uuid', 'object_deletions_key'),
    team_id: column('uuid'),
    requested_at: column('timestamptz'),
    attempts: column('integer', { default: 0 }),
    next_attempt_at: column('timestamptz'),
    /** Null before the first attempt. */
    last_error: optional('text'),
    /** When it was reported as failed. */
    failed_at: optional('timestamptz'),
  },
  indices: [{ name: 'object_deletions_due', columns: ['next_attempt_at'] }],
  foreignKeys: [ofBot('object_deletions_bot')],
});

export type ObjectDeletionRow = RowOf<typeof objectDeletionEntity>;

/** A bot whose data must not be deleted. */
export const legalHoldEntity = defineTable({
  name: 'legal_holds',
  columns: {
    bot_id: key('uuid', 'legal_holds_key'),
    placed_at: column('timestamptz', { default: () => 'now()' }),
  },
  foreignKeys: [ofBot('legal_holds_bot')],
});
