import type { ConnectionRow, EventRow, RuleRow, SeriesRow, TeamSettingsRow } from '../schema/entities.ts';
import { chooseLink } from '../links/choose-link.ts';
import { matchRule } from './match-rule.ts';

/** The data that decides whether an event wants a bot. */
export type WantingEvent = Pick<
  EventRow,
  | 'event_id'
  | 'calendar_id'
  | 'meeting_key'
  | 'title'
  | 'start_at'
  | 'end_at'
  | 'is_all_day'
  | 'status'
  | 'is_private'
  | 'is_organizer'
  | 'own_response'
  | 'kind'
  | 'meeting_url'
  | 'meeting_platform'
  | 'meeting_links'
  | 'notices'
  | 'organizer_email'
  | 'attendees'
  | 'bot_config_id'
  | 'bot_excluded'
> & {
  readonly series_config_id: SeriesRow['bot_config_id'];
  readonly series_excluded: SeriesRow['bot_excluded'];
  readonly account_email: ConnectionRow['account_email'];
  readonly own_domains: TeamSettingsRow['own_domains'];
  /** Null: the default, a meeting. */
  readonly one_bot_per: TeamSettingsRow['one_bot_per'] | null;
};

export interface Wanted {
  readonly configId: string;
  /** The event's link that the bot opens. */
  readonly meetingUrl: string;
  /** What wants it, in the order of precedence. */
  readonly by: 'event' | 'series' | 'rule';
}

/**
 * The bot of an event: its own, its series', or that of the first matching rule. Null: none. Settings of an event take
 * precedence over those of its series, and both over rules. A series has no bot on an occurrence that the account
 * declined.
 */
export function findWanted(event: WantingEvent, rules: readonly RuleRow[]): Wanted | null {
  const { status, meeting_url: meetingUrl, is_all_day, bot_excluded, bot_config_id } = event;
  if (status === 'cancelled' || meetingUrl === null || is_all_day || bot_excluded) return null;
  if (bot_config_id !== null) return { configId: bot_config_id, meetingUrl, by: 'event' };
  if (event.series_excluded) return null;
  if (event.series_config_id !== null && event.own_response !== 'declined')
    return { configId: event.series_config_id, meetingUrl, by: 'series' };
  for (const rule of rules) {
    const asSeen = seenByRule(event, rule);
    if (!matchRule(rule.conditions, asSeen).matches) continue;
    return { configId: rule.bot_config_id, meetingUrl: asSeen.meeting_url ?? meetingUrl, by: 'rule' };
  }
  return null;
}

/** The event with the link that the rule's bot would open. */
export function seenByRule(event: WantingEvent, rule: Pick<RuleRow, 'preferred_platform'>): WantingEvent {
  if (rule.preferred_platform === null) return event;
  return { ...event, ...chooseLink(event.meeting_links, rule.preferred_platform) };
}
