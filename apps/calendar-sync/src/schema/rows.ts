import type { RuleConditions } from './rule-conditions.ts';

export type Platform = 'google' | 'microsoft';
export type ConnectionStatus = 'active' | 'error' | 'revoked' | 'permission_denied';
export type SyncStatus = 'success' | 'failed' | 'partial';
/** opening: the provider was not asked yet, or has not answered. closing: it is to be stopped. */
export type ChannelState = 'opening' | 'active' | 'closing';
export type EventType = 'one_off' | 'recurring';
export type EventStatus = 'confirmed' | 'cancelled' | 'tentative';
/** over: the bot is none of the calendar's business any more. */
export type WantedBotState = 'wanted' | 'cancelled' | 'over';

export interface Attendee {
  readonly email: string;
  readonly name: string | null;
  readonly response_status: 'accepted' | 'declined' | 'tentative' | 'needsAction';
  readonly organizer?: boolean;
  readonly self?: boolean;
}

/** What the occurrences of a series take from its master: the master as the provider sent it. */
export type Inherited = Readonly<Record<string, unknown>>;

export interface ConnectionRow {
  readonly calendar_id: string;
  readonly team_id: string;
  readonly platform: Platform;
  readonly raw_calendar_id: string;
  readonly account_email: string;
  readonly name: string;
  readonly time_zone: string;
  readonly oauth_client_id: string;
  readonly oauth_tenant_id: string;
  readonly client_secret: Buffer;
  readonly refresh_token: Buffer;
  readonly access_token: Buffer | null;
  readonly access_token_expires_at: Date | null;
  readonly status: ConnectionStatus;
  readonly status_message: string | null;
  readonly sync_status: SyncStatus | null;
  readonly sync_error: string | null;
  readonly synced_at: Date | null;
  readonly sync_cursor: string | null;
  readonly window_start: Date | null;
  readonly window_end: Date | null;
  readonly full_sync_wanted: boolean;
  /** Increases with each request: a round that began before the last one leaves `full_sync_wanted` as it is. */
  readonly full_sync_requests: number;
  readonly next_sync_at: Date;
  readonly sync_started_at: Date | null;
  readonly sync_lease: string | null;
  readonly sync_lease_until: Date | null;
  readonly sync_failures: number;
  readonly webhook_url: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export interface ChannelRow {
  readonly channel_id: string;
  readonly calendar_id: string;
  readonly provider_channel_id: string | null;
  readonly token_hash: Buffer;
  readonly state: ChannelState;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export interface BotConfigRow {
  readonly config_id: string;
  readonly team_id: string;
  readonly sealed: Buffer;
  readonly created_at: Date;
}

export interface SeriesRow {
  readonly series_id: string;
  readonly calendar_id: string;
  readonly team_id: string;
  readonly provider_series_id: string;
  readonly event_type: EventType;
  readonly inherited: Inherited | null;
  readonly bot_config_id: string | null;
  readonly bot_excluded: boolean;
  readonly created_at: Date;
}

export interface EventRow {
  readonly event_id: string;
  readonly calendar_id: string;
  readonly team_id: string;
  readonly series_id: string;
  readonly occurrence_key: string;
  readonly provider_event_id: string;
  readonly meeting_key: string;
  readonly title: string;
  readonly description: string | null;
  readonly location: string | null;
  readonly start_at: Date;
  readonly end_at: Date;
  readonly is_all_day: boolean;
  readonly time_zone: string;
  readonly status: EventStatus;
  readonly is_exception: boolean;
  readonly is_private: boolean;
  readonly is_organizer: boolean;
  readonly own_response: string | null;
  readonly meeting_url: string | null;
  readonly meeting_platform: string | null;
  readonly organizer_email: string | null;
  readonly organizer_name: string | null;
  readonly attendees: readonly Attendee[] | null;
  readonly raw: Record<string, unknown> | null;
  readonly content_hash: string;
  readonly bot_config_id: string | null;
  readonly bot_excluded: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface WantedBotRow {
  readonly bot_id: string;
  readonly team_id: string;
  readonly event_id: string;
  readonly meeting_key: string;
  readonly config_id: string;
  readonly join_at: Date;
  readonly meeting_url: string;
  readonly state: WantedBotState;
  readonly version: number;
  readonly applied_version: number;
  readonly next_attempt_at: Date | null;
  readonly attempts: number;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface RuleRow {
  readonly rule_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly conditions: RuleConditions;
  readonly bot_config_id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A notification that is not yet part of its calendar's due time. */
export interface SyncRequestRow {
  readonly request_id: string;
  readonly calendar_id: string;
  readonly requested_at: Date;
}
