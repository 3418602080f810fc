import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const tables = `
  create table connections (
    calendar_id uuid not null constraint connections_pkey primary key,
    team_id uuid not null,
    platform text not null constraint connections_platform check (platform in ('google', 'microsoft')),
    raw_calendar_id text not null,
    account_email text not null,
    name text not null,
    time_zone text not null,
    oauth_client_id text not null,
    oauth_tenant_id text not null,
    client_secret bytea not null,
    refresh_token bytea not null,
    access_token bytea,
    access_token_expires_at timestamptz,
    -- The process that renews the tokens, and until when no other one may.
    renewal uuid,
    renewal_until timestamptz,
    constraint connections_renewal check ((renewal is null) = (renewal_until is null)),
    status text not null constraint connections_status check (status in ('active', 'error', 'revoked', 'permission_denied')),
    status_message text,
    sync_status text constraint connections_sync_status check (sync_status in ('success', 'failed', 'partial')),
    sync_error text,
    synced_at timestamptz,
    sync_cursor text,
    window_start timestamptz,
    window_end timestamptz,
    full_sync_wanted boolean not null,
    next_sync_at timestamptz not null,
    sync_started_at timestamptz,
    sync_lease uuid,
    sync_lease_until timestamptz,
    sync_failures integer not null,
    webhook_url text,
    preferred_platform text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    full_sync_requests integer not null default 0
  );
  create unique index connections_once on connections (team_id, platform, raw_calendar_id) where deleted_at is null;
  create index connections_newest on connections (team_id, created_at, calendar_id);
  create index connections_due on connections (next_sync_at);

  create table consents (
    consent_id uuid not null constraint consents_pkey primary key,
    team_id uuid not null,
    started_by uuid not null,
    platform text not null constraint consents_platform check (platform in ('google', 'microsoft')),
    oauth_client_id text not null,
    state_hash bytea not null,
    verifier bytea not null,
    refresh_token bytea,
    redeemed_at timestamptz,
    expires_at timestamptz not null
  );
  create unique index consents_once on consents (state_hash);
  create index consents_expired on consents (expires_at);

  create table channels (
    channel_id uuid not null constraint channels_pkey primary key,
    calendar_id uuid not null constraint channels_calendar references connections on delete cascade,
    provider_channel_id text,
    token_hash bytea not null,
    state text not null constraint channels_state check (state in ('opening', 'active', 'closing')),
    expires_at timestamptz not null,
    created_at timestamptz not null,
    notified_at timestamptz,
    renewal_required boolean not null default false,
    silent_rounds integer not null default 0
  );
  create index channels_of_calendar on channels (calendar_id);

  create table bot_configs (
    config_id uuid not null constraint bot_configs_pkey primary key,
    team_id uuid not null,
    sealed bytea not null,
    created_at timestamptz not null
  );

  create table series (
    series_id uuid not null constraint series_pkey primary key,
    calendar_id uuid not null constraint series_calendar references connections on delete cascade,
    team_id uuid not null,
    provider_series_id text not null,
    event_type text not null constraint series_event_type check (event_type in ('one_off', 'recurring')),
    inherited jsonb,
    bot_config_id uuid,
    bot_excluded boolean not null,
    created_at timestamptz not null
  );
  create unique index series_once on series (calendar_id, provider_series_id);
  create index series_newest on series (calendar_id, created_at, series_id);

  create table events (
    event_id uuid not null constraint events_pkey primary key,
    calendar_id uuid not null,
    team_id uuid not null,
    series_id uuid not null constraint events_series references series on delete cascade,
    occurrence_key text not null,
    provider_event_id text not null,
    meeting_key text not null,
    title text not null,
    description text,
    location text,
    start_at timestamptz not null,
    end_at timestamptz not null,
    is_all_day boolean not null,
    time_zone text not null,
    status text not null constraint events_status check (status in ('confirmed', 'cancelled', 'tentative')),
    is_exception boolean not null,
    is_private boolean not null,
    is_organizer boolean not null,
    own_response text,
    kind text not null constraint events_kind check (kind in ('meeting', 'out_of_office', 'focus_time', 'working_location')),
    meeting_url text,
    meeting_platform text,
    meeting_links jsonb not null,
    notices jsonb not null,
    organizer_email text,
    organizer_name text,
    attendees jsonb,
    raw jsonb,
    content_hash text not null,
    bot_config_id uuid,
    bot_excluded boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create unique index events_once on events (calendar_id, occurrence_key);
  create index events_by_provider_id on events (calendar_id, provider_event_id);
  create index events_by_start on events (calendar_id, start_at, event_id);
  create index events_by_meeting on events (team_id, meeting_key, start_at);
  create index events_of_series on events (series_id, start_at);

  create table wanted_bots (
    bot_id uuid not null constraint wanted_bots_pkey primary key,
    team_id uuid not null,
    event_id uuid not null,
    scope_id uuid not null,
    meeting_key text not null,
    config_id uuid not null,
    join_at timestamptz not null,
    shared_until timestamptz not null,
    meeting_url text not null,
    state text not null constraint wanted_bots_state check (state in ('wanted', 'cancelled', 'over')),
    version integer not null,
    applied_version integer not null,
    next_attempt_at timestamptz,
    attempts integer not null,
    error_code text,
    error_message text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create unique index wanted_bots_once on wanted_bots (team_id, scope_id, meeting_key, join_at) where state = 'wanted';
  create index wanted_bots_of_meeting on wanted_bots (team_id, meeting_key, join_at);
  create index wanted_bots_begun on wanted_bots (join_at) where state = 'wanted';
  create index wanted_bots_due on wanted_bots (next_attempt_at) where next_attempt_at is not null;
  create index wanted_bots_by_event on wanted_bots (event_id);

  create table team_settings (
    team_id uuid not null constraint team_settings_pkey primary key,
    own_domains text[],
    one_bot_per text not null constraint team_settings_one_bot_per check (one_bot_per in ('meeting', 'calendar')),
    updated_at timestamptz not null
  );

  create table rules (
    rule_id uuid not null constraint rules_pkey primary key,
    team_id uuid not null,
    name text not null,
    enabled boolean not null,
    conditions jsonb not null,
    preferred_platform text,
    bot_config_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null
  );
  create index rules_of_team on rules (team_id, created_at, rule_id);

  create table sync_requests (
    request_id uuid not null constraint sync_requests_pkey primary key,
    calendar_id uuid not null,
    requested_at timestamptz not null,
    channel_id uuid,
    reason text
  );

  create table unreadable_events (
    calendar_id uuid not null constraint unreadable_events_calendar references connections on delete cascade,
    provider_event_id text not null,
    reason text not null,
    since timestamptz not null,
    constraint unreadable_events_pkey primary key (calendar_id, provider_event_id)
  );
`;

export const createCalendars = sqlMigration('CreateCalendars20261121000000', tables, outboxTablesSql);
