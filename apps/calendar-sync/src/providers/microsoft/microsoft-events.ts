import { readableOf } from '@rapporteur/contracts';
import { z } from 'zod';
import { linkTexts } from '../../links/find-meeting-links.ts';
import type { LinkText } from '../../links/find-meeting-links.ts';
import type { Attendee, EventKind, Inherited } from '../../schema/entities.ts';
import type { Account, Occurrence, ProviderItem } from '../calendar-provider.ts';
import { optionalText, providerId, shownName, storableInstant } from '../read-items.ts';
import { noticesOf, readTime, readZone } from '../read-time.ts';
import type { ReadTime } from '../read-time.ts';

const time = z.object({ dateTime: z.string(), timeZone: optionalText });
const address = z.object({
  emailAddress: z.object({ address: optionalText, name: shownName.catch(null) }).nullish(),
});
const place = z.object({ displayName: optionalText, locationUri: optionalText, locationEmailAddress: optionalText });

const graphEvent = z.object({
  id: providerId,
  '@removed': z.unknown().optional(),
  type: optionalText,
  seriesMasterId: providerId.nullish(),
  originalStart: optionalText,
  originalStartTimeZone: optionalText,
  subject: shownName,
  body: z.object({ content: optionalText }).nullish(),
  location: place.nullish(),
  locations: readableOf(place).nullish(),
  start: time.nullish(),
  end: time.nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  isOrganizer: z.boolean().nullish(),
  showAs: optionalText,
  sensitivity: optionalText,
  onlineMeeting: z.object({ joinUrl: optionalText }).nullish(),
  onlineMeetingUrl: optionalText,
  responseStatus: z.object({ response: optionalText }).nullish(),
  organizer: address.nullish().catch(null),
  attendees: readableOf(
    address.extend({
      type: optionalText.catch(null),
      status: z.object({ response: optionalText }).nullish().catch(null),
    }),
  ).nullish(),
});
type GraphEvent = z.infer<typeof graphEvent>;

/** Throws for an unreadable event. */
export function readGraphEvent(raw: Inherited, account: Account): ProviderItem {
  const event = graphEvent.parse(raw);
  if (event['@removed'] !== undefined) return { kind: 'removed', providerEventId: event.id };
  const isCancelled = event.isCancelled === true;
  if (event.type === 'seriesMaster') return { kind: 'master', providerSeriesId: event.id, master: raw, isCancelled };
  if (isCancelled) return { kind: 'removed', providerEventId: event.id };
  const seriesId = event.seriesMasterId ?? null;
  // Regular occurrences lack the data of their master.
  if (seriesId !== null)
    return { kind: 'inheriting', providerEventId: event.id, providerSeriesId: seriesId, item: raw };
  return { kind: 'occurrence', occurrence: { ...occurrenceOf(event, account), raw } };
}

/** The own data of a regular occurrence; a list of instances repeats its master there. */
const ownFields = ['id', 'type', 'seriesMasterId', 'start', 'end'] as const;

/**
 * Merges an occurrence with its master; null: the series is cancelled, which only its master states. Throws for an
 * unreadable occurrence.
 */
export function inheritFromMaster(item: Inherited, masterItem: Inherited, account: Account): Occurrence | null {
  const master = graphEvent.parse(masterItem);
  if (master.isCancelled === true) return null;
  const isException = item['type'] === 'exception';
  const own = Object.fromEntries(ownFields.map((name) => [name, item[name]]));
  const raw = isException ? item : { ...masterItem, ...own };
  return { ...occurrenceOf(graphEvent.parse(raw), account), raw };
}

