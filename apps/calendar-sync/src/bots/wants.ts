import type { ConnectionRow, EventRow, RuleRow, SeriesRow } from '../schema/rows.ts';
import { matchRule } from './match-rule.ts';

/** What decides whether an event wants a bot. */
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
  | 'meeting_url'
  | 'meeting_platform'
  | 'organizer_email'
  | 'attendees'
  | 'bot_config_id'
  | 'bot_excluded'
> & {
  readonly series_config_id: SeriesRow['bot_config_id'];
  readonly series_excluded: SeriesRow['bot_excluded'];
  readonly account_email: ConnectionRow['account_email'];
};

/** A meeting that began longer ago gets no new bot. */
export const lateJoinMs = 5 * 60_000;

/**
 * The configuration that an event's bot has: its own, its series', or that of the first rule that matches. Null: none is
 * wanted. What was said of an event comes before what was said of its series, and both before rules.
 */
export function wantedConfig(event: WantingEvent, rules: readonly RuleRow[]): string | null {
  const { status, meeting_url, is_all_day, bot_excluded, bot_config_id } = event;
  if (status === 'cancelled' || meeting_url === null || is_all_day || bot_excluded) return null;
  if (bot_config_id !== null) return bot_config_id;
  if (event.series_excluded) return null;
  if (event.series_config_id !== null) return event.series_config_id;
  return rules.find((rule) => matchRule(rule.conditions, event).matches)?.bot_config_id ?? null;
}

export function mayStillBegin({ start_at, end_at }: Pick<WantingEvent, 'start_at' | 'end_at'>, nowMs: number): boolean {
  return start_at.getTime() + lateJoinMs > nowMs && end_at.getTime() > nowMs;
}
