import { z } from 'zod';

/** Added by calendar-sync only: the bot's event, and the newest applied change. */
export const calendarOrigin = z.object({ event_id: z.uuid(), version: z.int().positive() });

/** The calendar event of a stored request; null for a bot without one. */
export function calendarOriginOf(request: Readonly<Record<string, unknown>>): z.infer<typeof calendarOrigin> | null {
  return calendarOrigin.safeParse(request['calendar']).data ?? null;
}
