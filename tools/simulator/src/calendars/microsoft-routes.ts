import { randomUUID } from 'node:crypto';
import express from 'express';
import type { Request, Response } from 'express';
import { isWithin } from './calendar-store.ts';
import type { ListedEvent, StoredCalendar } from './calendar-store.ts';
import type { StoredSeries } from './calendar-events.ts';
import {
  changeFromGraph,
  draftFromGraph,
  graphListed,
  graphMaster,
  graphWhole,
  unknownGraphEvent,
} from './microsoft-events.ts';
import { providerRoute, ProviderRefusal, readToken, strikes, textOf, writeToken } from './provider-requests.ts';
import type { ProviderDependencies } from './provider-requests.ts';
import type { FaultPlace } from './request-faults.ts';

const longestSubscriptionMs = 10_080 * 60_000;
const shortestSubscriptionMs = 45 * 60_000;

interface Round {
  readonly since: number;
  readonly upTo: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly size: number;
  readonly after: string;
}

type At = (
  place: FaultPlace,
  work: (request: Request, response: Response, email: string) => void | Promise<void>,
) => (request: Request, response: Response) => Promise<void>;

/** Microsoft's token endpoint and the parts of Graph v1.0 that calendars need. */
export function microsoftRoutes(dependencies: ProviderDependencies): express.Router {
  const router = express.Router();
  router.post('/:tenant/oauth2/v2.0/token', express.urlencoded({ extended: false }), async (request, response) => {
    try {
      if (await strikes(dependencies, 'token', response)) return;
      const { status, body } = dependencies.grants.token('microsoft', (request.body ?? {}) as Record<string, unknown>);
      response.status(status).json(body);
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      refuse(response, error);
    }
  });
  const at: At = (place, work) => providerRoute({ provider: 'microsoft', at: place, dependencies, refuse }, work);
  router.get(
    '/v1.0/me',
    at('calendars', (_request, response, email) => {
      response.json({ id: `user-${email}`, displayName: email, mail: email, userPrincipalName: email });
    }),
  );
  router.get(
    '/v1.0/me/calendars',
    at('calendars', (_request, response, email) => {
      const own = dependencies.store.all().filter((one) => one.provider === 'microsoft' && one.email === email);
      response.json({ value: own.map((one, index) => describeCalendar(one, index === 0)) });
    }),
  );
  router.get(
    '/v1.0/me/calendars/:id',
    at('calendars', (request, response, email) => {
      response.json(describeCalendar(calendarOf(dependencies, String(request.params['id']), email), false));
    }),
  );
  router.get(
    '/v1.0/me/calendars/:id/calendarView/delta',
    at('list', (request, response, email) => {
      delta(calendarOf(dependencies, String(request.params['id']), email), request, response);
    }),
  );
  addEventRoutes(router, at, dependencies);
  addSubscriptionRoutes(router, at, dependencies);
  return router;
}

function addEventRoutes(router: express.Router, at: At, dependencies: ProviderDependencies): void {
  router.post(
    '/v1.0/me/calendars/:id/events',
    at('read', (request, response, email) => {
      const calendar = calendarOf(dependencies, String(request.params['id']), email);
      response
        .status(201)
        .json(graphMaster(calendar, dependencies.store.create(calendar.id, draftFromGraph(request.body as object))));
    }),
  );
  const located = (request: Request, email: string) => locate(dependencies, String(request.params['event']), email);
  router.get(
    '/v1.0/me/events/:event',
    at('read', (request, response, email) => {
      const { calendar, series, listed } = located(request, email);
      response.json(listed === null ? graphMaster(calendar, series) : graphListed(calendar, listed));
    }),
  );
  router.get(
    '/v1.0/me/events/:event/instances',
    at('read', (request, response, email) => {
      const { calendar, series } = located(request, email);
      if (series.recurrence === null) throw new ProviderRefusal(400, 'ErrorInvalidRequest');
      instances(calendar, series, { request, response });
    }),
  );
  router.patch(
    '/v1.0/me/events/:event',
    at('read', (request, response, email) => {
      const { calendar, series } = located(request, email);
      dependencies.store.change(calendar.id, String(request.params['event']), changeFromGraph(request.body as object));
      response.json(graphMaster(calendar, series));
    }),
  );
  router.delete(
    '/v1.0/me/events/:event',
    at('read', (request, response, email) => {
      const { calendar } = located(request, email);
      dependencies.store.cancel(calendar.id, String(request.params['event']));
      response.status(204).end();
    }),
  );
}

