import { randomBytes } from 'node:crypto';
import express from 'express';
import type { Request, Response } from 'express';
import { isWithin } from './calendar-store.ts';
import type { ListedEvent, StoredCalendar, TimeWindow } from './calendar-store.ts';
import { changeFromGoogle, draftFromGoogle, googleEvent, unknownGoogleEvent } from './google-events.ts';
import { providerRoute, ProviderRefusal, readToken, strikes, textOf, writeToken } from './provider-requests.ts';
import type { ProviderDependencies } from './provider-requests.ts';
import type { FaultPlace } from './request-faults.ts';

const longestChannelMs = 7 * 86_400_000;
const forbiddenWithToken = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'sharedExtendedProperty',
  'q',
  'timeMin',
  'timeMax',
  'updatedMin',
];

/** State of a listing: its beginning, and the event after which the next page begins. */
interface Listing {
  readonly since: number;
  readonly upTo: number;
  readonly options: string;
  readonly timeMin: string;
  readonly timeMax: string;
  readonly after: string;
}
type SyncToken = Pick<Listing, 'since' | 'options' | 'timeMin' | 'timeMax'>;

/** Google's OAuth token endpoint and Calendar v3. */
export function googleRoutes(dependencies: ProviderDependencies): express.Router {
  const router = express.Router();
  router.post('/oauth2/token', express.urlencoded({ extended: false }), async (request, response) => {
    try {
      if (await strikes(dependencies, 'token', response)) return;
      const { status, body } = dependencies.grants.token('google', (request.body ?? {}) as Record<string, unknown>);
      response.status(status).json(body);
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      refuse(response, error);
    }
  });
  const at = (place: FaultPlace, work: (request: Request, response: Response, email: string) => void) =>
    providerRoute({ provider: 'google', at: place, dependencies, refuse }, work);
  const own = (request: Request, email: string) => calendarOf(dependencies, String(request.params['id']), email);
  const v3 = '/calendar/v3';
  router.get(
    `${v3}/users/me/calendarList`,
    at('calendars', (_request, response, email) => {
      const items = dependencies.store.all().filter((one) => one.provider === 'google' && one.email === email);
      response.json({ kind: 'calendar#calendarList', items: items.map((one) => describeCalendar(one, email)) });
    }),
  );
  router.get(
    `${v3}/calendars/:id`,
    at('calendars', (request, response, email) => {
      response.json(describeCalendar(own(request, email), email));
    }),
  );
  router.get(
    `${v3}/calendars/:id/events`,
    at('list', (request, response, email) => {
      response.json(list(own(request, email), request.query as Record<string, unknown>));
    }),
  );
  router.post(
    `${v3}/calendars/:id/events/watch`,
    at('watch', (request, response, email) => {
      watch(dependencies, own(request, email), request, response);
    }),
  );
  router.post(
    `${v3}/channels/stop`,
    at('stop', (request, response) => {
      const { id, resourceId } = (request.body ?? {}) as Record<string, string>;
      const channel = dependencies.push.channels.get(id ?? '');
      if (channel === undefined || channel.resourceId !== resourceId)
        throw new ProviderRefusal(404, 'channelIdNotFound');
      dependencies.push.channels.delete(channel.id);
      response.status(204).end();
    }),
  );
  addEventRoutes(router, at, own, dependencies);
  return router;
}

type At = (
  place: FaultPlace,
  work: (request: Request, response: Response, email: string) => void,
) => (request: Request, response: Response) => Promise<void>;

