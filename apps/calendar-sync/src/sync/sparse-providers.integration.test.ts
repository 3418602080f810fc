import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  // Short, so that rounds without a notification follow soon. Full rounds are those that a test requests.
  calendars = await startCalendarsUnderTest({ settings: { RAPPORTEUR_SYNC_EVERY_MS: '1000' } });
}, 60_000);
afterAll(() => calendars.stop());

const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 19);
const draft = (over: object = {}) =>
  eventDraftSchema.parse({ title: 'Planning', start, meetingUrl: 'https://meet.google.com/abc-defg-hij', ...over });
const weekly = { frequency: 'weekly', interval: 1, count: 4, until: null };

async function there({ calendarId }: ConnectedCalendar) {
  return (await calendars.events(calendarId)).filter(({ status }) => status !== 'cancelled');
}

async function connectWithSeries(provider: 'google' | 'microsoft', sparse = true) {
  const calendar = await calendars.connect(provider, { sparse });
  const { id } = calendars.simulated.store.create(calendar.rawId, draft({ recurrence: weekly }));
  await waitFor(async () => (await there(calendar)).length === 4, { what: 'the events' });
  const occurrences = [...calendars.simulated.store.get(calendar.rawId).listed.values()].map((one) => one.id);
  return { calendar, id, occurrences };
}

async function fullSync({ calendarId }: ConnectedCalendar): Promise<void> {
  await calendars.api('POST', `/v2/calendars/${calendarId}/sync`);
  await waitFor(async () => !(await calendars.connection(calendarId)).full_sync_wanted, { what: 'the full sync' });
}

const usual = { delayMs: 0, unknownForm: false, hangUp: false, after: 0, retryAfterSeconds: 0 };

describe.each(['google', 'microsoft'] as const)('a calendar of %s, as sparse as reported', (provider) => {
  test('is read beside elements that cannot be, which the API names', async () => {
    const { calendarId, rawId } = await calendars.connect(provider, { sparse: true });
    const attendees = [{ email: 'ada@example.com' }];
    calendars.simulated.store.create(rawId, draft({ attendees }));
    await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the event' });
    const [event] = await calendars.events(calendarId);
    expect(event?.attendees).toMatchObject([{ email: 'ada@example.com' }]);
    const { body } = await calendars.api('GET', `/v2/calendars/${calendarId}`);
    expect(body.data).toMatchObject({ status: 'active', sync_status: 'partial', unreadable_event_count: 2 });
    const { unreadable_events: unreadable } = body.data as { unreadable_events: { provider_event_id: string }[] };
    expect(unreadable).toContainEqual({
      provider_event_id: `unknown-${rawId}`,
      reason: expect.stringMatching(/(summary|subject): /),
      since: expect.any(String),
    });
    expect(unreadable.map((one) => one.provider_event_id)).toContainEqual(expect.stringMatching(/^without-id-/));
  });

  test('loses a series whose removal names the series alone', async () => {
    const { calendar, id } = await connectWithSeries(provider);
    calendars.simulated.store.cancel(calendar.rawId, id);
    await waitFor(async () => (await there(calendar)).length === 0, { what: 'the cancellations' });
  });

  test('loses a deleted occurrence of which the provider states nothing with the next full round', async () => {
    const { calendar, occurrences } = await connectWithSeries(provider);
    const { store } = calendars.simulated;
    for (const id of occurrences.slice(0, 2)) store.cancel(calendar.rawId, id);
    await fullSync(calendar);
    await waitFor(async () => (await there(calendar)).length === 2, { what: 'the cancellations' });
  });
});

test.each([false, true])(
  'a Microsoft series that its organiser cancels loses its events (sparse: %s)',
  async (sparse) => {
    const { calendar, id, occurrences } = await connectWithSeries('microsoft', sparse);
    calendars.simulated.store.change(calendar.rawId, occurrences[1] ?? '', { title: 'Deviates' });
    await waitFor(async () => (await there(calendar)).some(({ is_exception }) => is_exception), {
      what: 'the exception',
    });
    calendars.simulated.store.callOff(calendar.rawId, id);
    await waitFor(async () => (await there(calendar)).length === 0, { what: 'the cancellations' });
    await fullSync(calendar);
    expect(await there(calendar)).toEqual([]);
  },
);

test('a deleted occurrence of a Microsoft series is found among the occurrences of its series, without a full round', async () => {
  const { calendar, occurrences } = await connectWithSeries('microsoft');
  calendars.simulated.store.cancel(calendar.rawId, occurrences[1] ?? '');
  await waitFor(async () => (await there(calendar)).length === 3, { what: 'the cancellation' });
});

test('more changed series than a round reads are followed by a full round', async () => {
  const calendar = await calendars.connect('microsoft', { sparse: true });
  const { store } = calendars.simulated;
  const count = 22;
  calendars.simulated.push.held = true;
  for (let series = 0; series < count; series += 1)
    store.create(calendar.rawId, draft({ recurrence: { ...weekly, count: 2 } }));
  await fullSync(calendar);
  await waitFor(async () => (await there(calendar)).length === 2 * count, { what: 'the events' });
  for (const one of [...store.get(calendar.rawId).listed.values()].filter((_one, index) => index % 2 === 0))
    store.cancel(calendar.rawId, one.id);
  calendars.simulated.push.held = false;
  await calendars.simulated.push.release();
  await waitFor(async () => (await there(calendar)).length === count, { what: 'the cancellations' });
});

test('a calendar whose pages are of an unknown form says so, once, and recovers', async () => {
  const calendar = await calendars.connect('microsoft');
  calendars.simulated.faults.strike({ ...usual, at: 'list', unknownForm: true, times: 10_000 });
  const connection = () => calendars.connection(calendar.calendarId);
  await waitFor(async () => (await connection()).status === 'error', { what: 'the status' });
  expect((await connection()).status_message).toMatch(/response of an unknown form \(value\)/);
  const reported = await calendars.database.query(
    `select 1 from outbox where data->'notice'->>'event' = 'calendar.connection_error' and data->>'calendarId' = $1`,
    [calendar.calendarId],
  );
  expect(reported).toHaveLength(1);
  calendars.simulated.faults.heal();
  await fullSync(calendar);
  expect(await connection()).toMatchObject({ status: 'active', status_message: null });
});

test('a calendar is read as a whole again when its last full round is long ago', async () => {
  const calendar = await calendars.connect('google');
  const began = async () => (await calendars.connection(calendar.calendarId)).window_start?.getTime() ?? 0;
  const before = await began();
  await calendars.database.query(
    `update connections set window_start = window_start - interval '4 hours' where calendar_id = $1`,
    [calendar.calendarId],
  );
  await waitFor(async () => (await began()) > before, { what: 'the full round' });
});
