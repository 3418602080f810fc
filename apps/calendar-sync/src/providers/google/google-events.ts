import { DateTime } from 'luxon';
import { z } from 'zod';
import { linkTexts } from '../../links/find-meeting-links.ts';
import type { LinkText } from '../../links/find-meeting-links.ts';
import type { Attendee } from '../../schema/rows.ts';
import type { Occurrence, PageRequest, ProviderItem } from '../calendar-provider.ts';

const time = z.object({
  dateTime: z.string().optional(),
  date: z.string().optional(),
  timeZone: z.string().optional(),
});
const participant = z.object({
  email: z.string().optional(),
  displayName: z.string().optional(),
  self: z.boolean().optional(),
});

export const googleEvent = z.object({
  id: z.string(),
  status: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  location: z.string().optional(),
  start: time.optional(),
  end: time.optional(),
  iCalUID: z.string().optional(),
  recurringEventId: z.string().optional(),
  originalStartTime: time.optional(),
  visibility: z.string().optional(),
  hangoutLink: z.string().optional(),
  organizer: participant.optional(),
  attendees: z
    .array(participant.extend({ responseStatus: z.string().optional(), organizer: z.boolean().optional() }))
    .optional(),
  conferenceData: z
    .object({
      entryPoints: z.array(z.object({ entryPointType: z.string().optional(), uri: z.string().optional() })).optional(),
    })
    .optional(),
});
export type GoogleEvent = z.infer<typeof googleEvent>;

type Zone = Pick<PageRequest, 'timeZone' | 'accountEmail'>;

type RawEvent = Readonly<Record<string, unknown>>;

/** A deletion may come with nothing but its id. @param raw the event as it came, with the fields that are not read */
export function readGoogleEvent(event: GoogleEvent, raw: RawEvent, zone: Zone): ProviderItem {
  const startMs = instantOf(event.start, zone.timeZone);
  const endMs = instantOf(event.end, zone.timeZone);
  if (event.status === 'cancelled' || startMs === null || endMs === null)
    return { kind: 'removed', providerEventId: event.id };
  return { kind: 'occurrence', occurrence: { ...occurrenceOf(event, zone, { startMs, endMs }), raw } };
}

function occurrenceOf(
  event: GoogleEvent,
  zone: Zone,
  when: { startMs: number; endMs: number },
): Omit<Occurrence, 'raw'> {
  const { recurringEventId: seriesId, organizer, attendees } = event;
  const originalMs = instantOf(event.originalStartTime, zone.timeZone);
  const own = attendees?.find(({ self }) => self === true);
  return {
    // An instance keeps its id when it is moved: the id is made of its original start.
    occurrenceKey: event.id,
    providerEventId: event.id,
    providerSeriesId: seriesId ?? event.id,
    isRecurring: seriesId !== undefined,
    isException: originalMs !== null && originalMs !== when.startMs,
    meetingUid: event.iCalUID ?? event.id,
    title: event.summary ?? '',
    description: event.description ?? null,
    location: event.location ?? null,
    ...when,
    isAllDay: event.start?.date !== undefined,
    timeZone: event.start?.timeZone ?? zone.timeZone,
    status: event.status === 'tentative' ? 'tentative' : 'confirmed',
    isPrivate: event.visibility === 'private' || event.visibility === 'confidential',
    isOrganizer: organizer?.self === true,
    ownResponse: own === undefined ? null : responseOf(own.responseStatus),
    linkTexts: linkTextsOf(event),
    organizerEmail: organizer?.email ?? null,
    organizerName: organizer?.displayName ?? null,
    attendees:
      attendees?.flatMap(({ email, displayName, responseStatus, organizer: isOrganizer, self }) =>
        email === undefined
          ? []
          : [
              {
                email,
                name: displayName ?? null,
                response_status: responseOf(responseStatus),
                ...(isOrganizer === true ? { organizer: true } : {}),
                ...(self === true ? { self: true } : {}),
              },
            ],
      ) ?? null,
  };
}

function linkTextsOf({ conferenceData, hangoutLink, location, description, summary }: GoogleEvent): LinkText[] {
  const video = conferenceData?.entryPoints?.filter(({ entryPointType }) => entryPointType === 'video') ?? [];
  return [
    ...linkTexts('calendar', [...video.map(({ uri }) => uri), hangoutLink]),
    ...linkTexts('organizer', [location, description, summary]),
  ];
}

function responseOf(status: string | undefined): Attendee['response_status'] {
  return status === 'accepted' || status === 'declined' || status === 'tentative' ? status : 'needsAction';
}

/** An all-day event begins at midnight where its calendar is. */
function instantOf(at: z.infer<typeof time> | undefined, timeZone: string): number | null {
  const text = at?.dateTime ?? at?.date;
  if (text === undefined) return null;
  // Google names the offset, and then no zone has to be looked up.
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? null : instant;
  }
  const parsed = DateTime.fromISO(text, { zone: at?.timeZone ?? timeZone });
  return parsed.isValid ? parsed.toMillis() : null;
}
