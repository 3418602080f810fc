import type { EventOrder } from '@rapporteur/contracts';
import type { BotRow } from '../schema/bot-entity.ts';

/** The sequence of the event that a bot's admission publishes. */
export function firstEventOrder(at: Date): EventOrder {
  return { event: 'bot.status_change', sequence: 1, at: at.toISOString(), previous: {} };
}

/**
 * Sequences of the next public events of a bot, which the caller has locked. The last one must be written to
 * `bots.event_order` in the same transaction. Times strictly increase, also within one step and after the clock was set
 * back.
 */
export function nextEventOrders(
  bot: Pick<BotRow, 'event_order' | 'history_count' | 'admitted_at'>,
  events: readonly string[],
  now: Date,
): EventOrder[] {
  let last: EventOrder = bot.event_order ?? { ...firstEventOrder(bot.admitted_at), sequence: bot.history_count };
  return events.map((event) => {
    const { sequence, at, previous } = last;
    last = {
      event,
      sequence: sequence + 1,
      at: new Date(Math.max(now.getTime(), Date.parse(at) + 1)).toISOString(),
      previous: { ...previous, [last.event]: sequence },
    };
    return last;
  });
}
