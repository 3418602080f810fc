import { calendarProviderNames } from '@rapporteur/contracts';
import type { CalendarProviderName } from '@rapporteur/contracts';
import type { components } from '@rapporteur/contracts/public-api';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { MeetingPlatform } from '@rapporteur/meeting-links';
import type { FoundLink } from '../links/find-meeting-links.ts';

/** Conditions of a rule; all that are set must hold, and no exclusion may. */
export type RuleConditions = components['schemas']['CalendarRuleConditions'];

export type Platform = CalendarProviderName;
export type ConnectionStatus = 'active' | 'error' | 'revoked' | 'permission_denied';
export type SyncStatus = 'success' | 'failed' | 'partial';
/** opening: the provider has not responded yet. closing: it is to be closed. */
export type ChannelState = 'opening' | 'active' | 'closing';
export type EventType = 'one_off' | 'recurring';
export type EventKind = 'meeting' | 'out_of_office' | 'focus_time' | 'working_location';
export type EventStatus = 'confirmed' | 'cancelled' | 'tentative';
/** over: the bot is no longer updated by the calendar. */
export type WantedBotState = 'wanted' | 'cancelled' | 'over';

/** A difference from the event's original data. */
export interface EventNotice {
  readonly code: 'MEETING_LINK_UNUSABLE' | 'PASSCODE_MISSING' | 'TIME_DOUBLED' | 'TIME_SKIPPED' | 'TIME_ZONE_UNKNOWN';
  readonly message: string;
}

export interface Attendee {
  readonly email: string;
  readonly name: string | null;
  readonly response_status: 'accepted' | 'declined' | 'tentative' | 'needsAction';
  readonly organizer?: boolean;
  readonly self?: boolean;
  /** A room or another bookable resource. */
  readonly resource?: boolean;
}

/** Data that occurrences inherit: the master as the provider sent it. */
export type Inherited = Readonly<Record<string, unknown>>;

const platformIs = `platform in (${calendarProviderNames.map((name) => `'${name}'`).join(', ')})`;

export const connections = defineTable({
  name: 'connections',
  columns: {
    calendar_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'connections_pkey' },
    team_id: { type: 'uuid' },
    platform: { type: text<Platform>() },
    raw_calendar_id: { type: 'text' },
    account_email: { type: 'text' },
    name: { type: 'text' },
    time_zone: { type: 'text' },
    oauth_client_id: { type: 'text' },
    oauth_tenant_id: { type: 'text' },
    /** Sealed empty text: the operator's OAuth client. */
    client_secret: { type: 'bytea' },
    refresh_token: { type: 'bytea' },
    access_token: { type: 'bytea', nullable: true },
    access_token_expires_at: { type: 'timestamptz', nullable: true },
    /** The process that renews the tokens, and until when no other one may. */
    renewal: { type: 'uuid', nullable: true },
    renewal_until: { type: 'timestamptz', nullable: true },
    status: { type: text<ConnectionStatus>() },
    status_message: { type: 'text', nullable: true },
    sync_status: { type: text<SyncStatus>(), nullable: true },
    sync_error: { type: 'text', nullable: true },
    synced_at: { type: 'timestamptz', nullable: true },
    sync_cursor: { type: 'text', nullable: true },
    window_start: { type: 'timestamptz', nullable: true },
    window_end: { type: 'timestamptz', nullable: true },
    full_sync_wanted: { type: 'boolean' },
    /** Increases with each request: a round that began before the newest one does not reset `full_sync_wanted`. */
    full_sync_requests: { type: 'integer', default: 0 },
    next_sync_at: { type: 'timestamptz' },
    sync_started_at: { type: 'timestamptz', nullable: true },
    sync_lease: { type: 'uuid', nullable: true },
    sync_lease_until: { type: 'timestamptz', nullable: true },
    sync_failures: { type: 'integer' },
    webhook_url: { type: 'text', nullable: true },
    /** Preferred platform for events with several links; null: the organizer's link. */
    preferred_platform: { type: text<MeetingPlatform>(), nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    deleted_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    {
      name: 'connections_once',
      columns: ['team_id', 'platform', 'raw_calendar_id'],
      unique: true,
      where: `deleted_at is null`,
    },
    { name: 'connections_newest', columns: ['team_id', 'created_at', 'calendar_id'] },
    { name: 'connections_due', columns: ['next_sync_at'] },
  ],
  checks: [
    { name: 'connections_platform', expression: platformIs },
    { name: 'connections_renewal', expression: '(renewal is null) = (renewal_until is null)' },
    { name: 'connections_status', expression: `status in ('active', 'error', 'revoked', 'permission_denied')` },
    { name: 'connections_sync_status', expression: `sync_status in ('success', 'failed', 'partial')` },
  ],
});

export type ConnectionRow = RowOf<typeof connections>;

