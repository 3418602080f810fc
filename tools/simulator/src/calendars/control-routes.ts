import express from 'express';
import type { Request, Response } from 'express';
import * as z from 'zod';
import { readControlBody } from '../control/control-body.ts';
import { RoomRefused } from '../rooms/room-registry.ts';
import { eventChangeSchema, eventDraftSchema } from './calendar-events.ts';
import type { ListedEvent, StoredCalendar, CalendarStore, Provider } from './calendar-store.ts';
import type { SimulatedCalendars } from './calendars.ts';
import { googleRoutes } from './google-routes.ts';
import { microsoftRoutes } from './microsoft-routes.ts';
import { calendarFaultSchema } from './request-faults.ts';
import type { AuthorizationRequest, Consents } from './consents.ts';
import { textOf } from './provider-requests.ts';

interface ConsentRouteDependencies {
  readonly store: Pick<CalendarStore, 'all'>;
  readonly consents: Consents;
}

const paths = { google: '/o/oauth2/v2/auth', microsoft: '/:tenant/oauth2/v2.0/authorize' } as const;

/**
 * The authorization endpoint of a provider: a page on which the owner of a simulated account allows or declines. Its
 * form is sent to the same address and redirects to the app.
 */
function consentRoutes(provider: Provider, { store, consents }: ConsentRouteDependencies): express.Router {
  const router = express.Router();
  router.get(paths[provider], (request, response) => {
    const asked = readRequest(request);
    const refusal = consents.refusalOf(provider, asked);
    if (refusal !== null) return page(response, 400, `<h1>Access blocked</h1><p>${escaped(refusal)}</p>`);
    const emails = store.all().flatMap((one) => (one.provider === provider ? [one.email] : []));
    page(response, 200, form(provider, asked, [...new Set(emails)]));
  });
  router.post(paths[provider], express.urlencoded({ extended: false }), (request, response) => {
    const asked = readRequest(request);
    const refusal = consents.refusalOf(provider, asked);
    if (refusal !== null) return page(response, 400, `<h1>Access blocked</h1><p>${escaped(refusal)}</p>`);
    const body = (request.body ?? {}) as Record<string, unknown>;
    const scopes = [body['scope'] ?? []].flat().map(String);
    const outcome = consents.decide(provider, asked, {
      email: textOf(body['email']),
      isAllowed: body['decision'] === 'allow',
      scopes,
    });
    const target = new URL(asked.redirectUri);
    for (const [name, value] of Object.entries({ ...outcome, state: asked.state }))
      target.searchParams.set(name, value);
    response.redirect(302, target.href);
  });
  return router;
}

function readRequest({ query }: Request): AuthorizationRequest {
  return {
    clientId: textOf(query['client_id']),
    redirectUri: textOf(query['redirect_uri']),
    responseType: textOf(query['response_type']),
    scopes: textOf(query['scope']).split(' ').filter(Boolean),
    state: textOf(query['state']),
    challenge: textOf(query['code_challenge']),
    challengeMethod: textOf(query['code_challenge_method']),
    offline: query['access_type'] === 'offline',
    prompt: textOf(query['prompt']),
  };
}

function form(provider: Provider, { scopes }: AuthorizationRequest, emails: readonly string[]): string {
  const accounts = emails.map((email) => `<option>${escaped(email)}</option>`).join('');
  const boxes = scopes.map((scope) =>
    provider === 'google'
      ? `<p><label><input type="checkbox" name="scope" value="${escaped(scope)}" checked> ${escaped(scope)}</label></p>`
      : `<li>${escaped(scope)}</li>`,
  );
  return `<h1>Rapporteur wants to access your ${provider === 'google' ? 'Google' : 'Microsoft'} account</h1>
<form method="post"><p><label>Account <select name="email" required>${accounts}</select></label></p>${boxes.join('')}
<button name="decision" value="allow">Allow</button> <button name="decision" value="decline" formnovalidate>Cancel</button></form>
<p>This page belongs to the simulator. No real account is involved.</p>`;
}

