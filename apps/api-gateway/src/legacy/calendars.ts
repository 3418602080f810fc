import type { Request } from 'express';
import type { LegacyComponents } from '@rapporteur/contracts/legacy-api';
import { fail } from '@rapporteur/failures';
import { z } from 'zod';
import { acceptedOf } from '../contract/validator.ts';
import { keyHeader, keyOf } from '../keys/authentication.ts';
import { dataOf, OwnerRefusal } from './request-scheduler.ts';
import type { RequestScheduler, SchedulerCall } from './request-scheduler.ts';
import { describeEvent, storedEvent } from './calendar-events.ts';
import type { StoredEvent } from './calendar-events.ts';
import { translateCalendarBot, translateCalendarBotChange } from './calendar-bot-request.ts';
import type { CalendarBotChange, CalendarBotRequest, UsedKey } from './calendar-bot-request.ts';

type Schemas = LegacyComponents['schemas'];
type Work = (request: Request, sendRequest: RequestScheduler) => Promise<unknown>;

const connection = z.object({
  calendar_id: z.string(),
  account_email: z.string(),
  subscription_id: z.string().nullable(),
  provider_metadata: z.object({ raw_calendar_id: z.string(), name: z.string() }),
});
const created = z.object({ calendar_id: z.string() });
const rawCalendars = z.array(z.object({ id: z.string(), email: z.string(), is_primary: z.boolean() }));
const botOutcome = z.object({
  data: z.array(z.object({ event_id: z.string() })),
  errors: z.array(z.object({ event_id: z.string(), code: z.string(), message: z.string() })),
});
const eventPage = z.object({ data: z.array(storedEvent), cursor: z.string().nullable() });

const calendarsOf = (call: Omit<SchedulerCall, 'owner'>): SchedulerCall => ({ owner: 'calendar-sync', ...call });

/** Handlers of the calendar operations of the legacy document: translations of calendar-sync's routes. */
export const calendarWorks: Readonly<Record<string, Work>> = {
  addCalendar: create,
  addCalendarByFormerPath: create,
  listAllCalendars: async (_request, sendRequest) => {
    const read = await sendRequest(calendarsOf({ method: 'GET', path: '/v1/calendars' }));
    return dataOf(z.array(connection), read).map(describeCalendar);
  },
  listProviderCalendars: async (request, sendRequest) => {
    const body = credentialsOf(acceptedOf(request).body as Schemas['CalendarCredentials']);
    const read = await sendRequest(calendarsOf({ method: 'POST', path: '/v2/calendars/list-raw', body }));
    return { calendars: dataOf(rawCalendars, read) };
  },
  readCalendar: (request, sendRequest) => readCalendar(sendRequest, uuidOf(request)),
  replaceCalendarCredentials: async (request, sendRequest) => {
    const { calendar_platform: _platform, ...body } = credentialsOf(
      acceptedOf(request).body as Schemas['CalendarCredentials'],
    );
    await sendRequest(calendarsOf({ method: 'PATCH', path: `/v2/calendars/${uuidOf(request)}`, body }));
    return { calendar: await readCalendar(sendRequest, uuidOf(request)) };
  },
  removeCalendar: async (request, sendRequest) => {
    await sendRequest(calendarsOf({ method: 'DELETE', path: `/v2/calendars/${uuidOf(request)}` }));
    return { ok: true };
  },
  resyncAllCalendars: resyncAll,
  listEvents: async (request, sendRequest) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(acceptedOf(request).query)) query.set(name, String(value));
    const read = await sendRequest(calendarsOf({ method: 'GET', path: `/v1/calendar-events?${query.toString()}` }));
    const { data, cursor } = eventPage.parse(read);
    return { data: data.map(describeEvent), next: cursor };
  },
  readEvent: async (request, sendRequest) => describeEvent(await readEvent(sendRequest, uuidOf(request))),
  scheduleEventBot: async (request, sendRequest) => {
    const body = translateCalendarBot(acceptedOf(request).body as CalendarBotRequest, usedKeyOf(request));
    return await changeBots(request, sendRequest, {
      method: 'POST',
      event: await readEvent(sendRequest, uuidOf(request)),
      body,
    });
  },
  updateEventBot: async (request, sendRequest) => {
    const event = await readEvent(sendRequest, uuidOf(request));
    if (event.bot === null) throw fail('BOT_STATUS', { message: 'No bot is scheduled on this event.' });
    const change = acceptedOf(request).body as CalendarBotChange;
    const body = translateCalendarBotChange(change, event.bot, usedKeyOf(request));
    return await changeBots(request, sendRequest, { method: 'PATCH', event, body });
  },
  cancelEventBot: async (request, sendRequest) => {
    const event = await readEvent(sendRequest, uuidOf(request));
    // A repeat is not an error here, unlike in v2.
    if (event.bot === null && !allOccurrencesOf(request)) return [describeEvent(event)];
    try {
      return await changeBots(request, sendRequest, { method: 'DELETE', event, body: {} });
    } catch (error) {
      if (error instanceof OwnerRefusal && error.status === 409 && event.bot === null) return [describeEvent(event)];
      throw error;
    }
  },
};

