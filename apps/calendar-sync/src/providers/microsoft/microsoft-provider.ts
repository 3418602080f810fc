import { readableOf } from '@rapporteur/contracts';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { z } from 'zod';
import { ProviderError } from '../calendar-provider.ts';
import type {
  Account,
  CalendarProvider,
  ChannelRequest,
  Consent,
  OccurrencesRequest,
  Page,
  PageRequest,
  ProviderItem,
  RawCalendar,
} from '../calendar-provider.ts';
import { createConsent } from '../consent.ts';
import { createProviderHttp, fitting } from '../provider-http.ts';
import type { ProviderHttp } from '../provider-http.ts';
import { optionalText, providerId, readItems, shownName } from '../read-items.ts';
import { inheritFromMaster, readGraphEvent } from './microsoft-events.ts';

export interface MicrosoftOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  readonly oauthUrl: string;
  readonly apiUrl: string;
}

const name = 'Microsoft';
const readScope = 'https://graph.microsoft.com/Calendars.Read';
const preferences = 'odata.maxpagesize=100, outlook.timezone="UTC", IdType="ImmutableId"';

const tokens = z.object({
  access_token: z.string(),
  expires_in: z.coerce.number().positive(),
  refresh_token: z.string().optional(),
});
const calendarEntry = z.object({
  id: providerId,
  name: shownName,
  isDefaultCalendar: z.boolean().nullish(),
  owner: z.object({ address: optionalText }).nullish(),
});
const calendarPage = z.object({ value: readableOf(calendarEntry), '@odata.nextLink': z.string().optional() });
const eventPage = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
const anObject = z.record(z.string(), z.unknown());
const subscription = z.object({ id: z.string(), expirationDateTime: z.iso.datetime({ offset: true }) });

