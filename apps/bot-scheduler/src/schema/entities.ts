import { defineTable } from '@rapporteur/database';
import { column, key, ofBot, optional, tokens } from './columns.ts';
import { canaryEntity, canaryRunEntity, operatorNoticeEntity } from './canary-entities.ts';
import { legalHoldEntity, objectDeletionEntity } from './deletion-entities.ts';
import { pagePackEntity, pagePackOutcomeEntity, pagePackRefusalEntity } from './page-pack-entities.ts';
import { tokenAccountEntity, tokenLedgerEntity } from './token-entities.ts';

const runKey = ['bot_id', 'attempt'];
const ofLease = (name: string) => ({ name, target: 'leases', columnNames: runKey, referencedColumnNames: runKey });

export const botEntity = defineTable({
  name: 'bots',
  columns: {
    id: key('uuid', 'bots_key'),
    team_id: column('uuid'),
    /** Time of the creating request; strictly increases within a team. */
    created_at: column('timestamptz'),
    /** Time of admission: for a scheduled bot, when it was due. Daily cap and duplicates count from here. */
    admitted_at: column('timestamptz'),
    /** The API key of the creating request; null: a calendar created the bot. */
    api_key_id: optional('uuid'),
    bot_name: column('text'),
    /** The link as the customer sent it. */
    meeting_url: column('text'),
    meeting_platform: column('text'),
    meeting_id: column('text'),
    /** Key of the search for duplicates. */
    canonical_url: column('text'),
    join_url: column('text'),
    simulated: column('boolean'),
    configuration: column('jsonb'),
    extra: optional('jsonb'),
    transcription_wanted: column('boolean'),
    /** Earliest time of the next launch. */
    due_at: column('timestamptz'),
    /** Set while the bot waits for its next run; cleared by the launch that claims it. */
    wants_run: optional('text'),
    /** Number of the newest run, 0 before the first. */
    attempt: column('integer'),
    finalize_attempts: column('integer'),
    /** Runs that were launched to rejoin after a failure during the attendance. */
    rejoins: column('integer', { default: 0 }),
    /** Runs that were launched to replace a displaced one. */
    moves: column('integer', { default: 0 }),
    /** The newest failure of an attending run; null: none failed. */
    failure: optional('jsonb'),
    /** Evidence that the runner reported with the newest end of its attendance; null: none. */
    failure_evidence: optional('jsonb'),
    /** Version of the page pack that its newest run uses; null: not reported. */
    page_pack_version: optional('text'),
    /** By element: which candidate of the page pack matched. Null: not reported. */
    matched_candidates: optional('jsonb'),
    /** What the runner could read of the call; null: not reported. */
    observed: optional('jsonb'),
    phase: column('text'),
    status: column('text'),
    /** When the current phase began. */
    phase_since: column('timestamptz', { default: () => 'now()' }),
    /** Null until its runner reports it. */
    resource_usage: optional('jsonb'),
    /** Sequence of the newest history row. */
    history_count: column('integer'),
    updated_at: column('timestamptz'),
    leave_requested_at: optional('timestamptz'),
    end_code: optional('text'),
    end_message: optional('text'),
    recorded: optional('boolean'),
    joined_at: optional('timestamptz'),
    exited_at: optional('timestamptz'),
    ended_at: optional('timestamptz'),
    duration_ms: optional('bigint'),
    participants: column('jsonb'),
    speakers: column('jsonb'),
    artifacts: column('jsonb'),
    /** Every store has confirmed the deletion of its objects. */
    artifacts_deleted: column('boolean'),
    reserved_tokens: tokens,
    tokens: optional('jsonb'),
    /** Numbers all bots of the deployment: the integer id of the legacy lists. */
    number: column('bigint', { generated: 'increment' }),
    /**
     * Numbers the team's bots without gaps, by `admitted_at`; the daily cap is computed from it. Null: a scheduled bot
     * that was refused when it became due and counts toward no limit.
     */
    team_number: optional('bigint'),
    request: column('jsonb'),
    callback: optional('jsonb'),
    legacy: optional('jsonb'),
    deduplication_key: optional('text'),
    /** The join time of a scheduled bot; null: it joins at once. */
    join_at: optional('timestamptz'),
    /** Whether it can use its meeting's chat; null until it is reported. */
    chat_available: optional('boolean'),
    /** Whether it can read its meeting's own captions; null: not reported, or not requested. */
    captions: optional('jsonb'),
    /** Sequence of its newest public event; null: only its admission's. */
    event_order: optional('jsonb'),
    /** When its data was deleted, by request or by the plan's retention; from then on none is shown. */
    data_forgotten_at: optional('timestamptz'),
    /** Null until a transcription of its recording is requested. */
    transcription: optional('jsonb'),
  },
  uniques: [
    { name: 'bots_number', columns: ['number'] },
    { name: 'bots_team_number', columns: ['team_id', 'team_number'] },
  ],
  indices: [
    { name: 'bots_by_creation', columns: ['team_id', 'created_at', 'id'] },
    { name: 'bots_by_admission', columns: ['team_id', 'admitted_at', 'id'] },
    { name: 'bots_in_progress', columns: ['team_id', 'admitted_at', 'id'], where: 'ended_at is null' },
    { name: 'bots_by_end', columns: ['team_id', 'ended_at'], where: 'ended_at is not null' },
    {
      name: 'bots_to_forget',
      columns: ['team_id', 'ended_at', 'id'],
      where: 'ended_at is not null and data_forgotten_at is null',
    },
    // On expressions, which TypeORM cannot describe: see listing/search-index.ts.
    { name: 'bots_search', columns: ['team_id'], synchronize: false },
    { name: 'bots_by_meeting', columns: ['team_id', 'canonical_url', 'admitted_at'] },
    { name: 'bots_that_want_a_run', columns: ['due_at'], where: 'wants_run is not null' },
    { name: 'bots_in_queue', columns: ['due_at'], where: "phase = 'queued'" },
  ],
  checks: [
    { name: 'bots_wants_run_known', expression: "wants_run in ('attend', 'finalize')" },
    { name: 'bots_end_is_whole', expression: '(end_code is null) = (recorded is null)' },
  ],
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
    /** For pickup_delayed only. */
    delay_reason: optional('text'),
  },
  indices: [
    { name: 'bot_history_one_final', columns: ['bot_id'], unique: true, where: "code in ('completed', 'failed')" },
  ],
  foreignKeys: [ofBot('bot_history_bot')],
});