/** A consent that the owner of an account was asked for. */
export const consents = defineTable({
  name: 'consents',
  columns: {
    consent_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'consents_pkey' },
    team_id: { type: 'uuid' },
    /** The user or API key. */
    started_by: { type: 'uuid' },
    platform: { type: text<Platform>() },
    oauth_client_id: { type: 'text' },
    state_hash: { type: 'bytea' },
    verifier: { type: 'bytea' },
    /** Null until it is redeemed. */
    refresh_token: { type: 'bytea', nullable: true },
    redeemed_at: { type: 'timestamptz', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
  indices: [
    { name: 'consents_once', columns: ['state_hash'], unique: true },
    { name: 'consents_expired', columns: ['expires_at'] },
  ],
  checks: [{ name: 'consents_platform', expression: platformIs }],
});

export type ConsentRow = RowOf<typeof consents>;

export const channels = defineTable({
  name: 'channels',
  columns: {
    channel_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'channels_pkey' },
    calendar_id: { type: 'uuid' },
    provider_channel_id: { type: 'text', nullable: true },
    token_hash: { type: 'bytea' },
    state: { type: text<ChannelState>() },
    expires_at: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    notified_at: { type: 'timestamptz', nullable: true },
    /** The provider requested a renewal: without it, it sends no more notifications. */
    renewal_required: { type: 'boolean', default: false },
    /** Consecutive rounds that found changes without a notification. */
    silent_rounds: { type: 'integer', default: 0 },
  },
  indices: [{ name: 'channels_of_calendar', columns: ['calendar_id'] }],
  checks: [{ name: 'channels_state', expression: `state in ('opening', 'active', 'closing')` }],
  foreignKeys: [
    {
      name: 'channels_calendar',
      target: 'connections',
      columnNames: ['calendar_id'],
      referencedColumnNames: ['calendar_id'],
      onDelete: 'CASCADE',
    },
  ],
});

export type ChannelRow = RowOf<typeof channels>;

export const botConfigs = defineTable({
  name: 'bot_configs',
  columns: {
    config_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'bot_configs_pkey' },
    team_id: { type: 'uuid' },
    sealed: { type: 'bytea' },
    created_at: { type: 'timestamptz' },
  },
});

export type BotConfigRow = RowOf<typeof botConfigs>;

export const series = defineTable({
  name: 'series',
  columns: {
    series_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'series_pkey' },
    calendar_id: { type: 'uuid' },
    team_id: { type: 'uuid' },
    provider_series_id: { type: 'text' },
    event_type: { type: text<EventType>() },
    inherited: { type: jsonb<Inherited>(), nullable: true },
    bot_config_id: { type: 'uuid', nullable: true },
    bot_excluded: { type: 'boolean' },
    created_at: { type: 'timestamptz' },
  },
  indices: [
    { name: 'series_once', columns: ['calendar_id', 'provider_series_id'], unique: true },
    { name: 'series_newest', columns: ['calendar_id', 'created_at', 'series_id'] },
  ],
  checks: [{ name: 'series_event_type', expression: `event_type in ('one_off', 'recurring')` }],
  foreignKeys: [
    {
      name: 'series_calendar',
      target: 'connections',
      columnNames: ['calendar_id'],
      referencedColumnNames: ['calendar_id'],
      onDelete: 'CASCADE',
    },
  ],
});

export type SeriesRow = RowOf<typeof series>;

