import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import type { ChannelRow } from '../schema/entities.ts';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());

const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 19);
const draft = () => eventDraftSchema.parse({ start, meetingUrl: 'https://meet.google.com/abc-defg-hij' });

async function channelOf({ calendarId }: ConnectedCalendar): Promise<ChannelRow | undefined> {
  const [channel] = await calendars.database.query<ChannelRow>(
    `select * from channels where calendar_id = $1 and state = 'active'`,
    [calendarId],
  );
  return channel;
}

async function subscriptionOf(calendar: ConnectedCalendar) {
  const { push } = calendars.simulated;
  const found = [...push.subscriptions.values()].find(({ calendarId }) => calendarId === calendar.rawId);
  if (found === undefined) throw new Error('The calendar has no subscription.');
  return found;
}

const lastFullRound = async ({ calendarId }: ConnectedCalendar): Promise<number> =>
  (await calendars.connection(calendarId)).window_start?.getTime() ?? 0;

test('a subscription that Microsoft removed is replaced at once, and everything is read again', async () => {
  const calendar = await calendars.connect('microsoft');
  const [before, round] = [await channelOf(calendar), await lastFullRound(calendar)];
  calendars.simulated.push.removeSubscriptions(calendar.rawId);
  await waitFor(async () => (await channelOf(calendar))?.channel_id !== before?.channel_id, { what: 'the removal' });
  await waitFor(async () => (await channelOf(calendar)) !== undefined, { what: 'the new channel' });
  await waitFor(async () => (await lastFullRound(calendar)) > round, { what: 'the full round' });
  const { store } = calendars.simulated;
  store.create(calendar.rawId, draft());
  await waitFor(async () => (await calendars.events(calendar.calendarId)).length === 1, { what: 'the event' });
});

test('a subscription that has to be authorised again is renewed at once', async () => {
  const calendar = await calendars.connect('microsoft');
  const before = await channelOf(calendar);
  const subscription = await subscriptionOf(calendar);
  const renewals = calendars.simulated.counts['microsoft.renew'] ?? 0;
  calendars.simulated.push.lifecycle(subscription, 'reauthorizationRequired');
  await waitFor(() => (calendars.simulated.counts['microsoft.renew'] ?? 0) > renewals, { what: 'the renewal' });
  await waitFor(async () => (await channelOf(calendar))?.renewal_required === false, { what: 'the mark to go' });
  expect((await channelOf(calendar))?.channel_id).toBe(before?.channel_id);
  expect((await channelOf(calendar))?.expires_at.getTime()).toBeGreaterThan(before?.expires_at.getTime() ?? 0);
});

test('after missed notifications everything is read again', async () => {
  const calendar = await calendars.connect('microsoft');
  const round = await lastFullRound(calendar);
  calendars.simulated.push.lifecycle(await subscriptionOf(calendar), 'missed');
  await waitFor(async () => (await lastFullRound(calendar)) > round, { what: 'the full round' });
});

test('a change is accepted from a request that holds items without a client state and of unknown forms', async () => {
  const calendar = await calendars.connect('microsoft', { sparse: true });
  calendars.simulated.store.create(calendar.rawId, draft());
  await waitFor(async () => (await calendars.events(calendar.calendarId)).length === 1, { what: 'the event' });
});

test.each(['google', 'microsoft'] as const)(
  'a channel of %s that stays silent while syncs find changes is replaced',
  async (provider) => {
    const calendar = await calendars.connect(provider);
    const before = await channelOf(calendar);
    const { push, store } = calendars.simulated;
    push.held = true;
    const change = async (count: number) => {
      store.create(calendar.rawId, draft());
      await calendars.database.query('update connections set next_sync_at = now() where calendar_id = $1', [
        calendar.calendarId,
      ]);
      await waitFor(async () => (await calendars.events(calendar.calendarId)).length === count, { what: 'the event' });
      await calendars.idle();
    };
    await change(1);
    expect((await channelOf(calendar))?.channel_id).toBe(before?.channel_id);
    await change(2);
    await change(3);
    push.held = false;
    await push.release(() => []);
    expect((await channelOf(calendar))?.channel_id).not.toBe(before?.channel_id);
  },
);
