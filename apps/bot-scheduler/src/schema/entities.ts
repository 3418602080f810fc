import type { CommandResult, MeetingPlatformName, RunnerCommand } from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { botEntity } from './bot-entity.ts';
import type { LegacyRow, StoredRequest } from './bot-entity.ts';
import { canaryEntity, canaryRunEntity, operatorNoticeEntity } from './canary-entities.ts';
import { column, key, ofBot, optional } from './columns.ts';
import { legalHoldEntity, objectDeletionEntity } from './deletion-entities.ts';
import { pagePackEntity, pagePackOutcomeEntity, pagePackRefusalEntity } from './page-pack-entities.ts';
import { launchTicketEntity, leaseEntity, runEndEntity } from './run-entities.ts';
import { tokenAccountEntity, tokenLedgerEntity } from './token-entities.ts';

export const botHistoryEntity = defineTable({
  name: 'bot_history',
  columns: {
    bot_id: key('uuid', 'bot_history_key'),
    sequence: key('integer', 'bot_history_key'),
    code: column('text'),
    at: column('timestamptz'),
    /** Unix seconds. */
    start_time: optional('bigint'),
    error_message: optional('text'),
    /** For pickup_delayed and waiting statuses. */
    delay_reason: optional('text'),
  },
  indices: [
    { name: 'bot_history_one_final', columns: ['bot_id'], unique: true, where: "code in ('completed', 'failed')" },
  ],
  foreignKeys: [ofBot('bot_history_bot')],
});

export const teamLimitsEntity = defineTable({
  name: 'team_limits',
  columns: {
    team_id: key('uuid', 'team_limits_key'),
    version: column('integer'),
    name: column('text'),
    plan_name: column('text'),
    daily_bot_cap: column('integer'),
    retention_days: column('integer'),
    /** Whether the team may transcribe with keys of its own. */
    byok_transcription: column('boolean', { default: true }),
  },
});

/** Named by a bot or by a scheduled bot, which has the same id: therefore no foreign key. */
export const botSecretEntity = defineTable({
  name: 'bot_secrets',
  columns: {
    bot_id: key('uuid', 'bot_secrets_key'),
    field: key('text', 'bot_secrets_key'),
    team_id: column('uuid'),
    /** Sealed by libs/secret-box for exactly this team, bot and field. */
    sealed: column('bytea'),
    /** When it is deleted; null: the field determines it. */
    forget_at: optional('timestamptz'),
  },
  indices: [{ name: 'bot_secrets_to_forget', columns: ['forget_at'], where: 'forget_at is not null' }],
});

export type BotSecretRow = RowOf<typeof botSecretEntity>;

/** A command for a bot in its meeting, and its result. */
export const botCommandEntity = defineTable({
  name: 'bot_commands',
  columns: {
    id: key('uuid', 'bot_commands_key'),
    bot_id: column('uuid'),
    /** The run that handles it. */
    attempt: column('integer'),
    command: column(jsonb<RunnerCommand>()),
    created_at: column('timestamptz'),
    /** After this time it is no longer passed to the runner. */
    expires_at: column('timestamptz'),
    outcome: optional(text<CommandResult['outcome'] | 'expired'>()),
    message: optional('text'),
  },
  indices: [
    { name: 'bot_commands_waiting', columns: ['bot_id', 'attempt'], where: 'outcome is null' },
    { name: 'bot_commands_by_age', columns: ['created_at'] },
  ],
  checks: [
    {
      name: 'bot_commands_outcome_known',
      expression: "outcome in ('done', 'refused', 'unavailable', 'failed', 'expired')",
    },
    { name: 'bot_commands_result_is_whole', expression: '(outcome is null) = (message is null)' },
  ],
  foreignKeys: [ofBot('bot_commands_bot')],
});

export type BotCommandRow = RowOf<typeof botCommandEntity>;

export const botScreenshotEntity = defineTable({
  name: 'bot_screenshots',
  columns: {
    bot_id: key('uuid', 'bot_screenshots_key'),
    /** From 1 per bot, over all its runs. */
    number: key('integer', 'bot_screenshots_key'),
    /** Relative to the bot's prefix. */
    key: column('text'),
    taken_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('bot_screenshots_bot')],
});

