import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const teams = `
  create table team_limits (
    team_id uuid not null constraint team_limits_key primary key,
    version integer not null,
    name text not null,
    plan_name text not null,
    daily_bot_cap integer not null,
    retention_days integer not null,
    -- Whether the team may transcribe with keys of its own.
    byok_transcription boolean not null default true
  );

  create table token_accounts (
    team_id uuid not null constraint token_accounts_key primary key,
    balance bigint not null,
    reserved bigint not null,
    bot_count bigint not null default 0,
    newest_bot_at timestamptz,
    constraint token_accounts_never_negative check (balance >= 0 and reserved >= 0 and reserved <= balance)
  );

  create table token_ledger (
    id uuid not null constraint token_ledger_key primary key,
    team_id uuid not null,
    at timestamptz not null,
    kind text not null,
    tokens bigint not null,
    bot_id uuid,
    grant_id uuid,
    note text,
    -- A bot is charged once for its life, and once for each time that it is transcribed again.
    request_id uuid
  );
  create unique index token_ledger_once_per_grant on token_ledger (grant_id) where grant_id is not null;
  create unique index token_ledger_once_per_bot on token_ledger (bot_id, kind)
    where bot_id is not null and request_id is null;
  create unique index token_ledger_once_per_request on token_ledger (request_id, kind) where request_id is not null;
  create index token_ledger_by_team on token_ledger (team_id, at);
`;

const bots = `
  create table bots (
    id uuid not null constraint bots_key primary key,
    team_id uuid not null,
    created_at timestamptz not null,
    admitted_at timestamptz not null,
    api_key_id uuid,
    bot_name text not null,
    meeting_url text not null,
    meeting_platform text not null,
    meeting_id text not null,
    canonical_url text not null,
    join_url text not null,
    simulated boolean not null,
    configuration jsonb not null,
    extra jsonb,
    transcription_wanted boolean not null,
    due_at timestamptz not null,
    wants_run text,
    attempt integer not null,
    finalize_attempts integer not null,
    phase text not null,
    status text not null,
    history_count integer not null,
    updated_at timestamptz not null,
    leave_requested_at timestamptz,
    end_code text,
    end_message text,
    recorded boolean,
    joined_at timestamptz,
    exited_at timestamptz,
    ended_at timestamptz,
    duration_ms bigint,
    participants jsonb not null,
    speakers jsonb not null,
    artifacts jsonb not null,
    artifacts_deleted boolean not null,
    reserved_tokens bigint not null,
    tokens jsonb,
    number bigint generated always as identity,
    team_number bigint,
    request jsonb not null,
    callback jsonb,
    legacy jsonb,
    deduplication_key text,
    join_at timestamptz,
    chat_available boolean,
    captions jsonb,
    integrity jsonb,
    data_forgotten_at timestamptz,
    -- Place of the bot's newest public event (EventOrder); null while it has only the event of its admission.
    event_order jsonb,
    transcription jsonb,
    phase_since timestamptz not null default now(),
    resource_usage jsonb,
    rejoins integer not null default 0,
    moves integer not null default 0,
    failure jsonb,
    -- Why the storage did not take what a run sent, the newest reason.
    upload_failure text,
    failure_evidence jsonb,
    page_pack_version text,
    matched_candidates jsonb,
    -- What the runner could read of the call: audio, its own name, the roster.
    observed jsonb,
    -- From the end of the bot to the deletion of its data; null: the team's retention.
    retention_hours integer,
    constraint bots_wants_run_known check (wants_run in ('attend', 'finalize')),
    constraint bots_end_is_whole check ((end_code is null) = (recorded is null)),
    constraint bots_number unique (number),
    constraint bots_team_number unique (team_id, team_number)
  );
  create index bots_by_creation on bots (team_id, created_at, id);
  create index bots_by_admission on bots (team_id, admitted_at, id);
  create index bots_in_progress on bots (team_id, admitted_at, id) where ended_at is null;
  create index bots_by_meeting on bots (team_id, canonical_url, admitted_at);
  create index bots_that_want_a_run on bots (due_at) where wants_run is not null;
  create index bots_in_queue on bots (due_at) where phase = 'queued';
  create index bots_by_end on bots (team_id, ended_at) where ended_at is not null;
  -- In full order, so that the planner never prefers bots_by_end, which also holds the bots whose data is deleted.
  create index bots_to_forget on bots (team_id, ended_at, id) where ended_at is not null and data_forgotten_at is null;
  create index bots_to_forget_early on bots ((ended_at at time zone 'UTC' + retention_hours * interval '1 hour'))
    where retention_hours is not null and ended_at is not null and data_forgotten_at is null;

  create table bot_history (
    bot_id uuid not null constraint bot_history_bot references bots (id),
    sequence integer not null,
    code text not null,
    at timestamptz not null,
    start_time bigint,
    error_message text,
    delay_reason text,
    constraint bot_history_key primary key (bot_id, sequence)
  );
  -- The guard behind "exactly one final event per bot".
  create unique index bot_history_one_final on bot_history (bot_id) where code in ('completed', 'failed');

  -- Named by a bot or by a scheduled bot, which has the same id: therefore no foreign key.
  create table bot_secrets (
    bot_id uuid not null,
    field text not null,
    team_id uuid not null,
    sealed bytea not null,
    forget_at timestamptz,
    constraint bot_secrets_key primary key (bot_id, field)
  );
  create index bot_secrets_to_forget on bot_secrets (forget_at) where forget_at is not null;

  create table scheduled_bots (
    id uuid not null constraint scheduled_bots_key primary key,
    team_id uuid not null,
    number bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    join_at timestamptz not null,
    state text not null,
    cancelled_at timestamptz,
    spawned_at timestamptz,
    bot_name text not null,
    meeting_url text not null,
    meeting_platform text not null,
    link jsonb not null,
    request jsonb not null,
    extra jsonb,
    legacy jsonb,
    deduplication_key text,
    api_key_id uuid,
    constraint scheduled_bots_state_known check (state in ('scheduled', 'cancelled', 'completed', 'failed'))
  );
  create index scheduled_bots_due on scheduled_bots (join_at) where state = 'scheduled' and spawned_at is null;
  create index scheduled_bots_by_team on scheduled_bots (team_id, join_at, id);
  create index scheduled_bots_not_started on scheduled_bots (team_id, created_at, id) where spawned_at is null;
`;