function addEventRoutes(
  router: express.Router,
  at: At,
  own: (request: Request, email: string) => StoredCalendar,
  { store }: ProviderDependencies,
): void {
  const root = '/calendar/v3/calendars/:id/events';
  router.post(
    root,
    at('read', (request, response, email) => {
      const calendar = own(request, email);
      const { id } = store.create(calendar.id, draftFromGoogle(request.body as object, calendar));
      response.json(shown(calendar, id));
    }),
  );
  router.get(
    `${root}/:event/instances`,
    at('read', (request, response, email) => {
      const calendar = own(request, email);
      response.json(instances(calendar, String(request.params['event']), request.query as Record<string, unknown>));
    }),
  );
  router.get(
    `${root}/:event`,
    at('read', (request, response, email) => {
      response.json(shown(own(request, email), String(request.params['event'])));
    }),
  );
  router.patch(
    `${root}/:event`,
    at('read', (request, response, email) => {
      const calendar = own(request, email);
      const id = String(request.params['event']);
      shown(calendar, id);
      store.change(calendar.id, id, changeFromGoogle(request.body as object, calendar.timeZone));
      response.json(shown(calendar, id));
    }),
  );
  router.delete(
    `${root}/:event`,
    at('read', (request, response, email) => {
      const calendar = own(request, email);
      const id = String(request.params['event']);
      shown(calendar, id);
      store.cancel(calendar.id, id);
      response.status(204).end();
    }),
  );
}

function shown(calendar: StoredCalendar, id: string): object {
  const series = calendar.series.get(id);
  const listed =
    calendar.listed.get(id) ?? [...calendar.listed.values()].find((one) => one.series === series && !one.removed);
  if (listed === undefined || (listed.removed && series === undefined)) throw new ProviderRefusal(404, 'notFound');
  const {
    recurringEventId: _series,
    originalStartTime: _start,
    ...event
  } = googleEvent(calendar, listed) as Record<string, unknown>;
  return series?.recurrence ? { ...event, id } : googleEvent(calendar, listed);
}

function calendarOf({ store }: ProviderDependencies, id: string, email: string): StoredCalendar {
  const calendar = store.find(id === 'primary' ? email : id);
  if (calendar === null || calendar.provider !== 'google' || calendar.email !== email)
    throw new ProviderRefusal(404, 'notFound');
  return calendar;
}

function describeCalendar(calendar: StoredCalendar, email: string): object {
  return {
    kind: 'calendar#calendarListEntry',
    id: calendar.id,
    summary: calendar.name,
    timeZone: calendar.timeZone,
    accessRole: 'owner',
    ...(calendar.id === email ? { primary: true } : {}),
  };
}

function instances(calendar: StoredCalendar, id: string, query: Record<string, unknown>): object {
  if (!calendar.series.has(id)) throw new ProviderRefusal(404, 'notFound');
  const limit = Math.min(2_500, Number(query['maxResults'] ?? 250));
  const skip = Number(textOf(query['pageToken'])) || 0;
  const window = windowOf(textOf(query['timeMin']), textOf(query['timeMax']));
  const found = [...calendar.listed.values()]
    .filter((one) => one.series.id === id && !one.removed && isWithin(one, window))
    .sort((a, b) => a.startMs - b.startMs);
  return {
    kind: 'calendar#events',
    timeZone: calendar.timeZone,
    items: found.slice(skip, skip + limit).map((one) => googleEvent(calendar, one)),
    ...(found.length > skip + limit ? { nextPageToken: String(skip + limit) } : {}),
  };
}

function windowOf(timeMin: string, timeMax: string): TimeWindow {
  return {
    fromMs: timeMin === '' ? -Infinity : Date.parse(timeMin),
    toMs: timeMax === '' ? Infinity : Date.parse(timeMax),
  };
}

function list(calendar: StoredCalendar, query: Record<string, unknown>): object {
  if (query['singleEvents'] !== 'true') throw new ProviderRefusal(400, 'Only singleEvents=true is simulated.');
  const limit = Math.min(2_500, Number(query['maxResults'] ?? 250));
  const listing = listingOf(calendar, query);
  const matching = [...calendar.listed.values()]
    .filter((one) => one.id > listing.after && one.position > listing.since && isListed(one, listing))
    .filter((one) => !calendar.sparse || isStated(calendar, one))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = matching.slice(0, limit);
  const more = matching.length > limit;
  const { upTo, options, timeMin, timeMax } = listing;
  return {
    kind: 'calendar#events',
    summary: calendar.name,
    timeZone: calendar.timeZone,
    updated: new Date().toISOString(),
    items: [
      ...(calendar.sparse && listing.after === '' ? [unknownGoogleEvent(calendar), null] : []),
      ...page.map((one) => googleEvent(calendar, one)),
    ],
    ...(more
      ? { nextPageToken: writeToken({ ...listing, after: page.at(-1)?.id ?? '' }) }
      : { nextSyncToken: writeToken({ since: upTo, options, timeMin, timeMax }) }),
  };
}

