import type {
  CommandResult,
  MeetingPlatformName,
  RunnerCommand,
  PagePackOverlay,
  CanaryOutcome,
  CanaryResult,
  CanaryStep,
} from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { MeetingLink } from '@rapporteur/meeting-links';
import { botEntity } from './bot-entity.ts';
import type { LegacyRow, StoredRequest } from './bot-entity.ts';
import { column, key, ofBot, optional, tokens } from './columns.ts';
import { launchTicketEntity, leaseEntity, runEndEntity } from './run-entities.ts';

/** A canary of the configuration. */
const canaryEntity = defineTable({
  name: 'canaries',
  columns: {
    name: key('text', 'canaries_key'),
    due_at: column('timestamptz'),
  },
});

/** One bot of a canary, and what it found. */
const canaryRunEntity = defineTable({
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
const operatorNoticeEntity = defineTable({
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

/** The operator's overlay of a platform's page pack. No row: there was none so far. */
const pagePackEntity = defineTable({
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
const pagePackRefusalEntity = defineTable({
  name: 'page_pack_refusals',
  columns: {
    id: key('integer', 'page_pack_refusals_key'),
    reason: column('text'),
    message: column('text'),
    refused_at: column('timestamptz'),
  },
});

/** Whether a bot with this version got into its meeting. */
const pagePackOutcomeEntity = defineTable({
  name: 'page_pack_outcomes',
  columns: {
    bot_id: key('uuid', 'page_pack_outcomes_key'),
    platform: column('text'),
    version: column('text'),
    entered: column('boolean'),
    /**
     * The rule by which the page showed that the bot stays out. Null: it entered, or the page could not be operated.
     */
    rule: optional('text'),
    at: column('timestamptz'),
  },
  indices: [{ name: 'page_pack_outcomes_by_version', columns: ['platform', 'version', 'at'] }],
});

/** New bots may reserve up to `balance - reserved`. */
const tokenAccountEntity = defineTable({
  name: 'token_accounts',
  columns: {
    team_id: key('uuid', 'token_accounts_key'),
    balance: tokens,
    reserved: tokens,
    /** `team_number` of the team's newest bot. */
    bot_count: column('bigint', { default: () => '0' }),
    /** The newest creation time of a bot or a scheduled bot of the team. */
    newest_bot_at: optional('timestamptz'),
  },
  checks: [
    {
      name: 'token_accounts_never_negative',
      expression: 'balance >= 0 and reserved >= 0 and reserved <= balance',
    },
  ],
});

const tokenLedgerEntity = defineTable({
  name: 'token_ledger',
  columns: {
    id: key('uuid', 'token_ledger_key'),
    team_id: column('uuid'),
    at: column('timestamptz'),
    kind: column('text'),
    tokens: tokens,
    bot_id: optional('uuid'),
    grant_id: optional('uuid'),
    note: optional('text'),
    /** The repeated transcription that was charged. */
    request_id: optional('uuid'),
  },
  indices: [
    { name: 'token_ledger_once_per_grant', columns: ['grant_id'], unique: true, where: 'grant_id is not null' },
    {
      name: 'token_ledger_once_per_bot',
      columns: ['bot_id', 'kind'],
      unique: true,
      where: 'bot_id is not null and request_id is null',
    },
    {
      name: 'token_ledger_once_per_request',
      columns: ['request_id', 'kind'],
      unique: true,
      where: 'request_id is not null',
    },
    { name: 'token_ledger_by_team', columns: ['team_id', 'at'] },
  ],
});

/** A deletion that storage has not confirmed. */
const objectDeletionEntity = defineTable({
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
const legalHoldEntity = defineTable({
  name: 'legal_holds',
  columns: {
    bot_id: key('uuid', 'legal_holds_key'),
    placed_at: column('timestamptz', { default: () => 'now()' }),
  },
  foreignKeys: [ofBot('legal_holds_bot')],
});

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
