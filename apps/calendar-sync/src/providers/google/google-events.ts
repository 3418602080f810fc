import { readableOf } from '@rapporteur/contracts';
import { z } from 'zod';
import { linkTexts } from '../../links/find-meeting-links.ts';
import type { LinkText } from '../../links/find-meeting-links.ts';
import type { Attendee, EventKind } from '../../schema/entities.ts';
import type { Account, Occurrence, ProviderItem } from '../calendar-provider.ts';
import { optionalText, providerId, shownName, storableInstant } from '../read-items.ts';
import { noticesOf, readTime, readZone } from '../read-time.ts';
import type { ReadTime } from '../read-time.ts';

const time = z.object({ dateTime: optionalText, date: optionalText, timeZone: optionalText });
/** A fact about an attendee; another one does not hide the attendee. */
const flag = z.boolean().nullish().catch(null);
const participant = z.object({ email: optionalText, displayName: shownName.catch(null), self: flag });
const code = optionalText.catch(null);
const entryPoint = z.object({
  entryPointType: optionalText,
  uri: optionalText,
  passcode: code,
  password: code,
  accessCode: code,
  pin: code,
});

const googleEvent = z.object({
  id: providerId,
  status: optionalText,
  summary: shownName,
  description: optionalText,
  location: optionalText,
  start: time.nullish(),
  end: time.nullish(),
  recurringEventId: providerId.nullish(),
  originalStartTime: time.nullish(),
  visibility: optionalText,
  eventType: optionalText.catch(null),
  hangoutLink: optionalText,
  organizer: participant.nullish().catch(null),
  attendees: readableOf(
    participant.extend({
      responseStatus: optionalText.catch(null),
      organizer: flag,
      resource: flag,
    }),
  ).nullish(),
  conferenceData: z
    .object({ entryPoints: readableOf(entryPoint).nullish(), notes: optionalText.catch(null) })
    .nullish(),
});
type GoogleEvent = z.infer<typeof googleEvent>;

/** A deletion may contain only its id. Throws for an unreadable event. */
export function readGoogleEvent(raw: Readonly<Record<string, unknown>>, zone: Account): ProviderItem {
  const event = googleEvent.parse(raw);
  if (event.status === 'cancelled') return { kind: 'removed', providerEventId: event.id };
  const start = timeOf(event.start, zone.timeZone);
  const end = timeOf(event.end, zone.timeZone);
  const when = {
    startMs: storableInstant(start?.ms ?? null, 'start'),
    endMs: storableInstant(end?.ms ?? null, 'end'),
    timeNotices: noticesOf([start, end]),
  };
  return { kind: 'occurrence', occurrence: { ...occurrenceOf(event, zone, when), raw } };
}

function occurrenceOf(
  event: GoogleEvent,
  zone: Account,
  when: Pick<Occurrence, 'startMs' | 'endMs' | 'timeNotices'>,
): Omit<Occurrence, 'raw'> {
  const { organizer, attendees } = event;
  const seriesId = event.recurringEventId ?? null;
  const originalMs = timeOf(event.originalStartTime, zone.timeZone)?.ms ?? null;
  const account = zone.accountEmail.toLowerCase();
  const own =
    attendees?.find(({ self }) => self === true) ?? attendees?.find(({ email }) => email?.toLowerCase() === account);
  return {
    // An instance keeps its id when it is moved: the id is derived from its original start.
    occurrenceKey: event.id,
    providerEventId: event.id,
    providerSeriesId: seriesId ?? event.id,
    isRecurring: seriesId !== null,
    isException: originalMs !== null && originalMs !== when.startMs,
    title: event.summary ?? '',
    description: event.description ?? null,
    location: event.location ?? null,
    ...when,
    isAllDay: typeof event.start?.date === 'string',
    timeZone: readZone(event.start?.timeZone ?? '') ?? zone.timeZone,
    status: event.status === 'tentative' ? 'tentative' : 'confirmed',
    isPrivate: event.visibility === 'private' || event.visibility === 'confidential',
    isOrganizer: organizer?.self === true,
    kind: kinds[event.eventType ?? ''] ?? 'meeting',
    ownResponse: own === undefined ? null : responseOf(own.responseStatus),
    linkTexts: linkTextsOf(event),
    organizerEmail: organizer?.email ?? null,
    organizerName: organizer?.displayName ?? null,
    attendees:
      attendees?.flatMap(({ email, displayName, responseStatus, organizer: isOrganizer, self, resource }) =>
        email === undefined || email === null
          ? []
          : [
              {
                email,
                name: displayName ?? null,
                response_status: responseOf(responseStatus),
                ...(isOrganizer === true ? { organizer: true } : {}),
                ...(self === true ? { self: true } : {}),
                ...(resource === true ? { resource: true } : {}),
              },
            ],
      ) ?? null,
  };
}

function linkTextsOf({ conferenceData, hangoutLink, location, description, summary }: GoogleEvent): LinkText[] {
  const entries = conferenceData?.entryPoints ?? [];
  const passcodeOf = ({ passcode, password, accessCode, pin }: (typeof entries)[number]) =>
    [passcode, password, accessCode, pin].find((one) => typeof one === 'string' && one !== '');
  const video = entries.filter(({ entryPointType }) => entryPointType === 'video');
  const withPasscodes = video.map((one) => {
    // Some conferences state it with another way in only.
    const passcode = passcodeOf(one) ?? entries.map(passcodeOf).find((other) => other !== undefined);
    return [one.uri, passcode === undefined ? '' : `Passcode: ${passcode}`, conferenceData?.notes].join('\n');
  });
  return [
    ...linkTexts('calendar', [...withPasscodes, hangoutLink]),
    ...linkTexts('organizer', [location, description, summary]),
  ];
}

/** Other types are meetings: `default`, `fromGmail`, and those that Google may add. */
const kinds: Readonly<Record<string, EventKind>> = {
  outOfOffice: 'out_of_office',
  focusTime: 'focus_time',
  workingLocation: 'working_location',
};

function responseOf(status: string | null | undefined): Attendee['response_status'] {
  return status === 'accepted' || status === 'declined' || status === 'tentative' ? status : 'needsAction';
}

/** An all-day event begins at midnight in its calendar's zone. Null: no readable time. */
function timeOf(at: GoogleEvent['start'], calendarZone: string): ReadTime | null {
  const text = at?.dateTime ?? at?.date ?? null;
  return text === null ? null : readTime({ text, zone: at?.timeZone ?? null }, calendarZone);
}
