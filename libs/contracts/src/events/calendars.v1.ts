import { z } from 'zod';
import { calendarProviderNames } from '../calendar-providers.ts';
import { instant, teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

const calendarId = z.uuid();
const provider = z.enum(calendarProviderNames);

const connection = z.object({
  calendar_id: calendarId,
  calendar_platform: provider,
  account_email: z.string(),
  status: z.enum(['active', 'error', 'revoked', 'permission_denied']),
  created_at: instant,
});

/** One occurrence, with the fields of the public calendar webhooks. */
export const calendarInstance = z.object({
  event_id: z.uuid(),
  start: instant,
  end: instant,
  title: z.string(),
  status: z.enum(['confirmed', 'cancelled', 'tentative']),
  is_all_day: z.boolean(),
  is_exception: z.boolean(),
  bot_scheduled: z.boolean(),
  meeting_url: z.string().nullable(),
  meeting_platform: z.string().nullable(),
});
export type CalendarInstance = z.infer<typeof calendarInstance>;

const series = z.object({
  event_type: z.enum(['one_off', 'recurring']),
  series_id: z.uuid().nullable(),
  series_bot_scheduled: z.boolean(),
});
const instances = z.array(calendarInstance);

/** The change, with the data of the public webhook of the same name. */
export const calendarNotice = z.discriminatedUnion('event', [
  z.object({ event: z.literal('calendar.connection_created'), data: connection }),
  z.object({ event: z.literal('calendar.connection_updated'), data: connection.extend({ updated_at: instant }) }),
  z.object({
    event: z.literal('calendar.connection_deleted'),
    data: z.object({ calendar_id: calendarId, calendar_platform: provider, deleted_at: instant }),
  }),
  z.object({
    event: z.literal('calendar.connection_error'),
    data: connection.extend({ status_message: z.string().nullable(), updated_at: instant }),
  }),
  z.object({
    event: z.literal('calendar.events_synced'),
    data: z.object({ calendar_id: calendarId, events: z.array(series.extend({ instances })) }),
  }),
  z.object({
    event: z.literal('calendar.event_created'),
    data: series.extend({ calendar_id: calendarId, instances }),
  }),
  z.object({
    event: z.literal('calendar.event_updated'),
    data: series.extend({ calendar_id: calendarId, is_exception: z.boolean(), affected_instances: instances }),
  }),
  z.object({
    event: z.literal('calendar.event_cancelled'),
    data: series.omit({ series_bot_scheduled: true }).extend({
      calendar_id: calendarId,
      cancelled_instances: instances,
    }),
  }),
]);
export type CalendarNotice = z.infer<typeof calendarNotice>;

/** A change of a team's calendars that its endpoints may subscribe to. */
export const calendarChanged = defineEvent(
  'calendars.v1.changed',
  ['delivery'],
  z.object({ teamId, calendarId, notice: calendarNotice }),
);

/** One sync of a calendar changed these events: the event of the legacy generation. */
export const calendarEventsAffected = defineEvent(
  'calendars.v1.events-affected',
  ['delivery'],
  z.object({
    teamId,
    calendarId,
    eventIds: z.array(z.uuid()).min(1),
    at: instant,
    /** The calendar's own legacy address; null: the team's legacy endpoints get it. */
    webhookUrl: z.string().nullable(),
  }),
);

export const calendarEvents = [calendarChanged, calendarEventsAffected] as const;