function page(response: Response, status: number, content: string): void {
  response
    .status(status)
    .type('html')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Simulated consent</title><body style="font-family:sans-serif;max-width:40em;margin:2em auto;padding:0 1em">${content}`,
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

const accountSchema = z.strictObject({
  platform: z.enum(['google', 'microsoft']),
  email: z.string().min(3).max(254),
  name: z.string().max(200).optional(),
  timeZone: z.string().max(60).default('UTC'),
  sparse: z.boolean().default(false),
});
const quotaSchema = z.strictObject({ requests: z.int().min(0), perMs: z.int().min(1) }).nullable();
const emptySchema = z.strictObject({});
const administeredSchema = z.strictObject({ administered: z.boolean() });
const redirectsSchema = z.strictObject({ redirectUris: z.array(z.url().max(2_000)).max(20) });
const permitSchema = z.strictObject({ permitted: z.boolean() });

/** Routes for accounts, events and faults, and below `/google` and `/microsoft` the APIs of the providers. */
export function calendarRoutes(calendars: SimulatedCalendars): express.Router {
  const router = express.Router();
  const { store, grants } = calendars;
  router.get('/calendars', (_request, response) => {
    response.json({ calendars: store.all().map(describeCalendar) });
  });
  router.post('/calendars', (request, response) => {
    const { platform, name, ...options } = readControlBody(accountSchema, request);
    const calendar = store.add({ ...options, provider: platform, ...(name === undefined ? {} : { name }) });
    const { clientId, clientSecret, refreshToken } = grants.create(platform, calendar.email);
    response.status(201).json({
      ...describeCalendar(calendar),
      connection: {
        calendar_platform: platform,
        oauth_client_id: clientId,
        oauth_client_secret: clientSecret,
        oauth_refresh_token: refreshToken,
        raw_calendar_id: calendar.id,
      },
    });
  });
  router.delete('/calendars/:calendar', (request, response) => {
    store.remove(String(request.params['calendar']));
    response.status(204).end();
  });
  addEventRoutes(router, calendars);
  addFaultRoutes(router, calendars);
  router.use('/google', consentRoutes('google', calendars), googleRoutes(calendars));
  router.use('/microsoft', consentRoutes('microsoft', calendars), microsoftRoutes(calendars));
  return router;
}

function addEventRoutes(router: express.Router, { store }: SimulatedCalendars): void {
  const place = (request: Request) => [String(request.params['calendar']), String(request.params['event'])] as const;
  router.get('/calendars/:calendar/events', (request, response) => {
    const calendar = store.get(String(request.params['calendar']));
    const listed = [...calendar.listed.values()].filter((one) => !one.removed).sort((a, b) => a.startMs - b.startMs);
    response.json({ events: listed.slice(0, 200).map(describeEvent) });
  });
  router.post('/calendars/:calendar/events', (request, response) => {
    const { id, iCalUid } = store.create(
      String(request.params['calendar']),
      readControlBody(eventDraftSchema, request),
    );
    response.status(201).json({ id, iCalUid });
  });
  router.patch('/calendars/:calendar/events/:event', (request, response) => {
    store.change(...place(request), readControlBody(eventChangeSchema, request));
    response.json({ changed: true });
  });
  router.post('/calendars/:calendar/events/:event/split', (request, response) => {
    const { id } = store.split(...place(request), readControlBody(eventChangeSchema, request));
    response.status(201).json({ id });
  });
  router.post('/calendars/:calendar/events/:event/call-off', (request, response) => {
    readControlBody(emptySchema, request);
    store.callOff(...place(request));
    response.status(204).end();
  });
  router.delete('/calendars/:calendar/events/:event', (request, response) => {
    store.cancel(...place(request));
    response.status(204).end();
  });
}

function addFaultRoutes(router: express.Router, calendars: SimulatedCalendars): void {
  const { store, consents, grants, push, faults, quota, counts } = calendars;
  router.post('/calendar-faults', (request, response) => {
    const fault = readControlBody(calendarFaultSchema, request);
    faults.strike(fault);
    response.status(201).json(fault);
  });
  router.delete('/calendar-faults', (_request, response) => {
    faults.heal();
    response.status(204).end();
  });
  router.put('/calendar-faults/quota', (request, response) => {
    quota.set(readControlBody(quotaSchema, request));
    response.status(204).end();
  });
  router.post('/calendar-faults/expire-channels', (request, response) => {
    readControlBody(emptySchema, request);
    push.expireAll();
    response.status(204).end();
  });
  router.post('/calendars/:calendar/invalidate-tokens', (request, response) => {
    readControlBody(emptySchema, request);
    store.invalidateTokens(String(request.params['calendar']));
    response.status(204).end();
  });
  router.post('/calendar-accounts/:email/revoke', (request, response) => {
    readControlBody(emptySchema, request);
    found(grants.revoke(String(request.params['email'])));
    response.status(204).end();
  });
  router.put('/calendar-accounts/:email/permission', (request, response) => {
    found(grants.permit(String(request.params['email']), readControlBody(permitSchema, request).permitted));
    response.status(204).end();
  });
  router.put('/calendar-accounts/:email/administered', (request, response) => {
    const { administered } = readControlBody(administeredSchema, request);
    consents.administer(String(request.params['email']), administered);
    response.status(204).end();
  });
  router.put('/calendar-apps/:platform/redirect-uris', (request, response) => {
    const { redirectUris } = readControlBody(redirectsSchema, request);
    consents.register(accountSchema.shape.platform.parse(request.params['platform']), redirectUris);
    response.status(204).end();
  });
  router.get('/calendar-counts', (_request, response) => response.json({ ...counts, ...grants.counts }));
}

function found(count: number): void {
  if (count === 0) throw new RoomRefused('There is no account with this address.', 404, 'email');
}

function describeCalendar(calendar: StoredCalendar) {
  const { id, provider, email, name, timeZone } = calendar;
  return { id, platform: provider, email, name, timeZone };
}

function describeEvent({ id, kind, startMs, endMs, fields, series }: ListedEvent) {
  const { title, meetingUrl, allDay, timeZone } = fields;
  const when = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
  return { id, seriesId: series.id, kind, title, meetingUrl, allDay, timeZone, ...when };
}
