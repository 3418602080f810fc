import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';
import type { StubBot } from '../testing/stub-scheduler.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());
beforeEach(() => {
  calendars.scheduler.refusedName = null;
  // Bots of another test may join in the same second.
  calendars.scheduler.bots.clear();
});

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 19);
const dayMs = 86_400_000;
/** Each event has a room of its own: events of one room and time are one meeting. */
let rooms = 0;
const newLink = (): string => {
  const letters = (rooms += 1)
    .toString()
    .padStart(3, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
  return `https://meet.google.com/abc-defg-${letters}`;
};
const draft = (over: object = {}) => eventDraftSchema.parse({ start: inMs(2 * dayMs), meetingUrl: newLink(), ...over });
const weekly = { frequency: 'weekly', interval: 1, count: 3, until: null };

async function create(calendar: ConnectedCalendar, over: object = {}, count = 1) {
  const { id } = calendars.simulated.store.create(calendar.rawId, draft(over));
  const { events } = calendars;
  const own = async () => {
    const rows = await calendars.database.query<{ series_id: string }>(
      'select series_id from series where calendar_id = $1 and provider_series_id = $2',
      [calendar.calendarId, id],
    );
    return (await events(calendar.calendarId)).filter((event) => event.series_id === rows[0]?.series_id);
  };
  await waitFor(async () => (await own()).length >= count, { what: 'the events' });
  await calendars.idle();
  return { id, own, rows: await own() };
}

const scheduled = (): StubBot[] => [...calendars.scheduler.bots.values()].filter(({ state }) => state === 'scheduled');
const botsAt = (joinAt: Date | undefined): StubBot[] =>
  scheduled().filter((bot) => bot.joinAt === joinAt?.toISOString());

/** Resolves when bot-scheduler has the bots too, whichever worker sent them. */
async function bots(calendar: ConnectedCalendar, method: string, body: object) {
  const response = await calendars.api(method, `/v2/calendars/${calendar.calendarId}/bots`, body);
  await calendars.idle();
  return response;
}

describe('a bot on one event', () => {
  test('is scheduled for its start, follows it wherever it goes, and is cancelled with it', async () => {
    const calendar = await calendars.connect('google');
    const { id, own, rows } = await create(calendar);
    const [event] = rows;
    const target = { series_id: event?.series_id, event_id: event?.event_id, all_occurrences: false };
    const made = await bots(calendar, 'POST', { ...target, bot_name: 'Ours' });
    expect(made).toMatchObject({ status: 201, body: { data: [{ event_id: event?.event_id }], errors: [] } });
    const [bot] = botsAt(event?.start_at);
    expect(bot).toMatchObject({ eventId: event?.event_id, meetingUrl: event?.meeting_url, body: { bot_name: 'Ours' } });
    const other = 'https://meet.google.com/xyz-abcd-efg';
    calendars.simulated.store.change(calendar.rawId, id, { start: inMs(3 * dayMs), meetingUrl: other });
    await waitFor(() => calendars.scheduler.bots.get(bot?.botId ?? '')?.meetingUrl === other, { what: 'the new link' });
    expect(botsAt((await own())[0]?.start_at)).toMatchObject([{ botId: bot?.botId, meetingUrl: other }]);
    calendars.simulated.store.cancel(calendar.rawId, id);
    await waitFor(() => calendars.scheduler.bots.get(bot?.botId ?? '')?.state === 'cancelled', { what: 'the end' });
  });

  test.each([null, '00000000-0000-0000-0000-000000000000'])(
    'is cancelled by the id of its event alone (series_id: %s)',
    async (series_id) => {
      const calendar = await calendars.connect('google');
      const { rows } = await create(calendar);
      const [event] = rows;
      const target = { series_id, event_id: event?.event_id, all_occurrences: false };
      expect((await bots(calendar, 'POST', { ...target, bot_name: 'Ours' })).status).toBe(201);
      expect(botsAt(event?.start_at)).toHaveLength(1);
      expect(await bots(calendar, 'DELETE', target)).toMatchObject({
        status: 200,
        body: { data: [{ event_id: event?.event_id }] },
      });
      expect(botsAt(event?.start_at)).toEqual([]);
      expect(await bots(calendar, 'DELETE', { ...target, event_id: null })).toMatchObject({ status: 400 });
    },
  );

  test('is changed and cancelled until 4 minutes before, and follows its event even then', async () => {
    const calendar = await calendars.connect('microsoft');
    const { id, rows } = await create(calendar, { start: inMs(200_000) });
    const [event] = rows;
    const target = { series_id: event?.series_id, event_id: event?.event_id, all_occurrences: false };
    expect((await bots(calendar, 'PATCH', { ...target, bot_name: 'Renamed' })).status).toBe(409);
    expect((await bots(calendar, 'POST', { ...target, bot_name: 'Ours' })).status).toBe(201);
    expect((await bots(calendar, 'PATCH', { ...target, bot_name: 'Late' })).status).toBe(409);
    expect((await bots(calendar, 'DELETE', target)).status).toBe(409);
    const [bot] = botsAt(event?.start_at);
    calendars.simulated.store.change(calendar.rawId, id, { start: inMs(3 * dayMs) });
    await waitFor(() => calendars.scheduler.bots.get(bot?.botId ?? '')?.joinAt !== event?.start_at.toISOString(), {
      what: 'the new time',
    });
    await calendars.idle();
    expect((await bots(calendar, 'PATCH', { ...target, bot_name: 'Renamed' })).status).toBe(200);
    await waitFor(() => calendars.scheduler.bots.get(bot?.botId ?? '')?.body['bot_name'] === 'Renamed', {
      what: 'the name',
    });
    expect((await bots(calendar, 'DELETE', target)).status).toBe(200);
    await waitFor(() => calendars.scheduler.bots.get(bot?.botId ?? '')?.state === 'cancelled', { what: 'the end' });
  });

  test('that has started leaves when its event is moved, and another one is scheduled', async () => {
    const calendar = await calendars.connect('google');
    const { id, own, rows } = await create(calendar, { start: inMs(60_000) });
    const [event] = rows;
    const target = { series_id: event?.series_id, event_id: event?.event_id, all_occurrences: false };
    await bots(calendar, 'POST', { ...target, bot_name: 'Ours' });
    const [bot] = botsAt(event?.start_at);
    if (bot !== undefined) bot.state = 'running';
    calendars.simulated.store.change(calendar.rawId, id, { start: inMs(2 * dayMs) });
    await waitFor(() => bot?.state === 'ended', { what: 'the end of the first bot' });
    await calendars.idle();
    expect(botsAt((await own())[0]?.start_at)).toMatchObject([{ eventId: event?.event_id }]);
  });
});

test('a change of an event that is refused leaves no bot for the former meeting, and the next one gets a bot again', async () => {
  const calendar = await calendars.connect('google');
  const { id, rows } = await create(calendar);
  const [event] = rows;
  const target = { series_id: event?.series_id, event_id: event?.event_id, all_occurrences: false };
  await bots(calendar, 'POST', { ...target, bot_name: 'Ours' });
  const ofEvent = () => [...calendars.scheduler.bots.values()].filter((bot) => bot.eventId === event?.event_id);
  expect(ofEvent()).toMatchObject([{ state: 'scheduled' }]);
  // The plan of the team has changed, for example.
  calendars.scheduler.refusedName = 'Ours';
  calendars.simulated.store.change(calendar.rawId, id, { start: inMs(3 * dayMs) });
  await waitFor(() => ofEvent()[0]?.state === 'cancelled', { what: 'the former schedule to be cancelled' });
  await calendars.idle();
  expect(ofEvent()).toHaveLength(1);
  expect(
    await calendars.database.query(`select error_code from wanted_bots where event_id = $1 and state = 'wanted'`, [
      event?.event_id,
    ]),
  ).toEqual([{ error_code: 'VALIDATION_ERROR' }]);
  calendars.scheduler.refusedName = null;
  const start = inMs(4 * dayMs);
  calendars.simulated.store.change(calendar.rawId, id, { start });
  await waitFor(() => ofEvent().length === 2, { what: 'a bot for the new time' });
  expect(ofEvent()[1]).toMatchObject({ state: 'scheduled', joinAt: new Date(`${start}Z`).toISOString() });
});

describe('a bot on a series', () => {
  test.each(['google', 'microsoft'] as const)(
    'of %s is on every occurrence, on those that come later, and not on cancelled ones',
    async (provider) => {
      const calendar = await calendars.connect(provider);
      const { id, own, rows } = await create(calendar, { recurrence: weekly }, 3);
      const target = { series_id: rows[0]?.series_id, all_occurrences: true };
      const made = await bots(calendar, 'POST', { ...target, bot_name: 'Series' });
      expect(made.body.data).toHaveLength(3);
      const eventIds = new Set(rows.map(({ event_id }) => event_id));
      expect(scheduled().filter(({ eventId }) => eventIds.has(eventId))).toHaveLength(3);
      const listed = [...calendars.simulated.store.get(calendar.rawId).listed.values()].filter(
        (one) => one.series.id === id,
      );
      calendars.simulated.store.cancel(calendar.rawId, listed[1]?.id ?? '');
      await waitFor(() => botsAt(rows[1]?.start_at).length === 0, { what: 'the cancelled occurrence' });
      calendars.simulated.store.change(calendar.rawId, id, { title: 'Renamed' });
      await calendars.idle();
      const wanted = (await own()).filter(({ status }) => status !== 'cancelled');
      for (const event of wanted) expect(botsAt(event.start_at)).toHaveLength(1);
      expect((await bots(calendar, 'DELETE', target)).body.data).toHaveLength(wanted.length);
      for (const event of wanted) expect(botsAt(event.start_at)).toHaveLength(0);
    },
  );

  test('goes on when a series of Google is split', async () => {
    const calendar = await calendars.connect('google');
    const { id, rows } = await create(calendar, { recurrence: { ...weekly, count: 4 } }, 4);
    await bots(calendar, 'POST', { series_id: rows[0]?.series_id, all_occurrences: true, bot_name: 'Series' });
    const listed = [...calendars.simulated.store.get(calendar.rawId).listed.values()].filter(
      (one) => one.series.id === id,
    );
    calendars.simulated.store.split(calendar.rawId, listed[2]?.id ?? '', { title: 'After the split' });
    const after = async () =>
      (await calendars.events(calendar.calendarId)).filter(({ title }) => title === 'After the split');
    await waitFor(async () => (await after()).length === 2, { what: 'the new series' });
    await calendars.idle();
    for (const event of await after()) expect(botsAt(event.start_at)).toHaveLength(1);
    expect(await after()).toHaveLength(2);
  });

  test('states for each event why it gets none', async () => {
    const calendar = await calendars.connect('google');
    const { rows } = await create(calendar, { recurrence: weekly, meetingUrl: null }, 3);
    const target = { series_id: rows[0]?.series_id, all_occurrences: true };
    const made = await bots(calendar, 'POST', { ...target, bot_name: 'Series' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ data: [], errors: rows.map(() => ({ code: 'NO_MEETING_URL' })) });
    calendars.scheduler.refusedName = 'Refused';
    const { rows: others } = await create(calendar, {});
    const one = { series_id: others[0]?.series_id, event_id: others[0]?.event_id, all_occurrences: false };
    const refused = await bots(calendar, 'POST', { ...one, bot_name: 'Refused' });
    expect(refused.body).toMatchObject({ data: [], errors: [{ code: 'VALIDATION_ERROR', details: 'bot_name' }] });
    expect(botsAt(others[0]?.start_at)).toEqual([]);
  });
});

describe('the same meeting on several calendars of a team', () => {
  test('has one bot, which stays as long as one of them wants it', async () => {
    const [first, second] = [await calendars.connect('google'), await calendars.connect('google')];
    const start = inMs(5 * dayMs);
    const shared = { iCalUid: `${randomUUID()}@example.com`, start, meetingUrl: newLink() };
    const [one, other] = [await create(first, shared), await create(second, shared)];
    for (const [calendar, { rows }] of [
      [first, one],
      [second, other],
    ] as const) {
      const target = { series_id: rows[0]?.series_id, event_id: rows[0]?.event_id, all_occurrences: false };
      expect((await bots(calendar, 'POST', { ...target, bot_name: 'Shared' })).body.errors).toEqual([]);
    }
    const at = one.rows[0]?.start_at;
    const [bot] = botsAt(at);
    expect(botsAt(at)).toHaveLength(1);
    calendars.simulated.store.cancel(first.rawId, one.id);
    await waitFor(async () => (await one.own())[0]?.status === 'cancelled', { what: 'the cancellation' });
    await calendars.idle();
    expect(botsAt(at).map(({ botId }) => botId)).toEqual([bot?.botId]);
    calendars.simulated.store.cancel(second.rawId, other.id);
    await waitFor(() => botsAt(at).length === 0, { what: 'the end' });
  });
});

/** A team whose rule sends a bot to every event. */
async function ruledTeam() {
  const teamId = randomUUID();
  const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'By rule' } };
  expect((await calendars.api('POST', '/v2/calendar-rules', rule, teamId)).status).toBe(201);
  return teamId;
}

