import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { auth as googleAuth, calendar as googleCalendar } from '@googleapis/calendar';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, HTTPMessageHandler } from '@microsoft/microsoft-graph-client';
import type { Context } from '@microsoft/microsoft-graph-client';
import express from 'express';
import { createCalendars } from './calendars.ts';
import type { SimulatedCalendars } from './calendars.ts';
import { calendarRoutes } from './control-routes.ts';
import { googleRoutes } from './google-routes.ts';

let calendars: SimulatedCalendars;
let server: Server;
let url = '';
const received: { headers: Record<string, unknown>; body: string }[] = [];

beforeEach(async () => {
  calendars = createCalendars(() => Date.parse('2026-03-01T00:00:00Z'));
  const app = express();
  app.post('/hook', express.text({ type: () => true }), (request, response) => {
    const token = request.query['validationToken'];
    if (typeof token === 'string') return void response.type('text/plain').send(token);
    received.push({ headers: request.headers, body: String(request.body) });
    response.status(202).end();
  });
  // Google's client supports no path prefix.
  app.use(express.json(), calendarRoutes(calendars), googleRoutes(calendars));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  received.length = 0;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function google() {
  calendars.store.add({ provider: 'google', email: 'ada@example.com', timeZone: 'Europe/Berlin' });
  const grant = calendars.grants.create('google', 'ada@example.com');
  const client = new googleAuth.OAuth2({
    clientId: grant.clientId,
    clientSecret: grant.clientSecret,
    endpoints: { oauth2TokenUrl: `${url}/google/oauth2/token` },
  });
  client.setCredentials({ refresh_token: grant.refreshToken });
  return googleCalendar({ version: 'v3', auth: client, rootUrl: url });
}

const view = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-06-01T00:00:00Z' };
const asList = { calendarId: 'primary', singleEvents: true };

describe("Google's own client", () => {
  test('lists a series over daylight saving in pages, and then only what changed', async () => {
    const api = google();
    const { data: made } = await api.events.insert({
      calendarId: 'primary',
      requestBody: {
        summary: 'Weekly',
        start: { dateTime: '2026-03-16T10:00:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-03-16T10:30:00', timeZone: 'Europe/Berlin' },
        recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
      },
    });
    const first = await api.events.list({ ...asList, ...view, maxResults: 3 });
    expect(first.data.items?.map((item) => item.start?.dateTime)).toEqual([
      '2026-03-16T10:00:00+01:00',
      '2026-03-23T10:00:00+01:00',
      '2026-03-30T10:00:00+02:00',
    ]);
    expect(first.data.nextSyncToken).toBeUndefined();
    const pageToken = first.data.nextPageToken ?? '';
    const second = await api.events.list({ ...asList, ...view, maxResults: 3, pageToken });
    const syncToken = second.data.nextSyncToken ?? '';
    expect(second.data.items).toHaveLength(1);
    const instances = await api.events.instances({ calendarId: 'primary', eventId: made.id ?? '' });
    const [one, other] = instances.data.items ?? [];
    await api.events.patch({ calendarId: 'primary', eventId: one?.id ?? '', requestBody: { summary: 'Once' } });
    await api.events.delete({ calendarId: 'primary', eventId: other?.id ?? '' });
    const changed = await api.events.list({ ...asList, syncToken });
    expect(changed.data.items?.map(({ status, summary }) => [status, summary])).toEqual([
      ['confirmed', 'Once'],
      ['cancelled', undefined],
    ]);
    expect(changed.data.items?.[0]).toMatchObject({ recurringEventId: made.id, originalStartTime: expect.anything() });
  });

  test('gets 410 for a token that is too old, and 400 for one with timeMin', async () => {
    const api = google();
    const { data } = await api.events.list({ ...asList, ...view });
    const syncToken = data.nextSyncToken ?? '';
    await expect(api.events.list({ ...asList, ...view, syncToken })).rejects.toMatchObject({ status: 400 });
    calendars.store.invalidateTokens('ada@example.com');
    await expect(api.events.list({ ...asList, syncToken })).rejects.toMatchObject({ status: 410 });
  });

  test('gets push after watch, until the channel is stopped', async () => {
    const api = google();
    const requestBody = { id: 'channel-1', type: 'web_hook', address: `${url}/hook`, token: 'mine' };
    const { data: channel } = await api.events.watch({ calendarId: 'primary', requestBody });
    calendars.store.create('ada@example.com', draft('2026-03-20T09:00:00'));
    await calendars.push.settled();
    expect(received.map(({ headers }) => headers['x-goog-resource-state'])).toEqual(['sync', 'exists']);
    expect(received[1]?.headers).toMatchObject({ 'x-goog-channel-token': 'mine', 'x-goog-message-number': '2' });
    await api.channels.stop({ requestBody: { id: 'channel-1', resourceId: channel.resourceId ?? '' } });
    calendars.store.create('ada@example.com', draft('2026-03-21T09:00:00'));
    await calendars.push.settled();
    expect(received).toHaveLength(2);
  });

  test('renews nothing once the consent is revoked, and reads nothing once it was narrowed', async () => {
    const api = google();
    calendars.grants.permit('ada@example.com', false);
    await expect(api.calendarList.list()).rejects.toMatchObject({ status: 403 });
    calendars.grants.revoke('ada@example.com');
    await expect(google2(api)).rejects.toMatchObject({ status: 401 });
  });

  test('runs into the quota, and gets around a fault by itself', async () => {
    const api = google();
    calendars.faults.strike({
      at: 'list',
      status: 503,
      times: 1,
      after: 0,
      delayMs: 0,
      unknownForm: false,
      hangUp: false,
      retryAfterSeconds: 0,
    });
    expect((await api.events.list({ ...asList, ...view })).status).toBe(200);
    calendars.quota.set({ requests: 0, perMs: 60_000 });
    await expect(api.calendarList.list({}, { retry: false })).rejects.toMatchObject({ status: 403 });
  });
});

/** A second time, after the result of the first try was stored. */
const google2 = (api: ReturnType<typeof google>) => api.calendarList.list({}, { retry: false });

function draft(start: string) {
  return {
    title: 'Planning',
    description: '',
    location: '',
    start,
    durationMinutes: 30,
    timeZone: 'UTC',
    allDay: false,
    meetingUrl: 'https://meet.google.com/abc-defg-hij',
    organizer: null,
    attendees: [],
    isPrivate: false,
    status: 'confirmed' as const,
    passcode: null,
    kind: 'default' as const,
    recurrence: null,
  };
}

async function graph() {
  const calendar = calendars.store.add({ provider: 'microsoft', email: 'bo@example.com' });
  const grant = calendars.grants.create('microsoft', 'bo@example.com');
  const renew = async (refreshToken: string) => {
    const form = {
      grant_type: 'refresh_token',
      client_id: grant.clientId,
      client_secret: grant.clientSecret,
      refresh_token: refreshToken,
    };
    const response = await fetch(`${url}/microsoft/common/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return { status: response.status, ...((await response.json()) as { access_token: string; refresh_token: string }) };
  };
  const tokens = await renew(grant.refreshToken);
  const http = new HTTPMessageHandler();
  // The client's own sign-in sends tokens over https only.
  const signIn = {
    execute: async (context: Context) => {
      const headers = { ...(context.options?.headers as object), authorization: `Bearer ${tokens.access_token}` };
      context.options = { ...context.options, headers };
      await http.execute(context);
    },
  };
  const client = Client.initWithMiddleware({
    middleware: signIn,
    baseUrl: `${url}/microsoft/`,
    defaultVersion: 'v1.0',
  });
  return { client, calendar, grant, renew, tokens };
}

type Delta = { value: Record<string, unknown>[]; '@odata.nextLink'?: string; '@odata.deltaLink'?: string };

/** The client accepts only absolute https links. */
const pathOf = (link: string): string => link.replace(/^.*\/v1\.0/, '');

async function readRound(
  client: Client,
  start: string,
): Promise<{ items: Record<string, unknown>[]; deltaLink: string }> {
  const items: Record<string, unknown>[] = [];
  for (let next = start; ;) {
    const page = (await client.api(next).header('Prefer', 'odata.maxpagesize=2').get()) as Delta;
    items.push(...page.value);
    if (page['@odata.deltaLink'] !== undefined) return { items, deltaLink: pathOf(page['@odata.deltaLink']) };
    next = pathOf(page['@odata.nextLink'] ?? '');
  }
}

describe("Microsoft's own client", () => {
  test('follows a delta round, in which an occurrence says only when it is', async () => {
    const { client, calendar } = await graph();
    await client.api(`/me/calendars/${calendar.id}/events`).post({
      subject: 'Weekly',
      start: { dateTime: '2026-03-16T10:00:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-16T10:30:00', timeZone: 'Europe/Berlin' },
      recurrence: { pattern: { type: 'weekly', interval: 1 }, range: { type: 'numbered', numberOfOccurrences: 3 } },
    });
    const round = `/me/calendars/${calendar.id}/calendarView/delta?startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-06-01T00:00:00Z`;
    const { items, deltaLink } = await readRound(client, round);
    expect(items.map((item) => String(item['type'])).toSorted()).toEqual([
      'occurrence',
      'occurrence',
      'occurrence',
      'seriesMaster',
    ]);
    const [one, other] = items.filter((item) => item['type'] === 'occurrence').map((item) => String(item['id']));
    expect(items.find((item) => item['id'] === one)).not.toHaveProperty('subject');
    await client.api(`/me/events/${one ?? ''}`).patch({ subject: 'Once' });
    await client.api(`/me/events/${other ?? ''}`).delete();
    const changed = (await readRound(client, deltaLink)).items;
    expect(
      changed
        .filter((item) => item['@removed'] !== undefined)
        .map((item) => String(item['id']))
        .sort(),
    ).toEqual([String(one), String(other)].toSorted((a, b) => a.localeCompare(b)));
    expect(changed.find((item) => item['type'] === 'exception')).toMatchObject({ subject: 'Once' });
  });

  test('gets 410 when the state is lost', async () => {
    const { client, calendar } = await graph();
    const round = `/me/calendars/${calendar.id}/calendarView/delta?startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-06-01T00:00:00Z`;
    const { deltaLink } = await readRound(client, round);
    calendars.store.invalidateTokens(calendar.id);
    await expect(client.api(deltaLink).get()).rejects.toMatchObject({ statusCode: 410, code: 'syncStateNotFound' });
  });

  test('subscribes after the handshake, is notified, renews and ends it', async () => {
    const { client, calendar } = await graph();
    const subscription = (await client.api('/subscriptions').post({
      changeType: 'created,updated,deleted',
      resource: `/me/calendars/${calendar.id}/events`,
      notificationUrl: `${url}/hook`,
      lifecycleNotificationUrl: `${url}/hook`,
      clientState: 'mine',
      expirationDateTime: '2026-03-03T00:00:00Z',
    })) as { id: string };
    calendars.store.create(calendar.id, draft('2026-03-20T09:00:00'));
    await calendars.push.settled();
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      value: [{ subscriptionId: subscription.id, clientState: 'mine' }],
    });
    const renewed = await client
      .api(`/subscriptions/${subscription.id}`)
      .patch({ expirationDateTime: '2026-03-05T00:00:00Z' });
    expect(renewed).toMatchObject({ expirationDateTime: '2026-03-05T00:00:00.000Z' });
    await client.api(`/subscriptions/${subscription.id}`).delete();
    await expect(client.api(`/subscriptions/${subscription.id}`).patch({})).rejects.toMatchObject({ statusCode: 404 });
  });

  test('gets another refresh token each time; the one before ends when the new one is used', async () => {
    const { client, grant, renew, tokens } = await graph();
    expect(tokens.refresh_token).not.toBe(grant.refreshToken);
    await client.api('/me').get();
    expect((await renew(grant.refreshToken)).status).toBe(400);
    expect((await renew(tokens.refresh_token)).status).toBe(200);
  });
});