async function create(request: Request, sendRequest: RequestScheduler): Promise<unknown> {
  const given = acceptedOf(request).body as Schemas['CreateCalendar'];
  const body = {
    ...credentialsOf(given),
    raw_calendar_id: given.raw_calendar_id ?? 'primary',
    preferred_platform: null,
    webhook_url: given.webhook_url,
  };
  const made = dataOf(created, await sendRequest(calendarsOf({ method: 'POST', path: '/v2/calendars', body })));
  return { calendar: await readCalendar(sendRequest, made.calendar_id) };
}

function credentialsOf(given: Schemas['CalendarCredentials']) {
  const { oauth_client_id, oauth_client_secret, oauth_refresh_token, platform } = given;
  const calendar_platform = platform === 'Google' ? ('google' as const) : ('microsoft' as const);
  return { calendar_platform, oauth_client_id, oauth_client_secret, oauth_refresh_token, oauth_tenant_id: 'common' };
}

async function readCalendar(sendRequest: RequestScheduler, calendarId: string): Promise<Schemas['Calendar']> {
  const read = await sendRequest(calendarsOf({ method: 'GET', path: `/v2/calendars/${calendarId}` }));
  return describeCalendar(dataOf(connection, read));
}

function describeCalendar(stored: z.infer<typeof connection>): Schemas['Calendar'] {
  return {
    uuid: stored.calendar_id,
    email: stored.account_email,
    name: stored.provider_metadata.name,
    provider_id: stored.provider_metadata.raw_calendar_id,
    resource_id: stored.subscription_id ?? '',
  };
}

async function resyncAll(_request: Request, sendRequest: RequestScheduler): Promise<unknown> {
  const read = await sendRequest(calendarsOf({ method: 'GET', path: '/v1/calendars' }));
  const synced: string[] = [];
  const errors: [string, string][] = [];
  for (const { calendar_id } of dataOf(z.array(connection), read)) {
    try {
      await sendRequest(calendarsOf({ method: 'POST', path: `/v2/calendars/${calendar_id}/sync` }));
      synced.push(calendar_id);
    } catch (error) {
      if (!(error instanceof OwnerRefusal)) throw error;
      errors.push([calendar_id, z.object({ message: z.string() }).parse(error.body).message]);
    }
  }
  return { synced_calendars: synced, errors };
}

async function readEvent(sendRequest: RequestScheduler, eventId: string): Promise<StoredEvent> {
  return dataOf(storedEvent, await sendRequest(calendarsOf({ method: 'GET', path: `/v1/calendar-events/${eventId}` })));
}

interface BotChange {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly event: StoredEvent;
  readonly body: object;
}

/** Returns the changed events in their current state. When none changed, throws the first event's error. */
async function changeBots(
  request: Request,
  sendRequest: RequestScheduler,
  { method, event, body }: BotChange,
): Promise<unknown> {
  const target = { series_id: event.series_id, event_id: event.event_id, all_occurrences: allOccurrencesOf(request) };
  const path = `/v2/calendars/${event.calendar_id}/bots`;
  const outcome = botOutcome.parse(await sendRequest(calendarsOf({ method, path, body: { ...body, ...target } })));
  const [error] = outcome.errors;
  if (outcome.data.length === 0 && error !== undefined) {
    throw fail(error.code === 'BOT_STATUS' ? 'BOT_STATUS' : 'VALIDATION', { message: error.message });
  }
  const events = await Promise.all(outcome.data.map(({ event_id }) => readEvent(sendRequest, event_id)));
  return events.map(describeEvent);
}

function allOccurrencesOf(request: Request): boolean {
  return acceptedOf(request).query['all_occurrences'] === true;
}

function uuidOf(request: Request): string {
  return String(acceptedOf(request).params['uuid']);
}

function usedKeyOf(request: Request): UsedKey {
  return { id: keyOf(request).keyId, text: String(request.headers[keyHeader]) };
}
