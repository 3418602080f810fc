import { readableOf } from '@rapporteur/contracts';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { z } from 'zod';
import type {
  Account,
  CalendarProvider,
  Consent,
  OccurrencesRequest,
  PageRequest,
  ProviderItem,
  RawCalendar,
} from '../calendar-provider.ts';
import { ProviderError } from '../calendar-provider.ts';
import { createConsent } from '../consent.ts';
import { createProviderHttp, fitting } from '../provider-http.ts';
import type { ProviderHttp } from '../provider-http.ts';
import { optionalText, providerId, readItems, shownName } from '../read-items.ts';
import { readZone } from '../read-time.ts';
import { readGoogleEvent } from './google-events.ts';

export interface GoogleOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  readonly consentUrl: string;
  readonly oauthUrl: string;
  readonly apiUrl: string;
}

const name = 'Google';
const allScope = 'https://www.googleapis.com/auth/calendar';
const readScope = `${allScope}.readonly`;
const eventsPerPage = '500';

const tokens = z.object({
  access_token: z.string(),
  expires_in: z.number().positive(),
  refresh_token: z.string().optional(),
});
const calendarEntry = z.object({
  id: providerId,
  summary: shownName,
  timeZone: optionalText,
  primary: z.boolean().nullish(),
});
const calendarPage = z.object({ items: readableOf(calendarEntry).default([]), nextPageToken: z.string().optional() });
const eventPage = z.object({
  items: z.array(z.unknown()).default([]),
  timeZone: optionalText,
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
});
const channel = z.object({ resourceId: z.string(), expiration: z.coerce.number().optional() });

/** Google Calendar v3. Series are expanded into occurrences (`singleEvents`), so recurrence rules are not evaluated. */
export function createGoogleProvider(options: GoogleOptions): CalendarProvider {
  const { http, oauthUrl, apiUrl } = options;
  const sendRequest = createProviderHttp({ http, provider: name });
  const v3 = `${apiUrl}/calendar/v3`;
  return {
    ...consentOf(options),
    channelLifetimeMs: 7 * 86_400_000,
    refresh: async ({ clientId, clientSecret }, refreshToken) => {
      const form = {
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      };
      const body = fitting(tokens, await sendRequest({ url: `${oauthUrl}/token`, method: 'POST', form }), name);
      return {
        accessToken: body.access_token,
        expiresInMs: body.expires_in * 1_000,
        refreshToken: body.refresh_token ?? null,
      };
    },
    listCalendars: (accessToken) => listCalendars(sendRequest, v3, accessToken),
    readCalendar: async (accessToken, rawId) => {
      const url = `${v3}/calendars/${encodeURIComponent(rawId)}`;
      return describe(fitting(calendarEntry, await sendRequest({ url, accessToken }), name));
    },
    readPage: async (accessToken, request) => {
      const url = `${v3}/calendars/${encodeURIComponent(request.rawCalendarId)}/events?${queryOf(request)}`;
      const page = fitting(eventPage, await sendRequest({ url, accessToken }), name);
      const items = await itemsOf(page, request);
      if (page.nextPageToken !== undefined) return { items, next: { page: page.nextPageToken } };
      if (page.nextSyncToken !== undefined) return { items, next: { cursor: page.nextSyncToken } };
      throw new ProviderError('unreadable', 'Google sent a page without a token for the next one.');
    },
    readOccurrences: (accessToken, request) => readOccurrences(sendRequest, v3, { accessToken, request }),
    inherit: () => {
      throw new Error('Google sends every occurrence whole.');
    },
    readMaster: () => Promise.reject(new Error('Google sends every occurrence whole.')),
    openChannel: async (accessToken, { channelId, rawCalendarId, address, token, expiresMs }) => {
      const url = `${v3}/calendars/${encodeURIComponent(rawCalendarId)}/events/watch`;
      const json = { id: channelId, type: 'web_hook', address, token, expiration: String(expiresMs) };
      const opened = fitting(channel, await sendRequest({ url, method: 'POST', accessToken, json }), name);
      return { providerChannelId: opened.resourceId, expiresMs: opened.expiration ?? expiresMs };
    },
    renewChannel: () => Promise.resolve(null),
    closeChannel: async (accessToken, { channelId, providerChannelId }) => {
      const json = { id: channelId, resourceId: providerChannelId };
      await sendRequest({ url: `${v3}/channels/stop`, method: 'POST', accessToken, json });
    },
  };
}

