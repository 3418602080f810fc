import type { RowOf } from '@rapporteur/database';
import type { MeetingPlatform } from '@rapporteur/meeting-links';
import type { FoundLink } from '../links/find-meeting-links.ts';
import type { botConfigs, channels, connections, events, rules, series, teamSettings, wantedBots } from './entities.ts';
import type { RuleConditions } from './rule-conditions.ts';

export type Platform = 'google' | 'microsoft';
export type ConnectionStatus = 'active' | 'error' | 'revoked' | 'permission_denied';
export type SyncStatus = 'success' | 'failed' | 'partial';
/** opening: the provider has not responded yet. closing: it is to be closed. */
export type ChannelState = 'opening' | 'active' | 'closing';
export type EventType = 'one_off' | 'recurring';
export type EventStatus = 'confirmed' | 'cancelled' | 'tentative';
/** over: the bot is no longer updated by the calendar. */
export type WantedBotState = 'wanted' | 'cancelled' | 'over';

/** A difference from the event's original data. */
export interface EventNotice {
  readonly code: 'MEETING_LINK_UNUSABLE' | 'TIME_DOUBLED' | 'TIME_SKIPPED' | 'TIME_ZONE_UNKNOWN';
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

export type ConnectionRow = RowOf<
  typeof connections,
  {
    platform: Platform;
    status: ConnectionStatus;
    sync_status: SyncStatus | null;
    preferred_platform: MeetingPlatform | null;
  }
>;

export type ChannelRow = RowOf<typeof channels, { state: ChannelState }>;

export type BotConfigRow = RowOf<typeof botConfigs>;

export type SeriesRow = RowOf<typeof series, { event_type: EventType; inherited: Inherited | null }>;

export type EventRow = RowOf<
  typeof events,
  {
    status: EventStatus;
    meeting_links: readonly FoundLink[];
    notices: readonly EventNotice[];
    attendees: readonly Attendee[] | null;
    raw: Record<string, unknown> | null;
  }
>;

export type WantedBotRow = RowOf<typeof wantedBots, { state: WantedBotState }>;

export type RuleRow = RowOf<typeof rules, { conditions: RuleConditions; preferred_platform: MeetingPlatform | null }>;

export type TeamSettingsRow = RowOf<typeof teamSettings>;
