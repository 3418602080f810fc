import { DateTime } from 'luxon';
import { eventDraftSchema } from './calendar-events.ts';
import type { EventChange, EventDraft, EventFields, Recurrence, StoredSeries } from './calendar-events.ts';
import type { ListedEvent, StoredCalendar } from './calendar-store.ts';

const responses = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentativelyAccepted',
  needsAction: 'notResponded',
} as const;

const showAs: Readonly<Record<string, string>> = { outOfOffice: 'oof', workingLocation: 'workingElsewhere' };

const windowsZones: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  'Europe/Berlin': 'W. Europe Standard Time',
  'America/New_York': 'Eastern Standard Time',
};

/** An element of a list with a form that no client expects. */
export function unknownGraphEvent(calendar: StoredCalendar): object {
  return { id: `unknown-${calendar.id}`, type: 'singleInstance', subject: 42, start: null, end: { dateTime: null } };
}

/** An occurrence in a calendar view: one without deviation has only its times, the rest is in its master. */
export function graphListed(calendar: StoredCalendar, listed: ListedEvent): object {
  const { kind, series } = listed;
  const type = kind === 'single' ? 'singleInstance' : kind;
  const when = { start: graphTime(listed.startMs), end: graphTime(listed.endMs) };
  if (kind === 'occurrence') {
    const odataType = calendar.sparse ? {} : { '@odata.type': '#microsoft.graph.event' };
    return { ...odataType, id: listed.id, type, seriesMasterId: series.id, ...when };
  }
  return graphWhole(calendar, listed);
}

/** An occurrence with everything that it has, as `instances` of a series lists it. */
export function graphWhole(calendar: StoredCalendar, listed: ListedEvent): object {
  const { kind, series } = listed;
  const type = kind === 'single' ? 'singleInstance' : kind;
  const when = { start: graphTime(listed.startMs), end: graphTime(listed.endMs) };
  const recurring =
    kind === 'single'
      ? {}
      : { seriesMasterId: series.id, originalStart: new Date(listed.originalStartMs).toISOString() };
  return {
    ...content(calendar, series, listed.fields),
    id: listed.id,
    type,
    ...recurring,
    ...when,
    iCalUId: uidOf(listed),
  };
}

export function graphMaster(calendar: StoredCalendar, series: StoredSeries): object {
  const { fields, recurrence } = series;
  const start = DateTime.fromISO(fields.start, { zone: fields.timeZone });
  return {
    ...content(calendar, series, fields),
    isCancelled: series.calledOff,
    id: series.id,
    type: recurrence === null ? 'singleInstance' : 'seriesMaster',
    iCalUId: series.iCalUid,
    start: graphTime(start.toMillis()),
    end: graphTime(start.plus({ minutes: fields.durationMinutes }).toMillis()),
    ...(recurrence === null ? {} : { recurrence: graphRecurrence(recurrence, fields) }),
  };
}

/** Each occurrence of a series has an id of its own, unlike its master's. */
function uidOf({ kind, series, originalStartMs }: ListedEvent): string {
  return kind === 'single' ? series.iCalUid : `${series.iCalUid}-${originalStartMs}`;
}