function addSubscriptionRoutes(router: express.Router, at: At, dependencies: ProviderDependencies): void {
  const { push, now } = dependencies;
  router.post(
    '/v1.0/subscriptions',
    at('watch', async (request, response, email) => {
      const body = (request.body ?? {}) as Record<string, string>;
      const id = /^\/?me\/calendars\/([^/]+)\/events$/.exec(body['resource'] ?? '')?.[1] ?? '';
      const calendar = calendarOf(dependencies, id, email);
      const urls = [body['notificationUrl'], body['lifecycleNotificationUrl']].filter((url) => url !== undefined);
      for (const url of urls) if (!(await push.validates(url))) throw new ProviderRefusal(400, 'ValidationError');
      const subscription = {
        id: randomUUID(),
        calendarId: calendar.id,
        resource: body['resource'] ?? '',
        notificationUrl: body['notificationUrl'] ?? '',
        lifecycleUrl: body['lifecycleNotificationUrl'] ?? null,
        clientState: body['clientState'] ?? '',
        expiresMs: expiryOf(body['expirationDateTime'] ?? '', now()),
      };
      push.subscriptions.set(subscription.id, subscription);
      response.status(201).json(describeSubscription(subscription));
    }),
  );
  const existing = (request: Request) => {
    const found = push.subscriptions.get(String(request.params['id']));
    if (found === undefined) throw new ProviderRefusal(404, 'ResourceNotFound');
    return found;
  };
  router.patch(
    '/v1.0/subscriptions/:id',
    at('renew', (request, response) => {
      const subscription = existing(request);
      subscription.expiresMs = expiryOf(textOf((request.body as Record<string, unknown>)['expirationDateTime']), now());
      response.json(describeSubscription(subscription));
    }),
  );
  router.delete(
    '/v1.0/subscriptions/:id',
    at('stop', (request, response) => {
      push.subscriptions.delete(existing(request).id);
      response.status(204).end();
    }),
  );
}

function describeSubscription(subscription: {
  id: string;
  resource: string;
  notificationUrl: string;
  expiresMs: number;
}) {
  const { id, resource, notificationUrl, expiresMs } = subscription;
  return {
    id,
    resource,
    notificationUrl,
    changeType: 'created,updated,deleted',
    expirationDateTime: new Date(expiresMs).toISOString(),
  };
}

function expiryOf(text: string, nowMs: number): number {
  const wanted = Date.parse(text);
  if (Number.isNaN(wanted) || wanted <= nowMs) throw new ProviderRefusal(400, 'InvalidRequest');
  if (wanted > nowMs + longestSubscriptionMs + 60_000) throw new ProviderRefusal(400, 'ExpirationTooLong');
  return Math.max(wanted, nowMs + shortestSubscriptionMs);
}

function calendarOf({ store }: ProviderDependencies, id: string, email: string): StoredCalendar {
  const calendar = store.find(id);
  if (calendar === null || calendar.provider !== 'microsoft' || calendar.email !== email)
    throw new ProviderRefusal(404, 'ErrorItemNotFound');
  return calendar;
}

function locate({ store }: ProviderDependencies, eventId: string, email: string) {
  for (const calendar of store.all()) {
    if (calendar.provider !== 'microsoft' || calendar.email !== email) continue;
    const series = calendar.series.get(eventId);
    if (series !== undefined) return { calendar, series, listed: null };
    const listed = calendar.listed.get(eventId);
    if (listed !== undefined && !listed.removed) return { calendar, series: listed.series, listed };
  }
  throw new ProviderRefusal(404, 'ErrorItemNotFound');
}

