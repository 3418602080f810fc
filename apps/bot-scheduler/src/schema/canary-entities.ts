import type { CanaryOutcome, CanaryResult, CanaryStep, MeetingPlatformName } from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { column, key, ofBot, optional } from './columns.ts';

/** A canary of the configuration. */
export const canaryEntity = defineTable({
  name: 'canaries',
  columns: {
    name: key('text', 'canaries_key'),
    due_at: column('timestamptz'),
  },
});

/** One bot of a canary, and what it found. */
export const canaryRunEntity = defineTable({
  name: 'canary_runs',
  columns: {
    bot_id: key('uuid', 'canary_runs_key'),
    canary: column('text'),
    platform: column(text<MeetingPlatformName>()),
    /** The team with the stored login that its bot uses. Null: it is a guest. */
    login_team_id: optional('uuid'),
    started_at: column('timestamptz'),
    ended_at: optional('timestamptz'),
    outcome: optional(text<CanaryOutcome>()),
    /** With outcome failed. */
    failed_step: optional(text<CanaryStep>()),
    result: optional(jsonb<CanaryResult>()),
  },
  indices: [
    { name: 'canary_runs_by_canary', columns: ['canary', 'started_at'] },
    { name: 'canary_runs_one_per_platform', columns: ['platform'], unique: true, where: 'ended_at is null' },
  ],
  checks: [
    {
      name: 'canary_runs_outcome_known',
      expression: "outcome in ('passed', 'warning', 'failed', 'skipped')",
    },
    { name: 'canary_runs_end_is_whole', expression: '(ended_at is null) = (outcome is null)' },
  ],
  foreignKeys: [ofBot('canary_runs_bot')],
});

export type CanaryRunRow = RowOf<typeof canaryRunEntity>;

/** A notice to the operator's address that it has not accepted yet. */
export const operatorNoticeEntity = defineTable({
  name: 'operator_notices',
  columns: {
    id: key('uuid', 'operator_notices_key'),
    body: column('text'),
    created_at: column('timestamptz'),
    attempts: column('integer', { default: 0 }),
    next_attempt_at: column('timestamptz'),
  },
  indices: [{ name: 'operator_notices_due', columns: ['next_attempt_at'] }],
});

export type OperatorNoticeRow = RowOf<typeof operatorNoticeEntity>;