export type BotScreenshotRow = RowOf<typeof botScreenshotEntity>;

/** A chat message that a run reported, without its words: two runs of a bot may read the same one under two ids. */
export const reportedChatEntity = defineTable({
  name: 'reported_chat',
  columns: {
    bot_id: key('uuid', 'reported_chat_key'),
    attempt: key('integer', 'reported_chat_key'),
    sequence: key('integer', 'reported_chat_key'),
    /** Hash of sender and text. */
    content: column('bigint'),
    sent_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('reported_chat_bot')],
});

/** An ended bot whose upload grants are not confirmed as ended. */
export const grantEndEntity = defineTable({
  name: 'grant_ends',
  columns: {
    bot_id: key('uuid', 'grant_ends_key'),
    team_id: column('uuid'),
    due_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('grant_ends_bot')],
});

export type GrantEndRow = RowOf<typeof grantEndEntity>;

/** Separate from `bots`, so that counting a read does not rewrite the bot. */
export const botAccessEntity = defineTable({
  name: 'bot_access',
  columns: {
    bot_id: key('uuid', 'bot_access_key'),
    access_count: column('bigint'),
    last_accessed_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('bot_access_bot')],
});

export type BotAccessRow = RowOf<typeof botAccessEntity>;

export type ScheduledState = 'scheduled' | 'cancelled' | 'completed' | 'failed';

/**
 * A bot that joins later. Once it runs, `bots` has a row with the same id, and `state` is set to that bot's outcome.
 */
export const scheduledBotEntity = defineTable({
  name: 'scheduled_bots',
  columns: {
    id: key('uuid', 'scheduled_bots_key'),
    team_id: column('uuid'),
    /** The number of its bot: the integer id of the legacy lists. */
    number: column('bigint'),
    created_at: column('timestamptz'),
    updated_at: column('timestamptz'),
    join_at: column('timestamptz'),
    state: column(text<ScheduledState>()),
    cancelled_at: optional('timestamptz'),
    /** When its bot was created. */
    spawned_at: optional('timestamptz'),
    bot_name: column('text'),
    meeting_url: column('text'),
    meeting_platform: column(text<MeetingPlatformName>()),
    link: column(jsonb<MeetingLink>()),
    request: column(jsonb<StoredRequest>()),
    extra: optional(jsonb<Record<string, unknown>>()),
    legacy: optional(jsonb<LegacyRow>()),
    deduplication_key: optional('text'),
    /** The API key of the creating request; null: a calendar created the bot. */
    api_key_id: optional('uuid'),
  },
  indices: [
    { name: 'scheduled_bots_due', columns: ['join_at'], where: "state = 'scheduled' and spawned_at is null" },
    { name: 'scheduled_bots_by_team', columns: ['team_id', 'join_at', 'id'] },
    {
      name: 'scheduled_bots_not_started',
      columns: ['team_id', 'created_at', 'id'],
      where: 'spawned_at is null',
    },
  ],
  checks: [
    {
      name: 'scheduled_bots_state_known',
      expression: "state in ('scheduled', 'cancelled', 'completed', 'failed')",
    },
  ],
});

export type ScheduledBotRow = RowOf<typeof scheduledBotEntity>;

export const entities = [
  botEntity,
  botHistoryEntity,
  leaseEntity,
  launchTicketEntity,
  runEndEntity,
  teamLimitsEntity,
  tokenAccountEntity,
  tokenLedgerEntity,
  botSecretEntity,
  scheduledBotEntity,
  botCommandEntity,
  botScreenshotEntity,
  reportedChatEntity,
  objectDeletionEntity,
  grantEndEntity,
  legalHoldEntity,
  botAccessEntity,
  pagePackEntity,
  pagePackRefusalEntity,
  pagePackOutcomeEntity,
  canaryEntity,
  canaryRunEntity,
  operatorNoticeEntity,
];
