import { randomBytes } from 'node:crypto';
import { RoomRefused } from '../rooms/room-registry.ts';
import { applyChange, localText, occurrencesOf, withoutMissing } from './calendar-events.ts';
import type { EventChange, EventDraft, Occurrence, StoredSeries } from './calendar-events.ts';

export type Provider = 'google' | 'microsoft';

/** One event in a provider's list; `removed`: it was deleted. */
export interface ListedEvent extends Occurrence {
  readonly id: string;
  readonly series: StoredSeries;
  readonly removed: boolean;
  /** Its time before its last change; null for a new one. A window also shows events that leave it. */
  readonly former: { readonly startMs: number; readonly endMs: number } | null;
  /** Position of its last change in the calendar's log. */
  readonly position: number;
}

export interface StoredCalendar {
  readonly id: string;
  readonly provider: Provider;
  readonly email: string;
  readonly name: string;
  readonly timeZone: string;
  /**
   * As sparse as the real ones are reported to be: no removal of a deleted occurrence, a removal that names the series alone,
   * cancellation on the master alone, items without `clientState` in a batch, elements of an unknown form, addresses that are
   * null, Windows time zones.
   */
  readonly sparse: boolean;
  readonly series: Map<string, StoredSeries>;
  readonly listed: Map<string, ListedEvent>;
  /** Grows with every change. */
  position: number;
  /** Tokens from before it receive 410. */
  oldestToken: number;
}

export interface CalendarStoreOptions {
  /** Epoch ms. */
  readonly now: () => number;
  /** Called after every change. */
  readonly onChange: (calendar: StoredCalendar) => void;
}

const dayMs = 86_400_000;
const seenBackMs = 60 * dayMs;
const seenAheadMs = 400 * dayMs;

/** Calendars and their events, with a log of changes that sync tokens and delta links point into. */
export class CalendarStore {
  readonly #options: CalendarStoreOptions;
  readonly #calendars = new Map<string, StoredCalendar>();

  constructor(options: CalendarStoreOptions) {
    this.#options = options;
  }

