import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest } from '../testing/calendars-under-test.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const draft = (over: object = {}) =>
  eventDraftSchema.parse({
    title: 'Planning',
    start: `${day(2)}T09:00:00`,
    meetingUrl: 'https://meet.google.com/abc-defg-hij',
    ...over,
  });
const weekly = { frequency: 'weekly', interval: 1, count: 4, until: null };

describe.each(['google', 'microsoft'] as const)('a calendar of %s', (provider) => {
  test('is stored as it is, and follows what changes through push', async () => {
    const { simulated, connect, events, idle } = calendars;
    const { calendarId, rawId } = await connect(provider);
    const single = simulated.store.create(rawId, draft());
    const series = simulated.store.create(
      rawId,
      draft({ title: 'Weekly', recurrence: weekly, start: `${day(3)}T10:00:00` }),
    );
    await waitFor(async () => (await events(calendarId)).length === 5, { what: 'the events' });
    const stored = (await events(calendarId)).map(({ title, meeting_platform, status }) => [
      title,
      meeting_platform,
      status,
    ]);
    expect(stored).toContainEqual(['Planning', 'meet', 'confirmed']);
    expect(stored.filter(([title]) => title === 'Weekly')).toHaveLength(4);
    const listed = [...simulated.store.get(rawId).listed.values()].filter((one) => one.series.id === series.id);
    simulated.store.change(rawId, listed[1]?.id ?? '', { start: `${day(12)}T15:00:00`, title: 'Moved' });
    simulated.store.cancel(rawId, listed[2]?.id ?? '');
    simulated.store.cancel(rawId, single.id);
    await waitFor(async () => (await events(calendarId)).filter(({ status }) => status === 'cancelled').length === 2, {
      what: 'the cancellations',
    });
    await idle();
    const after = await events(calendarId);
    expect(after).toHaveLength(5);
    expect(after.filter(({ is_exception }) => is_exception).map(({ title }) => title)).toEqual(['Moved']);
    const notices = await calendars.database.query<{ event: string; count: number }>(
      `select data->'notice'->>'event' as event, count(*)::int as count from outbox
       where data->>'calendarId' = $1 and type = 'calendars.v1.changed' group by 1`,
      [calendarId],
    );
    const counts = new Map(notices.map(({ event, count }) => [event, count]));
    expect(counts.get('calendar.connection_created')).toBe(1);
    expect(counts.get('calendar.event_created') ?? 0).toBeGreaterThan(0);
    expect(counts.get('calendar.event_cancelled') ?? 0).toBeGreaterThan(0);
  });

  test('is written anew only where something changed', async () => {
    const { simulated, connect, api, events, idle, database } = calendars;
    const { calendarId, rawId } = await connect(provider);
    simulated.store.create(rawId, draft({ recurrence: weekly }));
    await waitFor(async () => (await events(calendarId)).length === 4, { what: 'the events' });
    await idle();
    const versions = () =>
      database.query('select xmin::text, event_id from events where calendar_id = $1 order by 2', [calendarId]);
    const before = await versions();
    await api('POST', `/v2/calendars/${calendarId}/sync`);
    await waitFor(async () => !(await calendars.connection(calendarId)).full_sync_wanted, { what: 'the full sync' });
    expect(await versions()).toEqual(before);
  });

  test('reads everything again after 410, in the middle of a round too', async () => {
    const { simulated, connect, events, idle } = calendars;
    const { calendarId, rawId } = await connect(provider);
    simulated.push.held = true;
    simulated.store.create(rawId, draft());
    simulated.store.invalidateTokens(rawId);
    simulated.push.held = false;
    await simulated.push.release();
    await waitFor(async () => (await events(calendarId)).length === 1, { what: 'the event' });
    await idle();
  });

  test('states that its consent was revoked, once, and goes on with new credentials', async () => {
    const { simulated, connect, connection, api, database } = calendars;
    const { calendarId, rawId, email } = await connect(provider);
    simulated.grants.revoke(email);
    simulated.grants.expireAccess();
    await api('POST', `/v2/calendars/${calendarId}/sync`);
    await waitFor(async () => (await connection(calendarId)).status === 'revoked', { what: 'the status' });
    expect((await connection(calendarId)).status_message).toMatch(/revoked or has expired/);
    expect((await api('POST', `/v2/calendars/${calendarId}/sync`)).status).toBe(401);
    const reported = await database.query(
      `select 1 from outbox where data->'notice'->>'event' = 'calendar.connection_error' and data->>'calendarId' = $1`,
      [calendarId],
    );
    expect(reported).toHaveLength(1);
    const grant = simulated.grants.create(provider, email);
    const body = {
      oauth_client_id: grant.clientId,
      oauth_client_secret: grant.clientSecret,
      oauth_refresh_token: grant.refreshToken,
    };
    simulated.push.held = true;
    simulated.store.create(rawId, draft());
    expect((await api('PATCH', `/v2/calendars/${calendarId}`, body)).body).toMatchObject({
      data: { status: 'active' },
    });
    await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the sync' });
    simulated.push.held = false;
    await simulated.push.release(() => []);
  });
});

