import { z } from 'zod';
import { botId, instant, teamId } from './shapes.ts';

/**
 * What calendar-sync asks of bot-scheduler: the bots that a team's calendars want, each under an id that calendar-sync chose.
 * A smaller `version` than the one that is stored changes nothing, so requests may be repeated and may overtake each other.
 */
export const calendarBotsRequest = z.object({
  teamId,
  bots: z
    .array(
      z.object({
        botId,
        eventId: z.uuid(),
        version: z.int().positive(),
        /** Null: no bot is wanted; one that has started is asked to leave. */
        wanted: z
          .object({
            joinAt: instant,
            /** The create body without `calendar`; what the gateway would forward. */
            body: z.record(z.string(), z.unknown()),
          })
          .nullable(),
      }),
    )
    .max(100),
});
export type CalendarBotsRequest = z.infer<typeof calendarBotsRequest>;

export const calendarBotResult = z.object({
  botId,
  /**
   * scheduled: it will join as wanted. cancelled: it will not join, or is leaving. running: it has started, and what was
   * wanted changed nothing. ended: it is over. stopped: its schedule was cancelled by the customer. unknown: there is no such
   * bot. refused: no bot can be made of it, `error` says why. failed: it may succeed later.
   */
  outcome: z.enum(['scheduled', 'cancelled', 'running', 'ended', 'stopped', 'unknown', 'refused', 'failed']),
  error: z.object({ code: z.string(), message: z.string(), details: z.string().nullable() }).nullable(),
  /** With `running` and `ended`: what it was made with. */
  current: z.object({ joinAt: instant, meetingUrl: z.string() }).nullable(),
});
export type CalendarBotResult = z.infer<typeof calendarBotResult>;
export const calendarBotsReply = z.object({ results: z.array(calendarBotResult) });

/** Whether bots could be made of these bodies; nothing is written. */
export const calendarBotChecksRequest = z.object({
  teamId,
  bodies: z.array(z.record(z.string(), z.unknown())).max(100),
});
/** In the order of the request; null: yes. */
export const calendarBotChecksReply = z.object({ errors: z.array(calendarBotResult.shape.error) });
