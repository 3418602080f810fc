import { z } from 'zod';
import { botId, instant, teamId } from './shapes.ts';

/**
 * calendar-sync's request to bot-scheduler: the bots of a team's calendars, each under an id chosen by calendar-sync. A
 * `version` smaller than the stored one changes nothing, so requests may be repeated and reordered.
 */
export const calendarBotsRequest = z.object({
  teamId,
  bots: z
    .array(
      z.object({
        botId,
        eventId: z.uuid(),
        version: z.int().positive(),
        /** Null: no bot is requested; one that has started leaves. */
        wanted: z
          .object({
            joinAt: instant,
            /** The create body without `calendar`, in the form that the gateway forwards. */
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
   * scheduled: it will join as requested. cancelled: it will not join, or is leaving. running: it has started, and the
   * request changed nothing. ended: it is over. stopped: its schedule was cancelled by the customer. unknown: there is
   * no such bot. refused: the request is invalid, `error` states why. failed: it may succeed later. withdrawn: refused
   * or failed, and the schedule that the request was to replace is cancelled; the bot needs another id.
   */
  outcome: z.enum([
    'scheduled',
    'cancelled',
    'running',
    'ended',
    'stopped',
    'unknown',
    'refused',
    'failed',
    'withdrawn',
  ]),
  error: z.object({ code: z.string(), message: z.string(), details: z.string().nullable() }).nullable(),
  /** With `running` and `ended`: the request that created it. */
  current: z.object({ joinAt: instant, meetingUrl: z.string() }).nullable(),
});
export type CalendarBotResult = z.infer<typeof calendarBotResult>;
export const calendarBotsReply = z.object({ results: z.array(calendarBotResult) });

/** Whether bots could be created from these bodies; nothing is written. */
export const calendarBotChecksRequest = z.object({
  teamId,
  bodies: z.array(z.record(z.string(), z.unknown())).max(100),
});
/** In the order of the request; null: valid. */
export const calendarBotChecksReply = z.object({ errors: z.array(calendarBotResult.shape.error) });