/** Microsoft Graph v1.0: the delta of a calendar view, with series as masters and occurrences. */
export function createMicrosoftProvider(options: MicrosoftOptions): CalendarProvider {
  const { http, oauthUrl, apiUrl } = options;
  const sendRequest = createProviderHttp({ http, provider: name });
  const root = `${apiUrl}/v1.0`;
  const subscriptions = `${root}/subscriptions`;
  return {
    ...consentOf(options),
    // Three days: less than Outlook's maximum, so that a deployment detects expiry soon after an outage.
    channelLifetimeMs: 3 * 86_400_000,
    refresh: async ({ clientId, clientSecret, tenantId }, refreshToken) => {
      const form = {
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refreshToken,
      };
      const url = `${oauthUrl}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
      const body = fitting(tokens, await sendRequest({ url, method: 'POST', form }), name);
      return {
        accessToken: body.access_token,
        expiresInMs: body.expires_in * 1_000,
        refreshToken: body.refresh_token ?? null,
      };
    },
    listCalendars: (accessToken) => listCalendars(sendRequest, root, accessToken),
    readCalendar: async (accessToken, rawId) => {
      const url = rawId === 'primary' ? `${root}/me/calendar` : `${root}/me/calendars/${encodeURIComponent(rawId)}`;
      return describe(fitting(calendarEntry, await sendRequest({ url, accessToken }), name));
    },
    readPage: (accessToken, request) => readPage({ sendRequest, root, apiUrl }, accessToken, request),
    readOccurrences: (accessToken, request) => readOccurrences({ sendRequest, root, apiUrl }, accessToken, request),
    inherit: (item, master, account) => inheritFromMaster(item, master, account),
    readMaster: async (accessToken, id) => {
      const url = `${root}/me/events/${encodeURIComponent(id)}`;
      return fitting(anObject, await sendRequest({ url, accessToken, headers: { prefer: preferences } }), name);
    },
    openChannel: async (accessToken, request) => {
      const json = subscriptionOf(request);
      const opened = fitting(
        subscription,
        await sendRequest({ url: subscriptions, method: 'POST', accessToken, json }),
        name,
      );
      return { providerChannelId: opened.id, expiresMs: Date.parse(opened.expirationDateTime) };
    },
    renewChannel: async (accessToken, { providerChannelId, expiresMs }) => {
      const url = `${subscriptions}/${encodeURIComponent(providerChannelId)}`;
      const json = { expirationDateTime: new Date(expiresMs).toISOString() };
      const renewed = fitting(subscription, await sendRequest({ url, method: 'PATCH', accessToken, json }), name);
      return { providerChannelId, expiresMs: Date.parse(renewed.expirationDateTime) };
    },
    closeChannel: async (accessToken, { providerChannelId }) => {
      await sendRequest({
        url: `${subscriptions}/${encodeURIComponent(providerChannelId)}`,
        method: 'DELETE',
        accessToken,
      });
    },
  };
}

function consentOf({ http, oauthUrl }: MicrosoftOptions): Consent {
  return createConsent({
    http,
    provider: name,
    scopes: [
      { scope: readScope, purpose: 'See your calendars and their events. Nothing is changed in them.' },
      { scope: 'offline_access', purpose: 'Keep this access until you or your administrator remove it.' },
    ],
    // One of several signed-in accounts is chosen on the page.
    parameters: { prompt: 'select_account' },
    endpointsOf: ({ tenantId }) => {
      const base = `${oauthUrl}/${encodeURIComponent(tenantId)}/oauth2/v2.0`;
      return { authorization: `${base}/authorize`, token: `${base}/token` };
    },
    readsCalendars: (scope) => /^(?:https:\/\/graph\.microsoft\.com\/)?Calendars\.Read(?:Write)?$/i.test(scope),
  });
}

function subscriptionOf({ rawCalendarId, address, token, expiresMs }: ChannelRequest): object {
  return {
    changeType: 'created,updated,deleted',
    resource: `/me/calendars/${rawCalendarId}/events`,
    notificationUrl: address,
    lifecycleNotificationUrl: address,
    clientState: token,
    expirationDateTime: new Date(expiresMs).toISOString(),
  };
}

interface Requesting {
  readonly sendRequest: ProviderHttp;
  readonly root: string;
  readonly apiUrl: string;
}

async function readPage(
  { sendRequest, root, apiUrl }: Requesting,
  accessToken: string,
  request: PageRequest,
): Promise<Page> {
  const { items, nextLink, deltaLink } = await readEvents({ sendRequest, root, apiUrl }, accessToken, {
    url: request.page ?? startUrl(root, request),
    account: request,
  });
  if (nextLink !== undefined) return { items, next: { page: nextLink } };
  if (deltaLink !== undefined) return { items, next: { cursor: deltaLink } };
  throw new ProviderError('unreadable', 'Microsoft sent a page without a link to the next one.');
}

interface EventsRequest {
  readonly url: string;
  readonly account: Account;
}

async function readEvents({ sendRequest, apiUrl }: Requesting, accessToken: string, { url, account }: EventsRequest) {
  // The provider's links are followed unchanged, and only to the provider: the requests carry the access token.
  if (!url.startsWith(`${apiUrl}/`)) throw new ProviderError('refused', 'Microsoft sent a link to another host.');
  const page = fitting(eventPage, await sendRequest({ url, accessToken, headers: { prefer: preferences } }), name);
  const items = await readItems(page.value, (event) => readGraphEvent(event, account));
  return { items, nextLink: page['@odata.nextLink'], deltaLink: page['@odata.deltaLink'] };
}

const occurrencesPerPage = '200';

async function readOccurrences(
  requesting: Requesting,
  accessToken: string,
  request: OccurrencesRequest,
): Promise<ProviderItem[]> {
  const query = new URLSearchParams({
    startDateTime: new Date(request.fromMs).toISOString(),
    endDateTime: new Date(request.toMs).toISOString(),
    $top: occurrencesPerPage,
  });
  const id = encodeURIComponent(request.providerSeriesId);
  let url = `${requesting.root}/me/events/${id}/instances?${query.toString()}`;
  const found: ProviderItem[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const { items, nextLink } = await readEvents(requesting, accessToken, { url, account: request });
    found.push(...items);
    if (nextLink === undefined) return found;
    url = nextLink;
  }
  throw new ProviderError('unreadable', 'Microsoft sent more pages of a series than it can have.');
}

function startUrl(root: string, { start, rawCalendarId }: PageRequest): string {
  if (start.kind === 'incremental') return start.cursor;
  const query = new URLSearchParams({
    startDateTime: new Date(start.fromMs).toISOString(),
    endDateTime: new Date(start.toMs).toISOString(),
  });
  return `${root}/me/calendars/${encodeURIComponent(rawCalendarId)}/calendarView/delta?${query.toString()}`;
}

const mostPages = 20;

async function listCalendars(sendRequest: ProviderHttp, root: string, accessToken: string): Promise<RawCalendar[]> {
  const found: RawCalendar[] = [];
  let url = `${root}/me/calendars`;
  for (let page = 0; page < mostPages; page += 1) {
    const body = fitting(calendarPage, await sendRequest({ url, accessToken }), name);
    found.push(...body.value.map(describe));
    const next = body['@odata.nextLink'];
    if (next === undefined || !next.startsWith(`${root}/`)) break;
    url = next;
  }
  return found;
}

function describe({ id, name: title, owner, isDefaultCalendar }: z.infer<typeof calendarEntry>): RawCalendar {
  const email = owner?.address ?? '';
  return { id, name: title ?? email, email, isPrimary: isDefaultCalendar === true, timeZone: 'UTC' };
}