describe('copies of a meeting', () => {
  test('with other ids in two calendars have one bot, or one each where the team says so', async () => {
    const teamId = await ruledTeam();
    const [first, second] = [
      await calendars.connect('google', { teamId }),
      await calendars.connect('microsoft', { teamId }),
    ];
    const zoom = 'https://us02web.zoom.us/j/82222222222';
    const wrapped = `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(`${zoom.replace('us02web', 'acme')}?pwd=abc.1`)}&data=x`;
    const start = inMs(6 * dayMs);
    const one = await create(first, { start, meetingUrl: null, location: `${zoom}?pwd=abc.1` });
    await create(second, { start, meetingUrl: null, description: wrapped });
    const at = one.rows[0]?.start_at;
    expect(botsAt(at)).toHaveLength(1);
    const listed = await calendars.api('GET', `/v2/calendars/${second.calendarId}/events`, undefined, teamId);
    expect(listed.body.data).toMatchObject([{ bot_scheduled: true }]);
    const settings = { own_domains: null, one_bot_per: 'calendar' };
    expect((await calendars.api('PUT', '/v2/calendar-settings', settings, teamId)).body.data).toEqual(settings);
    await calendars.idle();
    expect(botsAt(at)).toHaveLength(2);
    await calendars.api('PUT', '/v2/calendar-settings', { own_domains: null }, teamId);
    await calendars.idle();
    expect(botsAt(at)).toHaveLength(1);
  });

  test('of one room at different times: the bot of the first leaves when that of the second joins', async () => {
    const teamId = await ruledTeam();
    const meetingUrl = newLink();
    const calendar = await calendars.connect('google', { teamId });
    const [first, second] = [
      await create(calendar, { start: inMs(-1_200_000), meetingUrl }),
      await create(calendar, { meetingUrl }),
    ];
    const ofEvent = (id: string | undefined) =>
      [...calendars.scheduler.bots.values()].find(({ eventId }) => eventId === id);
    const former = ofEvent(first.rows[0]?.event_id);
    expect(former?.state).toBe('scheduled');
    if (former !== undefined) former.state = 'running';
    await calendars.database.query('update wanted_bots set join_at = now() where event_id = $1', [
      second.rows[0]?.event_id,
    ]);
    await waitFor(() => former?.state === 'ended', { what: 'the first bot to leave' });
    expect(ofEvent(second.rows[0]?.event_id)?.state).toBe('scheduled');
  });
});