  add(given: {
    provider: Provider;
    email: string;
    name?: string;
    timeZone?: string;
    sparse?: boolean;
  }): StoredCalendar {
    const { provider, email, name = email, timeZone = 'UTC', sparse = false } = given;
    const id = provider === 'google' ? email : `AQMk${randomBytes(12).toString('hex')}`;
    if (this.#calendars.has(id)) throw new RoomRefused(`There is already a calendar ${id}.`, 409, 'email');
    const empty = { series: new Map(), listed: new Map(), position: 1, oldestToken: 0 };
    const calendar: StoredCalendar = { id, provider, email, name, timeZone, sparse, ...empty };
    this.#calendars.set(id, calendar);
    return calendar;
  }

  all(): StoredCalendar[] {
    return [...this.#calendars.values()];
  }

  find(id: string): StoredCalendar | null {
    return this.#calendars.get(id) ?? null;
  }

  get(id: string): StoredCalendar {
    const calendar = this.find(id);
    if (calendar === null) throw new RoomRefused(`There is no calendar ${id}.`, 404, 'calendar');
    return calendar;
  }

  remove(id: string): void {
    const calendar = this.get(id);
    this.#calendars.delete(id);
    this.#options.onChange(calendar);
  }

  /** Every token issued so far receives 410. */
  invalidateTokens(id: string): void {
    const calendar = this.get(id);
    calendar.position += 1;
    calendar.oldestToken = calendar.position;
  }

  /** @param id the provider's id; omitted: a new one */
  create(calendarId: string, draft: EventDraft, id = `ev${randomBytes(10).toString('hex')}`): StoredSeries {
    const calendar = this.get(calendarId);
    const { recurrence, iCalUid, ...fields } = draft;
    const now = this.#options.now();
    const series: StoredSeries = {
      id,
      iCalUid: iCalUid ?? `${id}@simulator`,
      fields: { ...fields, organizer: fields.organizer ?? { email: calendar.email, name: null } },
      recurrence,
      exceptions: new Map(),
      cancelled: new Set(),
      createdMs: now,
      updatedMs: now,
      sequence: 0,
      position: 0,
      calledOff: false,
    };
    calendar.series.set(id, series);
    this.#changed(calendar, series);
    return series;
  }

  /** Changes a whole series or single event, or one occurrence of a series. Throws when there is no such event. */
  change(calendarId: string, eventId: string, change: EventChange): void {
    const { calendar, series, originalStartMs } = this.#locate(calendarId, eventId);
    const given = withoutMissing(change);
    if (originalStartMs === null) {
      series.fields = applyChange(series.fields, given);
      // As in the real APIs: moving a series removes its exceptions.
      if (given.start !== undefined || given.timeZone !== undefined) {
        series.exceptions.clear();
        series.cancelled.clear();
      }
    } else {
      series.exceptions.set(originalStartMs, { ...series.exceptions.get(originalStartMs), ...given });
    }
    this.#changed(calendar, series);
  }

  /** Cancels a whole series or single event, or one occurrence. */
  cancel(calendarId: string, eventId: string): void {
    const { calendar, series, originalStartMs } = this.#locate(calendarId, eventId);
    if (originalStartMs === null) {
      calendar.series.delete(series.id);
      this.#changed(calendar, series);
      return;
    }
    series.exceptions.delete(originalStartMs);
    series.cancelled.add(originalStartMs);
    this.#changed(calendar, series, calendar.sparse && series.cancelled.size % 2 === 0);
  }

  /** The organiser cancels a series or single event. In Google's calendars it is gone then. */
  callOff(calendarId: string, eventId: string): void {
    const { calendar, series } = this.#locate(calendarId, eventId);
    if (calendar.provider === 'google') {
      this.cancel(calendarId, series.id);
      return;
    }
    series.calledOff = true;
    this.#changed(calendar, series);
  }

  /**
   * "This and all following": the series ends before the occurrence, and a new one continues from it with the change.
   */
  split(calendarId: string, eventId: string, change: EventChange): StoredSeries {
    const { calendar, series, originalStartMs } = this.#locate(calendarId, eventId);
    if (originalStartMs === null || series.recurrence === null)
      throw new RoomRefused(`Event ${eventId} is no occurrence of a series.`, 409, 'event');
    const before = occurrencesOf(series, { fromMs: -Infinity, toMs: originalStartMs - 1 }).length;
    const { count, until } = series.recurrence;
    const rest = count === null ? null : Math.max(1, count - before);
    series.recurrence = { ...series.recurrence, count: null, until: new Date(originalStartMs - 1_000).toISOString() };
    for (const key of series.exceptions.keys()) if (key >= originalStartMs) series.exceptions.delete(key);
    this.#changed(calendar, series);
    const moved = { ...series.fields, start: localText(originalStartMs, series.fields.timeZone) };
    const recurrence = { ...series.recurrence, count: rest, until: rest === null ? until : null };
    // Google names the new series after the old one; Microsoft does not.
    const stamp = new Date(originalStartMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const id = calendar.provider === 'google' ? `${series.id.replace(/_R.*$/, '')}_R${stamp}` : undefined;
    return this.create(calendarId, { ...applyChange(moved, change), recurrence }, id);
  }

  #locate(calendarId: string, eventId: string) {
    const calendar = this.get(calendarId);
    const whole = calendar.series.get(eventId);
    if (whole !== undefined) return { calendar, series: whole, originalStartMs: null };
    const listed = calendar.listed.get(eventId);
    if (listed === undefined || listed.removed) throw new RoomRefused(`There is no event ${eventId}.`, 404, 'event');
    const series = listed.series;
    return { calendar, series, originalStartMs: series.recurrence === null ? null : listed.originalStartMs };
  }

  /** Appends the change to the calendar's log. @param isSilent the series is not listed for it */
  #changed(calendar: StoredCalendar, series: StoredSeries, isSilent = false): void {
    const now = this.#options.now();
    calendar.position += 1;
    if (!isSilent) series.position = calendar.position;
    series.sequence += 1;
    series.updatedMs = now;
    const there = calendar.series.has(series.id)
      ? occurrencesOf(series, { fromMs: now - seenBackMs, toMs: now + seenAheadMs })
      : [];
    const present = new Map(there.map((one) => [eventIdOf(calendar, series, one), one]));
    for (const listed of calendar.listed.values()) {
      if (listed.series.id !== series.id || listed.removed || present.has(listed.id)) continue;
      calendar.listed.set(listed.id, { ...listed, removed: true, position: calendar.position });
    }
    for (const [id, one] of present) {
      const known = calendar.listed.get(id);
      if (known !== undefined && !known.removed && sameOccurrence(known, one) && !series.calledOff) continue;
      const former = known === undefined ? null : { startMs: known.startMs, endMs: known.endMs };
      calendar.listed.set(id, { ...one, id, series, removed: false, former, position: calendar.position });
    }
    this.#options.onChange(calendar);
  }
}

/** An occurrence of Microsoft's gets another id when it begins to deviate from its series. */
function eventIdOf({ provider }: StoredCalendar, series: StoredSeries, one: Occurrence): string {
  if (one.kind === 'single') return series.id;
  const stamp = new Date(one.originalStartMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const id = `${series.id}_${stamp}`;
  return provider === 'microsoft' && one.kind === 'exception' ? `${id}_x` : id;
}

function sameOccurrence(left: Occurrence, right: Occurrence): boolean {
  return (
    left.kind === right.kind &&
    left.startMs === right.startMs &&
    left.endMs === right.endMs &&
    JSON.stringify(left.fields) === JSON.stringify(right.fields)
  );
}

export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** True when it ends after the window's beginning and starts before its end. */
export function isWithin(
  { startMs, endMs }: { startMs: number; endMs: number },
  { fromMs, toMs }: TimeWindow,
): boolean {
  return endMs > fromMs && startMs < toMs;
}
