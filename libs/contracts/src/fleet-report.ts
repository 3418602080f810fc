import { z } from 'zod';
import { botId, instant, teamId } from './shapes.ts';

const count = z.int().nonnegative();

/** `at`: the beginning of the period; `queued` and `used`: the most bots that waited for a launch, and that ran, at once. */
const period = z.object({ at: instant, ended: count, failed: count, queued: count, used: count });

/** The bots of the whole deployment, for its operators. Seconds are of wall-clock time. */
export const fleetReport = z.object({
  at: instant,
  /** Bots in progress. */
  phases: z.array(z.object({ phase: z.string(), platform: z.string(), bots: count })),
  capacity: z.object({
    limit: count,
    used: count,
    queued: count,
    oldestQueuedSeconds: z.number().nullable(),
    pending: count,
    /** Null: not before another bot ends. */
    expectedPickupSeconds: z.number().nullable(),
    obstacles: z.array(z.object({ cause: z.string(), message: z.string(), runs: count })),
  }),
  /** What follows is of the last day, and of so many newest bots at most. */
  newestBots: count,
  /** Scheduled bots that began to join; late: more than ten seconds after the requested time. */
  punctuality: z.object({
    bots: count,
    late: count,
    p95Seconds: z.number().nullable(),
    mostSeconds: z.number().nullable(),
  }),
  /** Hours of the last day and days of the last month (UTC). */
  hours: z.array(period),
  days: z.array(period),
  platforms: z.array(z.object({ platform: z.string(), ended: count, failed: count })),
  /** Failures by cause, the most frequent first, each with the newest bot. */
  failures: z.array(
    z.object({
      code: z.string(),
      bots: count,
      example: z.object({
        botId,
        botName: z.string(),
        teamId,
        teamName: z.string().nullable(),
        endedAt: instant,
        message: z.string().nullable(),
      }),
    }),
  ),
});
export type FleetReport = z.infer<typeof fleetReport>;