function describeCalendar(calendar: StoredCalendar, isDefault: boolean): object {
  const owner = { name: calendar.name, address: calendar.email };
  return { id: calendar.id, name: calendar.name, isDefaultCalendar: isDefault, canEdit: true, owner };
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

function instances(calendar: StoredCalendar, series: StoredSeries, { request, response }: Exchange): void {
  const query = request.query as Record<string, unknown>;
  const window = {
    fromMs: Date.parse(textOf(query['startDateTime'])),
    toMs: Date.parse(textOf(query['endDateTime'])),
  };
  if (Number.isNaN(window.fromMs) || Number.isNaN(window.toMs)) throw new ProviderRefusal(400, 'ErrorInvalidParameter');
  const size = Number(textOf(query['$top'])) || 10;
  const skip = Number(textOf(query['$skip'])) || 0;
  const found = [...calendar.listed.values()]
    .filter((one) => one.series === series && !one.removed && isWithin(one, window))
    .sort((a, b) => a.startMs - b.startMs);
  const value: object[] = found.slice(skip, skip + size).map((one) => graphWhole(calendar, one));
  const next = new URL(`${request.protocol}://${request.get('host') ?? ''}${request.originalUrl}`);
  next.searchParams.set('$skip', String(skip + size));
  response.json({ value, ...(found.length > skip + size ? { '@odata.nextLink': next.href } : {}) });
}

function delta(calendar: StoredCalendar, request: Request, response: Response): void {
  const round = roundOf(calendar, request);
  const entries = [...masterEntries(calendar, round), ...listedEntries(calendar, round)]
    .filter((entry) => entry.key > round.after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = entries.slice(0, round.size);
  const url = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}${request.path}`;
  const last = page.at(-1);
  const next =
    entries.length > round.size && last !== undefined
      ? { '@odata.nextLink': `${url}?$skiptoken=${writeToken({ ...round, after: last.key })}` }
      : { '@odata.deltaLink': `${url}?$deltatoken=${writeToken({ ...round, since: round.upTo, after: '' })}` };
  const value: (object | null)[] = page.map(({ item }) => item);
  if (calendar.sparse && round.after === '') value.unshift(unknownGraphEvent(calendar), null);
  response.json({ '@odata.context': 'simulated', value, ...next });
}

interface Entry {
  /** The order is not guaranteed: occurrences come before or after their masters. */
  readonly key: string;
  readonly item: object;
}

function masterEntries(calendar: StoredCalendar, round: Round): Entry[] {
  const visible = (series: StoredSeries): boolean =>
    [...calendar.listed.values()].some((one) => one.series === series && !one.removed && isWithin(one, round));
  return [...calendar.series.values()]
    .filter((series) => series.recurrence !== null && series.position > round.since && visible(series))
    .map((series) => ({ key: masterKey(series), item: graphMaster(calendar, series) }));
}

const masterKey = ({ id }: StoredSeries): string => `${id.slice(-1)}/${id}`;

function listedEntries(calendar: StoredCalendar, round: Round): Entry[] {
  return [...calendar.listed.values()].flatMap((one): Entry[] => {
    const key = `${one.id.slice(3, 4)}/${one.id}`;
    if (!one.removed && isWithin(one, round)) {
      // A cancelled sparse series is reported by its master alone.
      if (calendar.sparse && one.series.calledOff && one.kind !== 'single') return [];
      // A change of the master lists every occurrence again.
      const changed = Math.max(one.position, one.kind === 'single' ? 0 : one.series.position);
      return changed > round.since ? [{ key, item: graphListed(calendar, one) }] : [];
    }
    if (round.since === 0 || one.position <= round.since || !wasVisible(one, round)) return [];
    return removal(calendar, one, key);
  });
}

/** The removal of a sparse occurrence is not stated; that of its series is, once, by the series alone. */
function removal(calendar: StoredCalendar, one: ListedEvent, key: string): Entry[] {
  const removed = { '@removed': { reason: 'deleted' } };
  if (!calendar.sparse || one.kind === 'single')
    return [{ key, item: { '@odata.type': '#microsoft.graph.event', id: one.id, ...removed } }];
  if (calendar.series.has(one.series.id)) return [];
  const last = [...calendar.listed.values()].findLast(
    ({ series, position }) => series === one.series && position === series.position,
  );
  return last === one ? [{ key: masterKey(one.series), item: { id: one.series.id, ...removed } }] : [];
}

function wasVisible(one: ListedEvent, round: Round): boolean {
  return one.removed || (one.former !== null && isWithin(one.former, round));
}

function roundOf(calendar: StoredCalendar, request: Request): Round {
  const query = request.query as Record<string, unknown>;
  const size = Number(/odata\.maxpagesize=(\d+)/.exec(request.get('prefer') ?? '')?.[1] ?? 100);
  for (const name of ['$select', '$filter', '$orderby', '$expand', '$search'])
    if (query[name] !== undefined) throw new ProviderRefusal(400, 'ErrorInvalidUrlQuery');
  const [skip, deltaToken] = [textOf(query['$skiptoken']), textOf(query['$deltatoken'])];
  if (skip !== '' || deltaToken !== '') {
    const token = readToken<Round>(skip === '' ? deltaToken : skip);
    if (token === null || (token.since > 0 && token.since < calendar.oldestToken))
      throw new ProviderRefusal(410, 'syncStateNotFound');
    return skip === '' ? { ...token, upTo: calendar.position, size } : token;
  }
  const [fromMs, toMs] = ['startDateTime', 'endDateTime'].map((name) => Date.parse(textOf(query[name]))) as [
    number,
    number,
  ];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) throw new ProviderRefusal(400, 'ErrorInvalidParameter');
  return { since: 0, upTo: calendar.position, fromMs, toMs, size, after: '' };
}

function refuse(response: Response, { status, reason }: ProviderRefusal): void {
  const code = status === 401 ? 'InvalidAuthenticationToken' : status === 403 ? 'ErrorAccessDenied' : reason;
  response.status(status).json({ error: { code, message: reason, innerError: { date: new Date().toISOString() } } });
}
