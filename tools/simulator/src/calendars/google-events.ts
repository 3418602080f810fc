import { DateTime } from 'luxon';
import type { EventChange, EventDraft, EventFields, Recurrence } from './calendar-events.ts';
import { eventDraftSchema } from './calendar-events.ts';
import type { ListedEvent, StoredCalendar } from './calendar-store.ts';

/** An event as Google Calendar v3 shows it. */
export function googleEvent(calendar: StoredCalendar, listed: ListedEvent): object {
  const { series, fields, kind } = listed;
  const recurring =
    kind === 'single'
      ? {}
      : { recurringEventId: series.id, originalStartTime: googleTime(listed.originalStartMs, fields) };
  if (listed.removed) {
    if (calendar.sparse) return { id: calendar.series.has(series.id) ? listed.id : series.id, status: 'cancelled' };
    return { kind: 'calendar#event', id: listed.id, status: 'cancelled', ...recurring };
  }
  return {
    kind: 'calendar#event',
    etag: `"${listed.position}"`,
    id: listed.id,
    status: fields.status,
    created: new Date(series.createdMs).toISOString(),
    updated: new Date(series.updatedMs).toISOString(),
    summary: fields.title,
    ...(fields.description === '' ? {} : { description: fields.description }),
    ...(fields.location === '' ? {} : { location: fields.location }),
    organizer: participant(calendar, fields.organizer),
    start: googleTime(listed.startMs, fields),
    end: googleTime(listed.endMs, fields),
    iCalUID: series.iCalUid,
    sequence: series.sequence,
    ...recurring,
    ...attendeesOf(calendar, fields),
    ...(fields.isPrivate ? { visibility: 'private' } : {}),
    ...conference(fields),
    eventType: fields.kind,
  };
}

/** An element of a list with a form that no client expects. */
export function unknownGoogleEvent(calendar: StoredCalendar): object {
  return { kind: 'calendar#event', id: `unknown-${calendar.id}`, status: 'confirmed', summary: 42, start: {} };
}

function attendeesOf(calendar: StoredCalendar, fields: EventFields): object {
  const attendees: unknown[] = fields.attendees.map(({ email, name, response }) => ({
    email,
    ...(name === null ? {} : { displayName: name }),
    responseStatus: response,
    ...(email === calendar.email ? { self: true } : {}),
    ...(email === fields.organizer?.email ? { organizer: true } : {}),
  }));
  if (calendar.sparse) attendees.push({ email: null, displayName: 'Someone', responseStatus: null }, null);
  return attendees.length === 0 ? {} : { attendees };
}

function participant(calendar: StoredCalendar, organizer: EventFields['organizer']) {
  if (organizer === null) return {};
  const self = organizer.email === calendar.email ? { self: true } : {};
  return { email: organizer.email, ...(organizer.name === null ? {} : { displayName: organizer.name }), ...self };
}

function conference({ meetingUrl: url, passcode }: EventFields): object {
  if (url === null) return {};
  const isMeet = url.includes('meet.');
  return {
    ...(isMeet ? { hangoutLink: url } : {}),
    conferenceData: {
      conferenceId: url.split('/').at(-1),
      conferenceSolution: { key: { type: isMeet ? 'hangoutsMeet' : 'addOn' } },
      entryPoints: [
        {
          entryPointType: 'video',
          uri: url,
          label: url.replace(/^https:\/\//, ''),
          ...(passcode === null ? {} : { passcode }),
        },
        { entryPointType: 'phone', uri: 'tel:+1-555-010-0000' },
      ],
    },
  };
}

function googleTime(ms: number, { allDay, timeZone }: EventFields): object {
  const at = DateTime.fromMillis(ms, { zone: timeZone });
  return allDay ? { date: at.toISODate() } : { dateTime: at.toISO({ suppressMilliseconds: true }), timeZone };
}

interface GoogleBody {
  summary?: string;
  description?: string;
  location?: string;
  start?: { dateTime?: string; date?: string; timeZone?: string };
  end?: { dateTime?: string; date?: string };
  recurrence?: string[];
  hangoutLink?: string;
  conferenceData?: { entryPoints?: { entryPointType?: string; uri?: string }[] };
  attendees?: {
    email: string;
    displayName?: string;
    responseStatus?: 'accepted' | 'declined' | 'tentative' | 'needsAction';
  }[];
  iCalUID?: string;
}

/** The change of an events.patch, in the simulator's form. */
export function changeFromGoogle(body: GoogleBody, zone: string): EventChange {
  const { start, end } = body;
  const timeZone = start?.timeZone ?? zone;
  const at = (time: { dateTime?: string; date?: string }): DateTime =>
    DateTime.fromISO(time.dateTime ?? `${time.date ?? ''}T00:00:00`, { zone: timeZone });
  const url =
    body.conferenceData?.entryPoints?.find((entry) => entry.entryPointType === 'video')?.uri ?? body.hangoutLink;
  return {
    title: body.summary,
    description: body.description,
    location: body.location,
    ...(start === undefined ? {} : { start: at(start).toFormat("yyyy-MM-dd'T'HH:mm:ss"), timeZone }),
    ...(start === undefined || end === undefined
      ? {}
      : { durationMinutes: Math.max(1, Math.round(at(end).diff(at(start)).as('minutes'))) }),
    meetingUrl: url,
    attendees: body.attendees?.map(({ email, displayName, responseStatus }) => ({
      email,
      name: displayName ?? null,
      response: responseStatus ?? 'needsAction',
    })),
  };
}

export function draftFromGoogle(body: GoogleBody, calendar: StoredCalendar): EventDraft {
  const rule = body.recurrence?.find((line) => line.startsWith('RRULE:'));
  return eventDraftSchema.parse({
    ...changeFromGoogle(body, calendar.timeZone),
    allDay: body.start?.date !== undefined,
    recurrence: rule === undefined ? null : recurrenceFrom(rule),
    iCalUid: body.iCalUID,
  });
}

function recurrenceFrom(rule: string): Recurrence {
  const parts = new Map(
    rule
      .slice('RRULE:'.length)
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const until = parts.get('UNTIL');
  return {
    frequency: parts.get('FREQ') === 'DAILY' ? 'daily' : 'weekly',
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
    until: until === undefined ? null : (DateTime.fromISO(until, { zone: 'utc' }).toISO() ?? null),
  };
}