export const leaseEntity = defineTable({
  name: 'leases',
  columns: {
    bot_id: key('uuid', 'leases_key'),
    attempt: key('integer', 'leases_key'),
    fencing: column('integer'),
    mode: column('text'),
    run_name: column('text'),
    state: column('text'),
    created_at: column('timestamptz'),
    renewed_at: optional('timestamptz'),
    applied_sequence: column('integer'),
    ended_at: optional('timestamptz'),
    /** When another run of the bot was requested to replace it. */
    displaced_at: optional('timestamptz'),
    /** When that one began to record. */
    replaced_at: optional('timestamptz'),
  },
  uniques: [{ name: 'leases_run_name', columns: ['run_name'] }],
  indices: [{ name: 'leases_alive', columns: ['state'], where: "state in ('launching', 'held')" }],
  checks: [{ name: 'leases_state_known', expression: "state in ('launching', 'held', 'done', 'lost')" }],
  foreignKeys: [ofBot('leases_bot')],
});

export const launchTicketEntity = defineTable({
  name: 'launch_tickets',
  columns: {
    /** SHA-256 of the ticket in hex; the ticket itself is only in the runner's environment. */
    ticket_hash: key('text', 'launch_tickets_key'),
    bot_id: column('uuid'),
    attempt: column('integer'),
    expires_at: column('timestamptz'),
    redeemed_at: optional('timestamptz'),
    /** Identifier that the runner's process sent. */
    redeemed_by: optional('text'),
  },
  foreignKeys: [ofLease('launch_tickets_lease')],
});

/** How one run ended, with its evidence. Written once. */
export const runEndEntity = defineTable({
  name: 'run_ends',
  columns: {
    bot_id: key('uuid', 'run_ends_key'),
    attempt: key('integer', 'run_ends_key'),
    /** Null: only exit code and signal are known, or nothing. */
    cause: optional('text'),
    exit_code: optional('integer'),
    signal: optional('text'),
    /** Null: its end was not observed; its lease expired. */
    ended_at: optional('timestamptz'),
    written_at: column('timestamptz'),
    status: optional('jsonb'),
    last_log_lines: column('jsonb'),
  },
  foreignKeys: [ofLease('run_ends_lease')],
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
    byok_transcription: column('boolean', { default: true }),
  },
});

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

export const botCommandEntity = defineTable({
  name: 'bot_commands',
  columns: {
    id: key('uuid', 'bot_commands_key'),
    bot_id: column('uuid'),
    /** The run that handles it. */
    attempt: column('integer'),
    command: column('jsonb'),
    created_at: column('timestamptz'),
    /** After this time it is no longer passed to the runner. */
    expires_at: column('timestamptz'),
    outcome: optional('text'),
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

export const grantEndEntity = defineTable({
  name: 'grant_ends',
  columns: {
    bot_id: key('uuid', 'grant_ends_key'),
    team_id: column('uuid'),
    due_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('grant_ends_bot')],
});

export const botAccessEntity = defineTable({
  name: 'bot_access',
  columns: {
    bot_id: key('uuid', 'bot_access_key'),
    access_count: column('bigint'),
    last_accessed_at: column('timestamptz'),
  },
  foreignKeys: [ofBot('bot_access_bot')],
});

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
    state: column('text'),
    cancelled_at: optional('timestamptz'),
    /** When its bot was created. */
    spawned_at: optional('timestamptz'),
    bot_name: column('text'),
    meeting_url: column('text'),
    meeting_platform: column('text'),
    link: column('jsonb'),
    request: column('jsonb'),
    extra: optional('jsonb'),
    legacy: optional('jsonb'),
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