function content(calendar: StoredCalendar, series: StoredSeries, fields: EventFields): object {
  const own = fields.attendees.find(({ email }) => email === calendar.email);
  const isOrganizer = fields.organizer?.email === calendar.email;
  return {
    '@odata.type': '#microsoft.graph.event',
    '@odata.etag': `W/"${series.position}"`,
    createdDateTime: new Date(series.createdMs).toISOString(),
    lastModifiedDateTime: new Date(series.updatedMs).toISOString(),
    changeKey: String(series.sequence),
    subject: fields.title,
    bodyPreview: fields.description.slice(0, 255),
    body: { contentType: 'html', content: fields.description },
    location: { displayName: fields.location, locationType: 'default' },
    isAllDay: fields.allDay,
    // Only the master of a sparse series states it.
    isCancelled: series.calledOff && (series.recurrence === null || !calendar.sparse),
    isOrganizer,
    showAs: showAs[fields.kind] ?? (fields.status === 'tentative' ? 'tentative' : 'busy'),
    sensitivity: fields.isPrivate ? 'private' : 'normal',
    originalStartTimeZone: calendar.sparse
      ? (windowsZones[fields.timeZone] ?? 'tzone://Microsoft/Custom')
      : fields.timeZone,
    responseStatus: { response: isOrganizer ? 'organizer' : responses[own?.response ?? 'needsAction'] },
    organizer: { emailAddress: { name: fields.organizer?.name ?? '', address: fields.organizer?.email ?? '' } },
    attendees: [
      ...fields.attendees.map(({ email, name, response }) => ({
        type: 'required',
        status: { response: responses[response] },
        emailAddress: { name: name ?? email, address: email },
      })),
      ...(calendar.sparse
        ? [{ type: 'required', status: { response: 'none' }, emailAddress: { name: 'Someone', address: null } }, null]
        : []),
    ],
    isOnlineMeeting: fields.meetingUrl !== null,
    onlineMeetingProvider: fields.meetingUrl === null ? 'unknown' : 'teamsForBusiness',
    onlineMeeting: fields.meetingUrl === null ? null : { joinUrl: fields.meetingUrl },
  };
}

function graphTime(ms: number): object {
  return { dateTime: `${new Date(ms).toISOString().slice(0, 19)}.0000000`, timeZone: 'UTC' };
}

function graphRecurrence({ frequency, interval, count, until }: Recurrence, { start }: EventFields): object {
  const startDate = start.slice(0, 10);
  return {
    pattern: { type: frequency, interval },
    range:
      count !== null
        ? { type: 'numbered', startDate, numberOfOccurrences: count }
        : {
            type: until === null ? 'noEnd' : 'endDate',
            startDate,
            ...(until === null ? {} : { endDate: until.slice(0, 10) }),
          },
  };
}

interface GraphBody {
  subject?: string;
  body?: { content?: string };
  location?: { displayName?: string };
  start?: { dateTime: string; timeZone: string };
  end?: { dateTime: string; timeZone: string };
  isAllDay?: boolean;
  attendees?: { emailAddress: { address: string; name?: string } }[];
  onlineMeeting?: { joinUrl?: string };
  recurrence?: {
    pattern: { type: string; interval: number };
    range: { type: string; numberOfOccurrences?: number; endDate?: string };
  };
}

/** The change of an event's PATCH, in the simulator's form. */
export function changeFromGraph({ start, end, ...body }: GraphBody): EventChange {
  const at = (time: { dateTime: string; timeZone: string }) => DateTime.fromISO(time.dateTime, { zone: time.timeZone });
  return {
    title: body.subject,
    description: body.body?.content,
    location: body.location?.displayName,
    ...(start === undefined ? {} : { start: at(start).toFormat("yyyy-MM-dd'T'HH:mm:ss"), timeZone: start.timeZone }),
    ...(start === undefined || end === undefined
      ? {}
      : { durationMinutes: Math.max(1, Math.round(at(end).diff(at(start)).as('minutes'))) }),
    meetingUrl: body.onlineMeeting?.joinUrl,
    attendees: body.attendees?.map(({ emailAddress: { address, name } }) => ({
      email: address,
      name: name ?? null,
      response: 'needsAction' as const,
    })),
  };
}

export function draftFromGraph(body: GraphBody): EventDraft {
  const { pattern, range } = body.recurrence ?? {};
  return eventDraftSchema.parse({
    ...changeFromGraph(body),
    allDay: body.isAllDay ?? false,
    recurrence:
      pattern === undefined
        ? null
        : {
            frequency: pattern.type === 'daily' ? 'daily' : 'weekly',
            interval: pattern.interval,
            count: range?.type === 'numbered' ? range.numberOfOccurrences : null,
            until: range?.type === 'endDate' ? `${range.endDate ?? ''}T23:59:59Z` : null,
          },
  });
}