describe('an event that is found after it has begun', () => {
  test('gets the bot of a rule at once, and that of a request, until it is over', async () => {
    const ruled = await calendars.connect('google', { teamId: await ruledTeam() });
    const { rows } = await create(ruled, { start: inMs(-1_200_000), durationMinutes: 60 });
    const [bot] = [...calendars.scheduler.bots.values()].filter(({ eventId }) => eventId === rows[0]?.event_id);
    expect(bot?.state).toBe('scheduled');
    expect(Math.abs(Date.now() - Date.parse(bot?.joinAt ?? ''))).toBeLessThan(60_000);
    const calendar = await calendars.connect('microsoft');
    const running = await create(calendar, { start: inMs(-1_200_000), durationMinutes: 60 });
    const target = (event?: { series_id: string; event_id: string }) => ({
      series_id: event?.series_id,
      event_id: event?.event_id,
      all_occurrences: false,
      bot_name: 'Ours',
    });
    expect((await bots(calendar, 'POST', target(running.rows[0]))).body).toMatchObject({ data: [{}], errors: [] });
    const over = await create(calendar, { start: inMs(-1_200_000), durationMinutes: 10 });
    expect((await bots(calendar, 'POST', target(over.rows[0]))).body).toMatchObject({
      data: [],
      errors: [{ code: 'EVENT_IN_PAST', message: 'The event is over.' }],
    });
  });
});

