import { DateTime } from 'luxon';
import { z } from 'zod';
import { linkTexts } from '../../links/find-meeting-links.ts';
import type { LinkText } from '../../links/find-meeting-links.ts';
import type { Attendee, Inherited } from '../../schema/rows.ts';
import type { Occurrence, PageRequest, ProviderItem } from '../calendar-provider.ts';

const time = z.object({ dateTime: z.string(), timeZone: z.string().optional() });
const address = z.object({
  emailAddress: z.object({ address: z.string().optional(), name: z.string().optional() }).optional(),
});
const text = z.string().nullish();
const place = z.object({ displayName: text, locationUri: text });

export const graphEvent = z.looseObject({
  id: z.string(),
  '@removed': z.unknown().optional(),
  type: text,
  seriesMasterId: text,
  originalStart: text,
  originalStartTimeZone: text,
  iCalUId: text,
  uid: text,
  subject: text,
  body: z.object({ content: text }).nullish(),
  location: place.nullish(),
  locations: z.array(place).nullish(),
  start: time.nullish(),
  end: time.nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  isOrganizer: z.boolean().nullish(),
  showAs: text,
  sensitivity: text,
  onlineMeeting: z.object({ joinUrl: text }).nullish(),
  onlineMeetingUrl: text,
  responseStatus: z.object({ response: text }).nullish(),
  organizer: address.nullish(),
  attendees: z.array(address.extend({ status: z.object({ response: text }).nullish() })).nullish(),
});
export type GraphEvent = z.infer<typeof graphEvent>;

type Account = Pick<PageRequest, 'accountEmail' | 'timeZone'>;

export function readGraphEvent(event: GraphEvent, account: Account): ProviderItem {
  if (event['@removed'] !== undefined || event.isCancelled === true)
    return { kind: 'removed', providerEventId: event.id };
  if (event.type === 'seriesMaster') return { kind: 'master', providerSeriesId: event.id, master: event };
  const seriesId = event.seriesMasterId ?? null;
  // Occurrences that do not deviate come without what their master says; exceptions share the master's meeting id.
  if (seriesId !== null) return { kind: 'inheriting', providerSeriesId: seriesId, item: event };
  return { kind: 'occurrence', occurrence: occurrenceOf(event, account, event) };
}

/** The whole occurrence of what it says itself and its master. */
export function inheritFromMaster(item: Inherited, master: Inherited, account: Account): Occurrence {
  const own = graphEvent.parse(item);
  const whole = own.type === 'exception' ? own : { ...graphEvent.parse(master), ...own };
  return occurrenceOf(whole, account, graphEvent.parse(master));
}

function occurrenceOf(event: GraphEvent, { accountEmail }: Account, master: GraphEvent): Occurrence {
  const startMs = instantOf(event.start);
  const endMs = instantOf(event.end);
  const seriesId = event.seriesMasterId ?? null;
  const originalMs = originalStartOf(event, startMs);
  const organizer = event.organizer?.emailAddress;
  return {
    // An occurrence gets another id when it begins to deviate; its series and original start stay.
    occurrenceKey: seriesId === null ? event.id : `${seriesId}@${originalMs}`,
    providerEventId: event.id,
    providerSeriesId: seriesId ?? event.id,
    isRecurring: seriesId !== null,
    isException: event.type === 'exception',
    meetingUid: master.uid ?? master.iCalUId ?? event.id,
    title: event.subject ?? '',
    description: event.body?.content ?? null,
    location: event.location?.displayName ?? null,
    startMs,
    endMs,
    isAllDay: event.isAllDay === true,
    timeZone: event.originalStartTimeZone ?? 'UTC',
    status: event.showAs === 'tentative' ? 'tentative' : 'confirmed',
    isPrivate: event.sensitivity === 'private' || event.sensitivity === 'confidential',
    isOrganizer: event.isOrganizer === true,
    ownResponse: event.responseStatus?.response == null ? null : responseOf(event.responseStatus.response),
    linkTexts: linkTextsOf(event),
    organizerEmail: organizer?.address ?? null,
    organizerName: organizer?.name ?? null,
    attendees: attendeesOf(event, accountEmail),
    raw: event,
  };
}

function linkTextsOf({ location, locations, body, subject, onlineMeeting, onlineMeetingUrl }: GraphEvent): LinkText[] {
  const places = [location, ...(locations ?? [])].flatMap((one) => [one?.locationUri, one?.displayName]);
  return [
    ...linkTexts('calendar', [onlineMeeting?.joinUrl, onlineMeetingUrl]),
    ...linkTexts('organizer', [...places, body?.content, subject]),
  ];
}

function attendeesOf({ attendees, organizer }: GraphEvent, accountEmail: string): Attendee[] | null {
  if (attendees === null || attendees === undefined) return null;
  return attendees.flatMap(({ emailAddress, status }) => {
    const email = emailAddress?.address;
    if (email === undefined) return [];
    return [
      {
        email,
        name: emailAddress?.name ?? null,
        response_status: responseOf(status?.response ?? 'none'),
        ...(email === organizer?.emailAddress?.address ? { organizer: true } : {}),
        ...(email === accountEmail ? { self: true } : {}),
      },
    ];
  });
}

function responseOf(response: string): Attendee['response_status'] {
  if (response === 'accepted' || response === 'organizer') return 'accepted';
  if (response === 'tentativelyAccepted') return 'tentative';
  return response === 'declined' ? 'declined' : 'needsAction';
}

function originalStartOf({ originalStart }: GraphEvent, startMs: number): number {
  if (originalStart === null || originalStart === undefined) return startMs;
  const at = DateTime.fromISO(originalStart, { zone: 'utc' });
  return at.isValid ? at.toMillis() : startMs;
}

/** Times come in UTC, as asked for. Of an all-day event only the date counts, where the event was made. */
function instantOf(at: z.infer<typeof time> | null | undefined): number {
  const read = DateTime.fromISO(at?.dateTime ?? '', { zone: at?.timeZone ?? 'utc' });
  return read.isValid ? read.toMillis() : Number.NaN;
}
