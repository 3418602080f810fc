import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());

const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 19);
const meet = 'https://meet.google.com/abc-defg-hij';
const zoom = 'https://acme.zoom.us/j/12345678901?pwd=abc-DEF_123.1';

async function createEvent(calendar: ConnectedCalendar, over: object) {
  calendars.simulated.store.create(calendar.rawId, eventDraftSchema.parse({ start, ...over }));
  await waitFor(async () => (await calendars.events(calendar.calendarId)).length === 1, { what: 'the event' });
  await calendars.idle();
  const [event] = await calendars.events(calendar.calendarId);
  if (event === undefined) throw new Error('There is no event.');
  return event;
}

test.each(['google', 'microsoft'] as const)(
  'of two links of an event of %s the one of the organizer is joined, or that of the preferred platform',
  async (provider) => {
    const teamId = randomUUID();
    const calendar = await calendars.connect(provider, { teamId });
    const api = (method: string, path: string, body?: unknown) => calendars.api(method, path, body, teamId);
    const event = await createEvent(calendar, { meetingUrl: meet, location: `会議：${zoom}。` });
    const root = `/v2/calendars/${calendar.calendarId}`;
    const read = await api('GET', `${root}/events/${event.event_id}`);
    expect(read.body.data).toMatchObject({
      meeting_url: zoom,
      meeting_platform: 'zoom',
      notices: [],
      meeting_links: [
        { url: zoom, platform: 'zoom', source: 'organizer' },
        { url: meet, platform: 'meet', source: 'calendar' },
      ],
    });
    const target = { series_id: event.series_id, event_id: event.event_id, all_occurrences: false, bot_name: 'Ours' };
    expect((await api('POST', `${root}/bots`, target)).status).toBe(201);
    const opens = () =>
      [...calendars.scheduler.bots.values()].find(({ eventId }) => eventId === event.event_id)?.body['meeting_url'];
    await waitFor(() => opens() === zoom, { what: 'a bot for the link of the organizer' });
    expect((await api('PATCH', root, { preferred_platform: 'meet' })).status).toBe(200);
    await waitFor(() => opens() === meet, { what: 'the bot to follow the preferred platform' });
    expect((await api('GET', root)).body.data).toMatchObject({ preferred_platform: 'meet', status: 'active' });
    expect((await api('GET', `${root}/events/${event.event_id}`)).body.data).toMatchObject({ meeting_url: meet });
    expect((await api('PATCH', root, { preferred_platform: null })).status).toBe(200);
    await waitFor(() => opens() === zoom, { what: 'the bot to follow the default' });
  },
);

test('a rule with a preferred platform sees and joins the link of that platform', async () => {
  const teamId = randomUUID();
  const calendar = await calendars.connect('google', { teamId });
  const event = await createEvent(calendar, { meetingUrl: meet, location: zoom });
  const conditions = { platforms: ['meet'] };
  const dryRun = async (preferred_platform: string | null) => {
    const { body } = await calendars.api(
      'POST',
      '/v2/calendar-rules/dry-run',
      { conditions, preferred_platform },
      teamId,
    );
    return body.data as unknown;
  };
  expect(await dryRun(null)).toMatchObject([{ would_get_bot: false }]);
  expect(await dryRun('meet')).toMatchObject([{ would_get_bot: true }]);
  const rule = { name: 'Meet', enabled: true, conditions, preferred_platform: 'meet', bot: { bot_name: 'By rule' } };
  const made = await calendars.api('POST', '/v2/calendar-rules', rule, teamId);
  expect(made.body.data).toMatchObject({ preferred_platform: 'meet' });
  const opened = () =>
    [...calendars.scheduler.bots.values()].find(({ eventId }) => eventId === event.event_id)?.body['meeting_url'];
  await waitFor(() => opened() === meet, { what: 'the bot of the rule' });
});

test('an event whose link cannot be used says why, in the event and to a request for a bot', async () => {
  const calendar = await calendars.connect('google');
  const event = await createEvent(calendar, { description: 'Join at (https://acme.zoom.us/my/ada).' });
  const root = `/v2/calendars/${calendar.calendarId}`;
  const reason = /^This Zoom link names a personal room/;
  const notices = [{ code: 'MEETING_LINK_UNUSABLE', message: expect.stringMatching(reason) }];
  expect((await calendars.api('GET', `${root}/events`)).body.data).toMatchObject([{ meeting_url: null, notices }]);
  const target = { series_id: event.series_id, event_id: event.event_id, all_occurrences: false, bot_name: 'Ours' };
  expect((await calendars.api('POST', `${root}/bots`, target)).body).toMatchObject({
    errors: [{ code: 'NO_MEETING_URL', message: expect.stringMatching(reason) }],
  });
});