test.each(['google', 'microsoft'] as const)(
  'a declined event of %s and an absence get a bot by request only, and the dry run says why',
  async (provider) => {
    const teamId = await ruledTeam();
    const calendar = await calendars.connect(provider, { teamId });
    const declined = { attendees: [{ email: calendar.email, name: null, response: 'declined' }] };
    const organizer = { email: 'bob@example.com', name: null };
    const { rows } = await create(calendar, { title: 'Declined', organizer, ...declined });
    await create(calendar, { title: 'Away', kind: 'outOfOffice', start: inMs(3 * dayMs) });
    const dry = await calendars.api('POST', '/v2/calendar-rules/dry-run', { conditions: {} }, teamId);
    expect(dry.body.data).toMatchObject([
      { title: 'Declined', would_get_bot: false, reasons: [expect.any(String), 'Excluded: The account declined it.'] },
      { title: 'Away', would_get_bot: false, reasons: [expect.any(String), expect.stringContaining('an absence')] },
    ]);
    expect(scheduled()).toEqual([]);
    const body = { series_id: rows[0]?.series_id, event_id: null, all_occurrences: true, bot_name: 'Ours' };
    const made = await calendars.api('POST', `/v2/calendars/${calendar.calendarId}/bots`, body, teamId);
    expect(made.body).toMatchObject({ data: [{ event_id: rows[0]?.event_id }], errors: [] });
    await calendars.idle();
    expect(scheduled()).toMatchObject([{ eventId: rows[0]?.event_id }]);
  },
);