function occurrenceOf(event: GraphEvent, { accountEmail, timeZone }: Account): Omit<Occurrence, 'raw'> {
  const start = timeOf(event.start, timeZone);
  const end = timeOf(event.end, timeZone);
  const startMs = storableInstant(start?.ms ?? null, 'start');
  const seriesId = event.seriesMasterId ?? null;
  const originalMs = originalStartOf(event, startMs);
  const organizer = event.organizer?.emailAddress;
  const attendees = attendeesOf(event, accountEmail);
  return {
    // The id of an occurrence changes when it becomes an exception; its series and original start do not.
    occurrenceKey: seriesId === null ? event.id : `${seriesId}@${originalMs}`,
    providerEventId: event.id,
    providerSeriesId: seriesId ?? event.id,
    isRecurring: seriesId !== null,
    isException: event.type === 'exception',
    title: event.subject ?? '',
    description: event.body?.content ?? null,
    location: event.location?.displayName ?? null,
    startMs,
    endMs: storableInstant(end?.ms ?? null, 'end'),
    timeNotices: noticesOf([start, end]),
    isAllDay: event.isAllDay === true,
    timeZone: readZone(event.originalStartTimeZone ?? '') ?? timeZone,
    status: event.showAs === 'tentative' ? 'tentative' : 'confirmed',
    isPrivate: event.sensitivity === 'private' || event.sensitivity === 'confidential',
    isOrganizer: event.isOrganizer === true,
    kind: kinds[event.showAs ?? ''] ?? 'meeting',
    ownResponse: ownResponseOf(event, attendees),
    linkTexts: linkTextsOf(event),
    organizerEmail: organizer?.address ?? null,
    organizerName: organizer?.name ?? null,
    attendees,
  };
}

function linkTextsOf({ location, locations, body, subject, onlineMeeting, onlineMeetingUrl }: GraphEvent): LinkText[] {
  const places = [location, ...(locations ?? [])].flatMap((one) => [one?.locationUri, one?.displayName]);
  return [
    ...linkTexts('calendar', [onlineMeeting?.joinUrl, onlineMeetingUrl]),
    ...linkTexts('organizer', [...places, body?.content, subject]),
  ];
}

function attendeesOf(
  { attendees, organizer, location, locations }: GraphEvent,
  accountEmail: string,
): Attendee[] | null {
  if (attendees === null || attendees === undefined) return null;
  const places = new Set([location, ...(locations ?? [])].map((one) => one?.locationEmailAddress?.toLowerCase()));
  return attendees.flatMap(({ emailAddress, status, type }) => {
    const email = emailAddress?.address;
    if (email === undefined || email === null) return [];
    return [
      {
        email,
        name: emailAddress?.name ?? null,
        response_status: responseOf(status?.response ?? 'none'),
        ...(email === organizer?.emailAddress?.address ? { organizer: true } : {}),
        ...(email.toLowerCase() === accountEmail.toLowerCase() ? { self: true } : {}),
        ...(type === 'resource' || places.has(email.toLowerCase()) ? { resource: true } : {}),
      },
    ];
  });
}

/** An organizer's own answer is in the list of attendees alone. */
function ownResponseOf({ responseStatus }: GraphEvent, attendees: readonly Attendee[] | null) {
  const own = attendees?.find(({ self }) => self === true)?.response_status;
  if (own === 'declined') return own;
  return responseStatus?.response == null ? null : responseOf(responseStatus.response);
}

/** What the event shows the account as; Exchange has no kind of events. */
const kinds: Readonly<Record<string, EventKind>> = { oof: 'out_of_office', workingElsewhere: 'working_location' };

function responseOf(response: string): Attendee['response_status'] {
  if (response === 'accepted' || response === 'organizer') return 'accepted';
  if (response === 'tentativelyAccepted') return 'tentative';
  return response === 'declined' ? 'declined' : 'needsAction';
}

/** In UTC. It identifies the occurrence, so an unreadable one is an error, not another time. */
function originalStartOf({ originalStart }: GraphEvent, startMs: number): number {
  if (originalStart === null || originalStart === undefined) return startMs;
  return storableInstant(readTime({ text: originalStart, zone: 'UTC' }, 'UTC')?.ms ?? null, 'originalStart');
}

/** Times are in UTC, as requested. For an all-day event only the date counts, in the zone of its creation. */
function timeOf(at: GraphEvent['start'], calendarZone: string): ReadTime | null {
  return at === null || at === undefined
    ? null
    : readTime({ text: at.dateTime, zone: at.timeZone ?? 'UTC' }, calendarZone);
}