test('a sync that fails with former credentials leaves new ones as they are', async () => {
  const { simulated, connect, connection, api, idle, database } = calendars;
  const { calendarId, rawId, email } = await connect('google');
  simulated.grants.revoke(email);
  simulated.grants.expireAccess();
  // The refusal of the former credentials arrives after the new ones.
  const late = {
    at: 'token',
    delayMs: 2_000,
    unknownForm: false,
    hangUp: false,
    after: 0,
    times: 1,
    retryAfterSeconds: 0,
  } as const;
  simulated.faults.strike(late);
  simulated.store.create(rawId, draft());
  await waitFor(async () => (await connection(calendarId)).renewal !== null, { what: 'the renewal' });
  // The renewal holds no connection of the pool while the provider responds.
  const waiting = await database.query(
    `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );
  expect(waiting).toEqual([]);
  const grant = simulated.grants.create('google', email);
  const body = {
    oauth_client_id: grant.clientId,
    oauth_client_secret: grant.clientSecret,
    oauth_refresh_token: grant.refreshToken,
  };
  expect((await api('PATCH', `/v2/calendars/${calendarId}`, body)).status).toBe(200);
  await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the sync' });
  await idle();
  expect(await connection(calendarId)).toMatchObject({ status: 'active', sync_failures: 0 });
});

test('a full sync that is requested during another one is followed by a further full one', async () => {
  const { simulated, connect, connection, api, idle } = calendars;
  const { calendarId } = await connect('google');
  const usual = { unknownForm: false, hangUp: false, after: 0, times: 1, retryAfterSeconds: 0 };
  simulated.faults.strike({ ...usual, at: 'list', delayMs: 3_000 });
  await api('POST', `/v2/calendars/${calendarId}/sync`);
  await waitFor(async () => (await connection(calendarId)).sync_lease !== null, { what: 'the first full sync' });
  const requestedAt = Date.now();
  await api('POST', `/v2/calendars/${calendarId}/sync`);
  await idle();
  const { window_start: windowStart, full_sync_wanted: isWanted } = await connection(calendarId);
  // A full round sets the window, which begins a day before the round.
  expect((windowStart?.getTime() ?? 0) + 86_400_000).toBeGreaterThanOrEqual(requestedAt);
  expect(isWanted).toBe(false);
});

test('notifications are acknowledged while the row of their calendar is in use, and lead to a sync afterwards', async () => {
  const { simulated, connect, database, idle } = calendars;
  const { calendarId, rawId } = await connect('google');
  await database.transaction(async (transaction) => {
    await transaction.query('select 1 from connections where calendar_id = $1 for update', [calendarId]);
    simulated.store.create(rawId, draft());
    await simulated.push.settled();
    const requests = await database.query('select 1 from sync_requests where calendar_id = $1', [calendarId]);
    expect(requests).toHaveLength(1);
  });
  await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the event' });
  await idle();
  expect(await database.query('select 1 from sync_requests where calendar_id = $1', [calendarId])).toEqual([]);
});