const runs = `
  create table leases (
    bot_id uuid not null constraint leases_bot references bots (id),
    attempt integer not null,
    fencing integer not null,
    mode text not null,
    run_name text not null,
    state text not null,
    created_at timestamptz not null,
    renewed_at timestamptz,
    applied_sequence integer not null,
    ended_at timestamptz,
    displaced_at timestamptz,
    replaced_at timestamptz,
    constraint leases_key primary key (bot_id, attempt),
    constraint leases_run_name unique (run_name),
    constraint leases_state_known check (state in ('launching', 'held', 'done', 'lost'))
  );
  create index leases_alive on leases (state) where state in ('launching', 'held');

  create table launch_tickets (
    ticket_hash text not null constraint launch_tickets_key primary key,
    bot_id uuid not null,
    attempt integer not null,
    expires_at timestamptz not null,
    redeemed_at timestamptz,
    -- The runner that redeemed it; it may repeat that until it renewed its lease, another one may not.
    redeemed_by text,
    constraint launch_tickets_lease foreign key (bot_id, attempt) references leases (bot_id, attempt)
  );

  create table run_ends (
    bot_id uuid not null,
    attempt integer not null,
    cause text,
    exit_code integer,
    signal text,
    ended_at timestamptz,
    written_at timestamptz not null,
    status jsonb,
    last_log_lines jsonb not null,
    constraint run_ends_key primary key (bot_id, attempt),
    constraint run_ends_lease foreign key (bot_id, attempt) references leases (bot_id, attempt)
  );

  create table bot_commands (
    id uuid not null constraint bot_commands_key primary key,
    bot_id uuid not null constraint bot_commands_bot references bots (id),
    attempt integer not null,
    command jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    outcome text,
    message text,
    constraint bot_commands_outcome_known
      check (outcome in ('done', 'refused', 'unavailable', 'failed', 'expired')),
    constraint bot_commands_result_is_whole check ((outcome is null) = (message is null))
  );
  create index bot_commands_waiting on bot_commands (bot_id, attempt) where outcome is null;
  create index bot_commands_by_age on bot_commands (created_at);

  create table bot_screenshots (
    bot_id uuid not null constraint bot_screenshots_bot references bots (id),
    number integer not null,
    key text not null,
    taken_at timestamptz not null,
    constraint bot_screenshots_key primary key (bot_id, number)
  );

  create table bot_access (
    bot_id uuid not null constraint bot_access_key primary key constraint bot_access_bot references bots (id),
    access_count bigint not null,
    last_accessed_at timestamptz not null
  );
`;

