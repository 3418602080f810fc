import { DateTime } from 'luxon';
import * as z from 'zod';

const localTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'must be like 2031-05-04T09:30:00');
const email = z.string().min(3).max(254);

export const attendeeSchema = z.strictObject({
  email,
  name: z.string().max(200).nullable().default(null),
  response: z.enum(['accepted', 'declined', 'tentative', 'needsAction']).default('needsAction'),
});

const organizer = z.strictObject({ email, name: z.string().max(200).nullable().default(null) }).nullable();

/** The fields of an event. */
export const eventFieldsSchema = z.strictObject({
  title: z.string().max(1_000).default('Meeting'),
  description: z.string().max(20_000).default(''),
  location: z.string().max(1_000).default(''),
  /** Wall-clock time in `timeZone`; of an all-day event only the date counts. */
  start: localTime,
  durationMinutes: z.int().min(1).max(40_320).default(30),
  timeZone: z.string().max(60).default('UTC'),
  allDay: z.boolean().default(false),
  meetingUrl: z.string().max(2_000).nullable().default(null),
  /** Beside the link, in the conference data. Google only. */
  passcode: z.string().max(128).nullable().default(null),
  /** Microsoft has no focus time. */
  kind: z.enum(['default', 'outOfOffice', 'focusTime', 'workingLocation']).default('default'),
  organizer: organizer.default(null),
  attendees: z.array(attendeeSchema).max(500).default([]),
  isPrivate: z.boolean().default(false),
  status: z.enum(['confirmed', 'tentative']).default('confirmed'),
});
export type EventFields = z.infer<typeof eventFieldsSchema>;

export const recurrenceSchema = z.strictObject({
  frequency: z.enum(['daily', 'weekly']),
  interval: z.int().min(1).max(52).default(1),
  count: z.int().min(1).max(400).nullable().default(null),
  /** The last occurrence starts at this UTC time or before. */
  until: z.iso.datetime().nullable().default(null),
});
export type Recurrence = z.infer<typeof recurrenceSchema>;

export const eventDraftSchema = eventFieldsSchema.extend({
  recurrence: recurrenceSchema.nullable().default(null),
  /** Shared by copies of one meeting in several calendars; omitted: a new one. */
  iCalUid: z.string().min(1).max(200).optional(),
});
export type EventDraft = z.infer<typeof eventDraftSchema>;

/** Without defaults: omitted fields are unchanged. */
export const eventChangeSchema = z.strictObject({
  title: z.string().max(1_000).optional(),
  description: z.string().max(20_000).optional(),
  location: z.string().max(1_000).optional(),
  start: localTime.optional(),
  durationMinutes: z.int().min(1).max(40_320).optional(),
  timeZone: z.string().max(60).optional(),
  meetingUrl: z.string().max(2_000).nullable().optional(),
  organizer: organizer.optional(),
  attendees: z.array(attendeeSchema).max(500).optional(),
  isPrivate: z.boolean().optional(),
  status: z.enum(['confirmed', 'tentative']).optional(),
});
export type EventChange = z.infer<typeof eventChangeSchema>;

/** A single event, or a series with its exceptions. */
export interface StoredSeries {
  readonly id: string;
  readonly iCalUid: string;
  fields: EventFields;
  recurrence: Recurrence | null;
  /** The keys are the epoch ms of the start according to the rule. */
  readonly exceptions: Map<number, EventChange>;
  readonly cancelled: Set<number>;
  readonly createdMs: number;
  updatedMs: number;
  sequence: number;
  /** Position of its last change in the calendar's log. */
  position: number;
  /** Cancelled by its organiser: it stays in the calendar until it is deleted. Microsoft only. */
  calledOff: boolean;
}

export type OccurrenceKind = 'single' | 'occurrence' | 'exception';

export interface Occurrence {
  readonly kind: OccurrenceKind;
  /** Epoch ms of the start according to the rule. */
  readonly originalStartMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly fields: EventFields;
}

const mostOccurrences = 800;

/**
 * Every occurrence that starts in the window, by the rule or moved there by an exception. Wall-clock time is kept
 * across daylight saving.
 */
export function occurrencesOf(series: StoredSeries, window: { readonly fromMs: number; readonly toMs: number }) {
  const { fields, recurrence } = series;
  const first = startOf(fields);
  if (recurrence === null) return [occurrence('single', first.toMillis(), fields)];
  const found: Occurrence[] = [];
  const untilMs = recurrence.until === null ? Infinity : Date.parse(recurrence.until);
  const last = recurrence.count ?? mostOccurrences;
  for (let index = 0; index < last; index += 1) {
    const step = index * recurrence.interval;
    const originalStartMs = first.plus(recurrence.frequency === 'daily' ? { days: step } : { weeks: step }).toMillis();
    if (originalStartMs > untilMs || originalStartMs > window.toMs) break;
    if (originalStartMs < window.fromMs || series.cancelled.has(originalStartMs)) continue;
    const change = series.exceptions.get(originalStartMs);
    const local = DateTime.fromMillis(originalStartMs, { zone: fields.timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
    const own = applyChange({ ...fields, start: local }, change ?? {});
    found.push(occurrence(change === undefined ? 'occurrence' : 'exception', originalStartMs, own));
  }
  return found;
}

function occurrence(kind: OccurrenceKind, originalStartMs: number, fields: EventFields): Occurrence {
  const start = startOf(fields);
  const end = fields.allDay
    ? start.plus({ days: Math.max(1, Math.round(fields.durationMinutes / 1_440)) })
    : start.plus({ minutes: fields.durationMinutes });
  return { kind, originalStartMs, startMs: start.toMillis(), endMs: end.toMillis(), fields };
}

export function startOf({ start, timeZone, allDay }: EventFields): DateTime {
  const at = DateTime.fromISO(start, { zone: timeZone });
  return allDay ? at.startOf('day') : at;
}

/** Wall-clock text of an instant in a time zone. */
export function localText(ms: number, timeZone: string): string {
  return DateTime.fromMillis(ms, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
}

/** Omitted and undefined fields are unchanged. */
export function applyChange(fields: EventFields, change: EventChange): EventFields {
  return eventFieldsSchema.parse({ ...fields, ...withoutMissing(change) });
}

export function withoutMissing<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T;
}