export const events = defineTable({
  name: 'events',
  columns: {
    event_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'events_pkey' },
    calendar_id: { type: 'uuid' },
    team_id: { type: 'uuid' },
    series_id: { type: 'uuid' },
    occurrence_key: { type: 'text' },
    provider_event_id: { type: 'text' },
    /** The meeting's room: the canonical form of its link. Together with the start it identifies the meeting. */
    meeting_key: { type: 'text' },
    title: { type: 'text' },
    description: { type: 'text', nullable: true },
    location: { type: 'text', nullable: true },
    start_at: { type: 'timestamptz' },
    end_at: { type: 'timestamptz' },
    is_all_day: { type: 'boolean' },
    time_zone: { type: 'text' },
    status: { type: text<EventStatus>() },
    is_exception: { type: 'boolean' },
    is_private: { type: 'boolean' },
    is_organizer: { type: 'boolean' },
    own_response: { type: 'text', nullable: true },
    kind: { type: text<EventKind>() },
    meeting_url: { type: 'text', nullable: true },
    meeting_platform: { type: 'text', nullable: true },
    /** All meeting links, sorted by the default preference. */
    meeting_links: { type: jsonb<readonly FoundLink[]>() },
    /** Differences from the event's original data. */
    notices: { type: jsonb<readonly EventNotice[]>() },
    organizer_email: { type: 'text', nullable: true },
    organizer_name: { type: 'text', nullable: true },
    attendees: { type: jsonb<readonly Attendee[]>(), nullable: true },
    raw: { type: jsonb<Record<string, unknown>>(), nullable: true },
    content_hash: { type: 'text' },
    bot_config_id: { type: 'uuid', nullable: true },
    bot_excluded: { type: 'boolean' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  indices: [
    { name: 'events_once', columns: ['calendar_id', 'occurrence_key'], unique: true },
    { name: 'events_by_provider_id', columns: ['calendar_id', 'provider_event_id'] },
    { name: 'events_by_start', columns: ['calendar_id', 'start_at', 'event_id'] },
    { name: 'events_by_meeting', columns: ['team_id', 'meeting_key', 'start_at'] },
    { name: 'events_of_series', columns: ['series_id', 'start_at'] },
  ],
  checks: [
    { name: 'events_status', expression: `status in ('confirmed', 'cancelled', 'tentative')` },
    { name: 'events_kind', expression: `kind in ('meeting', 'out_of_office', 'focus_time', 'working_location')` },
  ],
  foreignKeys: [
    {
      name: 'events_series',
      target: 'series',
      columnNames: ['series_id'],
      referencedColumnNames: ['series_id'],
      onDelete: 'CASCADE',
    },
  ],
});

export type EventRow = RowOf<typeof events>;

export const wantedBots = defineTable({
  name: 'wanted_bots',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'wanted_bots_pkey' },
    team_id: { type: 'uuid' },
    /** The event whose configuration and link the bot has, of those of its meeting. */
    event_id: { type: 'uuid' },
    /** The team, or the calendar where each calendar has a bot of its own. */
    scope_id: { type: 'uuid' },
    meeting_key: { type: 'text' },
    config_id: { type: 'uuid' },
    join_at: { type: 'timestamptz' },
    /** Events of the room that begin from `join_at` until then are the same meeting. */
    shared_until: { type: 'timestamptz' },
    meeting_url: { type: 'text' },
    state: { type: text<WantedBotState>() },
    version: { type: 'integer' },
    applied_version: { type: 'integer' },
    next_attempt_at: { type: 'timestamptz', nullable: true },
    attempts: { type: 'integer' },
    error_code: { type: 'text', nullable: true },
    error_message: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  indices: [
    {
      name: 'wanted_bots_once',
      columns: ['team_id', 'scope_id', 'meeting_key', 'join_at'],
      unique: true,
      where: `state = 'wanted'`,
    },
    { name: 'wanted_bots_of_meeting', columns: ['team_id', 'meeting_key', 'join_at'] },
    { name: 'wanted_bots_begun', columns: ['join_at'], where: `state = 'wanted'` },
    { name: 'wanted_bots_due', columns: ['next_attempt_at'], where: `next_attempt_at is not null` },
    { name: 'wanted_bots_by_event', columns: ['event_id'] },
  ],
  checks: [{ name: 'wanted_bots_state', expression: `state in ('wanted', 'cancelled', 'over')` }],
});

export type WantedBotRow = RowOf<typeof wantedBots>;

export const rules = defineTable({
  name: 'rules',
  columns: {
    rule_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'rules_pkey' },
    team_id: { type: 'uuid' },
    name: { type: 'text' },
    enabled: { type: 'boolean' },
    conditions: { type: jsonb<RuleConditions>() },
    preferred_platform: { type: text<MeetingPlatform>(), nullable: true },
    bot_config_id: { type: 'uuid' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'rules_of_team', columns: ['team_id', 'created_at', 'rule_id'] }],
});

export type RuleRow = RowOf<typeof rules>;

export const teamSettings = defineTable({
  name: 'team_settings',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'team_settings_pkey' },
    /** Null: the domains of the calendar's account. */
    own_domains: { type: 'text', array: true, nullable: true },
    one_bot_per: { type: text<'meeting' | 'calendar'>() },
    updated_at: { type: 'timestamptz' },
  },
  checks: [{ name: 'team_settings_one_bot_per', expression: `one_bot_per in ('meeting', 'calendar')` }],
});

export type TeamSettingsRow = RowOf<typeof teamSettings>;

/** A notification that is not yet applied to its calendar's due time. */
const syncRequests = defineTable({
  name: 'sync_requests',
  columns: {
    request_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'sync_requests_pkey' },
    calendar_id: { type: 'uuid' },
    requested_at: { type: 'timestamptz' },
    channel_id: { type: 'uuid', nullable: true },
    /** The reason that the provider stated. */
    reason: { type: 'text', nullable: true },
  },
});

/** A provider's event that could not be read. */
const unreadableEvents = defineTable({
  name: 'unreadable_events',
  columns: {
    calendar_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'unreadable_events_pkey' },
    provider_event_id: { type: 'text', primary: true, primaryKeyConstraintName: 'unreadable_events_pkey' },
    /** Names fields, never their values. */
    reason: { type: 'text' },
    since: { type: 'timestamptz' },
  },
  foreignKeys: [
    {
      name: 'unreadable_events_calendar',
      target: 'connections',
      columnNames: ['calendar_id'],
      referencedColumnNames: ['calendar_id'],
      onDelete: 'CASCADE',
    },
  ],
});

export const calendarEntities = [
  connections,
  consents,
  channels,
  botConfigs,
  series,
  events,
  wantedBots,
  rules,
  teamSettings,
  syncRequests,
  unreadableEvents,
];
