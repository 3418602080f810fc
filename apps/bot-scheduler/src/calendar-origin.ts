import { z } from 'zod';

/** Added by calendar-sync only: the event whose bot it is, and the newest change that was applied. */
export const calendarOrigin = z.object({ event_id: z.uuid(), version: z.int().positive() });

/** What a stored request says of its calendar event; null for a bot without one. */
export function calendarOriginOf(request: Readonly<Record<string, unknown>>): z.infer<typeof calendarOrigin> | null {
  return calendarOrigin.safeParse(request['calendar']).data ?? null;
}
