import type { RowOf } from '@rapporteur/database';
import type { botConfigs, channels, connections, events, rules, series, wantedBots } from './entities.ts';
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

export type ConnectionRow = RowOf<
  typeof connections,
  { platform: Platform; status: ConnectionStatus; sync_status: SyncStatus | null }
>;

export type ChannelRow = RowOf<typeof channels, { state: ChannelState }>;

export type BotConfigRow = RowOf<typeof botConfigs>;

export type SeriesRow = RowOf<typeof series, { event_type: EventType; inherited: Inherited | null }>;

export type EventRow = RowOf<
  typeof events,
  { status: EventStatus; attendees: readonly Attendee[] | null; raw: Record<string, unknown> | null }
>;

export type WantedBotRow = RowOf<typeof wantedBots, { state: WantedBotState }>;

export type RuleRow = RowOf<typeof rules, { conditions: RuleConditions }>;