function consentOf({ http, consentUrl, oauthUrl }: GoogleOptions): Consent {
  return createConsent({
    http,
    provider: name,
    scopes: [{ scope: readScope, purpose: 'See your calendars and their events. Nothing is changed in them.' }],
    // A refresh token is issued for offline access only, and after the first consent only when the page is shown.
    parameters: { access_type: 'offline', prompt: 'consent' },
    endpointsOf: () => ({ authorization: `${consentUrl}/o/oauth2/v2/auth`, token: `${oauthUrl}/token` }),
    readsCalendars: (scope) => scope === readScope || scope === allScope,
  });
}

function queryOf({ start, page }: PageRequest): string {
  const query = new URLSearchParams({ singleEvents: 'true', maxResults: eventsPerPage });
  if (start.kind === 'incremental') query.set('syncToken', start.cursor);
  else {
    query.set('timeMin', new Date(start.fromMs).toISOString());
    query.set('timeMax', new Date(start.toMs).toISOString());
  }
  if (page !== null) query.set('pageToken', page);
  return query.toString();
}

async function itemsOf(page: z.infer<typeof eventPage>, { accountEmail, timeZone }: Account): Promise<ProviderItem[]> {
  const zone = { accountEmail, timeZone: readZone(page.timeZone ?? '') ?? timeZone };
  return await readItems(page.items, (event) => readGoogleEvent(event, zone));
}

interface OccurrencesReading {
  readonly accessToken: string;
  readonly request: OccurrencesRequest;
}

async function readOccurrences(
  sendRequest: ProviderHttp,
  v3: string,
  { accessToken, request }: OccurrencesReading,
): Promise<ProviderItem[]> {
  const { rawCalendarId, providerSeriesId, fromMs, toMs } = request;
  const root = `${v3}/calendars/${encodeURIComponent(rawCalendarId)}/events`;
  const query = new URLSearchParams({
    maxResults: eventsPerPage,
    timeMin: new Date(fromMs).toISOString(),
    timeMax: new Date(toMs).toISOString(),
  });
  const found: ProviderItem[] = [];
  for (let count = 0; count < mostPages; count += 1) {
    const url = `${root}/${encodeURIComponent(providerSeriesId)}/instances?${query.toString()}`;
    const page = fitting(eventPage, await sendRequest({ url, accessToken }), name);
    found.push(...(await itemsOf(page, request)));
    if (page.nextPageToken === undefined) return found;
    query.set('pageToken', page.nextPageToken);
  }
  throw new ProviderError('unreadable', 'Google sent more pages of a series than it can have.');
}

const mostPages = 20;

async function listCalendars(sendRequest: ProviderHttp, v3: string, accessToken: string): Promise<RawCalendar[]> {
  const found: RawCalendar[] = [];
  let pageToken = '';
  for (let page = 0; page < mostPages; page += 1) {
    const query = pageToken === '' ? '' : `?pageToken=${encodeURIComponent(pageToken)}`;
    const body = fitting(
      calendarPage,
      await sendRequest({ url: `${v3}/users/me/calendarList${query}`, accessToken }),
      name,
    );
    found.push(...body.items.map(describe));
    if (body.nextPageToken === undefined) break;
    pageToken = body.nextPageToken;
  }
  return found;
}

function describe({ id, summary, timeZone, primary }: z.infer<typeof calendarEntry>): RawCalendar {
  return { id, name: summary ?? id, email: id, isPrimary: primary === true, timeZone: timeZone ?? 'UTC' };
}
