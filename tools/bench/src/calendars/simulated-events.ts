import type { ServiceStack } from '@rapporteur/api-fuzz';
import { eventDraftSchema } from '@rapporteur/simulator';
import type { SimulatedCalendars } from '@rapporteur/simulator';

const hourMs = 3_600_000;
const attendees = Array.from({ length: 5 }, (_, index) => ({
  email: `guest-${index}@example.com`,
  name: `Guest ${index}`,
  response: 'accepted',
}));

/** Adds so many single events in the next seven weeks to a calendar. */
export function addEvents({ store }: SimulatedCalendars, calendarId: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const start = new Date(Date.now() + (1 + (index % 1_100)) * hourMs).toISOString().slice(0, 19);
    const draft = eventDraftSchema.parse({
      title: `Meeting ${index}`,
      description: 'Agenda: the figures of the week, what is open, and who does what until next time. '.repeat(3),
      start,
      meetingUrl: 'https://meet.google.com/abc-defg-hij',
      attendees,
    });
    store.create(calendarId, draft);
  }
}

/** The pages of a calendar's events in Google's form, as text. */
export async function readPages(
  { calendars, calendarsUrl: url }: Pick<ServiceStack, 'calendars' | 'calendarsUrl'>,
  calendarId: string,
): Promise<string[]> {
  const grant = calendars.grants.create('google', calendarId);
  const form = {
    grant_type: 'refresh_token',
    client_id: grant.clientId,
    client_secret: grant.clientSecret,
    refresh_token: grant.refreshToken,
  };
  const token = await fetch(`${url}/google/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const pages: string[] = [];
  const range = { timeMin: new Date(Date.now() - 24 * hourMs), timeMax: new Date(Date.now() + 60 * 24 * hourMs) };
  const query = new URLSearchParams({
    singleEvents: 'true',
    maxResults: '250',
    timeMin: range.timeMin.toISOString(),
    timeMax: range.timeMax.toISOString(),
  });
  for (;;) {
    const address = `${url}/google/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events?${query.toString()}`;
    const page = await (await fetch(address, { headers: { authorization: `Bearer ${accessToken}` } })).text();
    pages.push(page);
    const { nextPageToken } = JSON.parse(page) as { nextPageToken?: string };
    if (nextPageToken === undefined) return pages;
    query.set('pageToken', nextPageToken);
  }
}