const data = `
  -- Bots whose objects storage has not confirmed to be deleted. Beside the bots: a mark in their rows that an index follows would write
  -- every index of a bot anew, its search terms above all.
  create table object_deletions (
    bot_id uuid not null constraint object_deletions_key primary key constraint object_deletions_bot references bots (id),
    team_id uuid not null,
    requested_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    last_error text,
    failed_at timestamptz
  );
  create index object_deletions_due on object_deletions (next_attempt_at);

  -- Bots that have ended and whose upload grants storage still has to end, and from when on.
  create table grant_ends (
    bot_id uuid not null constraint grant_ends_key primary key constraint grant_ends_bot references bots (id),
    team_id uuid not null,
    due_at timestamptz not null
  );

  -- Bots whose data is not deleted.
  create table legal_holds (
    bot_id uuid not null constraint legal_holds_key primary key constraint legal_holds_bot references bots (id),
    placed_at timestamptz not null default now()
  );
`;

const pagePacks = `
  -- The operator's overlay of a platform's page pack, as the newest reading of its source by any replica.
  create table page_packs (
    platform text not null constraint page_packs_key primary key,
    -- Null: the built-in pack alone.
    overlay jsonb,
    version text not null,
    accepted_at timestamptz not null,
    -- What bots outside its share use, and all bots once it is suspended. Null: the built-in pack.
    previous_overlay jsonb,
    previous_version text not null,
    suspended_at timestamptz,
    suspension text
  );

  -- One row: the newest reading of the source that was refused, or could not be done.
  create table page_pack_refusals (
    id integer not null constraint page_pack_refusals_key primary key,
    reason text not null,
    message text not null,
    refused_at timestamptz not null
  );

  -- Whether a bot with this version got into its meeting. Bounded: the newest of each platform.
  create table page_pack_outcomes (
    bot_id uuid not null constraint page_pack_outcomes_key primary key,
    platform text not null,
    version text not null,
    entered boolean not null,
    rule text,
    at timestamptz not null
  );
  create index page_pack_outcomes_by_version on page_pack_outcomes (platform, version, at);
`;

const canaries = `
  -- The canaries of the configuration, and when each runs next.
  create table canaries (
    name text not null constraint canaries_key primary key,
    due_at timestamptz not null
  );

  -- Bounded: the newest of each canary.
  create table canary_runs (
    bot_id uuid not null constraint canary_runs_key primary key constraint canary_runs_bot references bots (id),
    canary text not null,
    platform text not null,
    login_team_id uuid,
    started_at timestamptz not null,
    ended_at timestamptz,
    outcome text,
    failed_step text,
    result jsonb,
    constraint canary_runs_outcome_known check (outcome in ('passed', 'warning', 'failed', 'skipped')),
    constraint canary_runs_end_is_whole check ((ended_at is null) = (outcome is null))
  );
  create index canary_runs_by_canary on canary_runs (canary, started_at);
  create unique index canary_runs_one_per_platform on canary_runs (platform) where ended_at is null;

  -- Notices to the operator's address that it has not accepted yet.
  create table operator_notices (
    id uuid not null constraint operator_notices_key primary key,
    body text not null,
    created_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null
  );
  create index operator_notices_due on operator_notices (next_attempt_at);
`;

/**
 * Search expressions of lists. Their index is created by `listing/search-index.ts`: it needs extensions that a database
 * may lack.
 */
const search = `
  -- The database may be of locale C, whose lower() folds ASCII only.
  create function search_fold(value text) returns text language sql immutable parallel safe
    return lower(value collate "und-x-icu") collate "C";

  -- The names of a list of participants, as a JSON array.
  create function search_names(people jsonb) returns text language sql immutable parallel safe
    return search_fold(jsonb_path_query_array(people, '$[*].name')::text);
`;

/** The functions of admission are in `admission/admission.sql.ts`. */
export const createBots = sqlMigration(
  'CreateBots20261121000000',
  teams,
  bots,
  runs,
  data,
  pagePacks,
  canaries,
  search,
  outboxTablesSql,
);