function listingOf(calendar: StoredCalendar, query: Record<string, unknown>): Listing {
  const options = `${textOf(query['singleEvents'])}/${textOf(query['maxAttendees'])}`;
  const syncToken = textOf(query['syncToken']);
  const pageToken = textOf(query['pageToken']);
  if (syncToken !== '') {
    const forbidden = forbiddenWithToken.find((name) => query[name] !== undefined);
    if (forbidden !== undefined || query['showDeleted'] === 'false')
      throw new ProviderRefusal(400, 'syncTokenWithRequestedOrderingNotPermitted');
    const token = readToken<SyncToken>(syncToken);
    if (token === null || token.since < calendar.oldestToken) throw new ProviderRefusal(410, 'fullSyncRequired');
    if (token.options !== options) throw new ProviderRefusal(400, 'invalid');
    if (pageToken === '') return { ...token, upTo: calendar.position, after: '' };
  }
  const page = readToken<Listing>(pageToken);
  if (pageToken !== '' && page === null) throw new ProviderRefusal(400, 'pageTokenInvalid');
  if (page !== null) {
    if (page.since > 0 && page.since < calendar.oldestToken) throw new ProviderRefusal(410, 'fullSyncRequired');
    return page;
  }
  const [timeMin, timeMax] = [textOf(query['timeMin']), textOf(query['timeMax'])];
  return { since: 0, upTo: calendar.position, options, timeMin, timeMax, after: '' };
}

/** The removal of a sparse occurrence is not stated; that of its series is, once, by the series alone. */
function isStated(calendar: StoredCalendar, one: ListedEvent): boolean {
  if (!one.removed || one.kind === 'single') return true;
  if (calendar.series.has(one.series.id)) return false;
  return (
    [...calendar.listed.values()].findLast(
      ({ series, position }) => series === one.series && position === series.position,
    ) === one
  );
}

/** timeMin bounds the end, timeMax the start. Removed and moved events are listed to clients that had them before. */
function isListed(one: ListedEvent, { since, timeMin, timeMax }: Listing): boolean {
  const window = windowOf(timeMin, timeMax);
  if (one.removed) return since > 0;
  return isWithin(one, window) || (since > 0 && one.former !== null && isWithin(one.former, window));
}

function watch(
  { push, now }: ProviderDependencies,
  calendar: StoredCalendar,
  request: Request,
  response: Response,
): void {
  const body = (request.body ?? {}) as {
    id?: string;
    type?: string;
    address?: string;
    token?: string;
    params?: { ttl?: string };
  };
  if (body.type !== 'web_hook' || !URL.canParse(body.address ?? ''))
    throw new ProviderRefusal(400, 'push.webhookUrlNotHttps');
  if (body.id === undefined || !/^[A-Za-z0-9\-_+/=]{1,64}$/.test(body.id)) throw new ProviderRefusal(400, 'invalid');
  if (push.channels.has(body.id)) throw new ProviderRefusal(400, 'channelIdNotUnique');
  const lifetimeMs = Math.min(longestChannelMs, Number(body.params?.ttl ?? longestChannelMs / 1_000) * 1_000);
  const channel = {
    id: body.id,
    resourceId: `res-${randomBytes(6).toString('hex')}`,
    calendarId: calendar.id,
    address: body.address ?? '',
    token: body.token ?? null,
    expiresMs: now() + lifetimeMs,
    messages: 0,
  };
  push.channels.set(channel.id, channel);
  push.opened(channel);
  response.json({
    kind: 'api#channel',
    id: channel.id,
    resourceId: channel.resourceId,
    resourceUri: `https://www.googleapis.com/calendar/v3/calendars/${calendar.id}/events?alt=json`,
    ...(channel.token === null ? {} : { token: channel.token }),
    expiration: String(channel.expiresMs),
  });
}

function refuse(response: Response, { status, reason }: ProviderRefusal): void {
  const errors = [{ domain: 'global', reason, message: reason }];
  response.status(status).json({ error: { code: status, message: reason, errors } });
}