test('a passcode of the conference data is in the link that the bot opens', async () => {
  const calendar = await calendars.connect('google', { teamId: await ruledTeam() });
  const meetingUrl = 'https://example.zoom.us/j/81234567890';
  const { rows } = await create(calendar, { meetingUrl, passcode: '493817' });
  expect(rows).toMatchObject([{ meeting_url: `${meetingUrl}?pwd=493817`, notices: [] }]);
  const without = await create(calendar, { meetingUrl: 'https://example.zoom.us/j/81234567891' });
  expect(without.rows).toMatchObject([{ notices: [{ code: 'PASSCODE_MISSING' }] }]);
});

describe('what belongs to another team', () => {
  test('is not found', async () => {
    const calendar = await calendars.connect('google');
    const { rows } = await create(calendar);
    const body = { series_id: rows[0]?.series_id, event_id: rows[0]?.event_id, all_occurrences: false, bot_name: 'x' };
    const path = `/v2/calendars/${calendar.calendarId}/bots`;
    expect((await calendars.api('POST', path, body, randomUUID())).status).toBe(404);
    expect((await bots(calendar, 'POST', { ...body, series_id: randomUUID() })).status).toBe(404);
    expect((await bots(calendar, 'POST', { ...body, event_id: randomUUID() })).status).toBe(404);
  });
});
