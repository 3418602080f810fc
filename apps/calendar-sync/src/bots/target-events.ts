import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { isBotOfEventSql } from '../notices/write-notices.ts';
import type { RuleRow } from '../schema/entities.ts';
import type { CalendarPlace } from '../sealing.ts';
import { wantingEventSql } from './decide-bots.ts';
import { findWanted } from './wanted-bot.ts';
import type { WantingEvent } from './wanted-bot.ts';

export interface TargetWish {
  /** Null: the series of the event. */
  readonly seriesId: string | null;
  readonly allOccurrences: boolean;
  /** Required unless all occurrences of a series are meant. */
  readonly eventId: string | null;
}

export type TargetEvent = WantingEvent & {
  /** The configuration of its bot; null: none is wanted. */
  readonly config_id: string | null;
  readonly has_bot: boolean;
};

export interface BotTarget {
  readonly seriesId: string;
  readonly seriesConfigId: string | null;
  /** One event, or the future occurrences of a series. */
  readonly events: readonly TargetEvent[];
}

/** Throws CALENDAR_NOT_FOUND, CALENDAR_SERIES_NOT_FOUND and CALENDAR_EVENT_NOT_FOUND. */
export async function loadTarget(
  executor: Executor,
  { teamId, calendarId }: CalendarPlace,
  wish: TargetWish,
  nowMs: number,
): Promise<BotTarget> {
  const [series] = await executor.query<{
    calendar_id: string;
    series_id: string | null;
    bot_config_id: string | null;
  }>(
    `select connection.calendar_id, series.series_id, series.bot_config_id from connections connection
       left join series on series.calendar_id = connection.calendar_id and series.series_id = coalesce($3, (
         select event.series_id from events event where event.calendar_id = connection.calendar_id and event.event_id = $4))
     where connection.team_id = $1 and connection.calendar_id = $2 and connection.deleted_at is null`,
    [teamId, calendarId, wish.seriesId, wish.eventId],
  );
  if (series === undefined) throw fail('CALENDAR_NOT_FOUND');
  if (series.series_id === null)
    throw fail(wish.seriesId === null ? 'CALENDAR_EVENT_NOT_FOUND' : 'CALENDAR_SERIES_NOT_FOUND');
  const events = await executor.query<WantingEvent & { has_bot: boolean }>(
    `select wanting.*, exists (select 1 from wanted_bots bot where ${isBotOfEventSql} and bot.state = 'wanted') as has_bot
       from (${wantingEventSql}) wanting join events event using (event_id) where wanting.series_id = $1
       and case when $2::uuid is null then wanting.end_at > $3 and wanting.status <> 'cancelled'
         else wanting.event_id = $2 end order by wanting.start_at, wanting.event_id`,
    [series.series_id, wish.allOccurrences ? null : wish.eventId, new Date(nowMs)],
  );
  if (!wish.allOccurrences && events.length === 0) throw fail('CALENDAR_EVENT_NOT_FOUND');
  const rules = await executor.query<RuleRow>(
    'select * from rules where team_id = $1 and enabled order by created_at, rule_id',
    [teamId],
  );
  return {
    seriesId: series.series_id,
    seriesConfigId: series.bot_config_id,
    events: events.map((event) => ({ ...event, config_id: findWanted(event, rules)?.configId ?? null })),
  };
}
