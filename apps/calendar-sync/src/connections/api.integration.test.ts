import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSecretBox } from '@rapporteur/secret-box';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import type { BotConfigRow, ConnectionRow } from '../schema/entities.ts';
import { createSealing } from '../sealing.ts';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest } from '../testing/calendars-under-test.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());

const start = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 19);
const draft = (over: object = {}) =>
  eventDraftSchema.parse({ title: 'Planning', start, meetingUrl: 'https://meet.google.com/abc-defg-hij', ...over });

function credentials(provider: 'google' | 'microsoft', email: string) {
  const grant = calendars.simulated.grants.create(provider, email);
  return {
    calendar_platform: provider,
    oauth_client_id: grant.clientId,
    oauth_client_secret: grant.clientSecret,
    oauth_refresh_token: grant.refreshToken,
  };
}

describe('connecting', () => {
  test('first shows the calendars of an account, and stores nothing', async () => {
    calendars.simulated.store.add({ provider: 'google', email: 'raw@example.com' });
    const listed = await calendars.api(
      'POST',
      '/v2/calendars/list-raw',
      credentials('google', 'raw@example.com'),
      randomUUID(),
    );
    expect(listed).toMatchObject({ status: 200, body: { data: [{ id: 'raw@example.com', is_primary: true }] } });
  });

  test('refuses credentials that do not work with 401, and a calendar that is connected already with 409', async () => {
    const { rawId, email } = await calendars.connect('google');
    const body = { ...credentials('google', email), raw_calendar_id: rawId };
    expect((await calendars.api('POST', '/v2/calendars', body)).status).toBe(409);
    const wrong = await calendars.api('POST', '/v2/calendars', { ...body, oauth_refresh_token: 'canary-token' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'FST_ERR_CALENDAR_CREDENTIALS' } });
    expect(wrong.text).not.toContain('canary');
    expect((await calendars.api('POST', '/v2/calendars', { ...body, raw_calendar_id: 'nothing' })).status).toBe(400);
  });

  test('is shown without any credential, with its channel and what became of its sync', async () => {
    const { calendarId, email } = await calendars.connect('microsoft');
    const read = await calendars.api('GET', `/v2/calendars/${calendarId}`);
    expect(read.body.data).toMatchObject({
      calendar_id: calendarId,
      account_email: email,
      status: 'active',
      sync_status: 'success',
      subscription_id: expect.any(String),
    });
    expect(read.text).not.toMatch(/simulated-(refresh|access|microsoft-secret)/);
    const [dump] = await calendars.database.query<{ text: string }>(
      'select string_agg(connections::text, $1) as text from connections',
      [' '],
    );
    expect(dump?.text).not.toMatch(/simulated-(refresh|access|microsoft-secret)/);
    expect((await calendars.api('GET', `/v2/calendars/${calendarId}`, undefined, randomUUID())).status).toBe(404);
    const listed = await calendars.api('GET', `/v2/calendars?account_email=${email}&limit=1`);
    expect(listed.body).toMatchObject({ data: [{ calendar_id: calendarId }], cursor: null, prev_cursor: null });
  });

  test('can be taken back: bots are cancelled, the channel is closed, nothing is left', async () => {
    const { calendarId, rawId } = await calendars.connect('google');
    calendars.simulated.store.create(rawId, draft());
    await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the event' });
    const [event] = await calendars.events(calendarId);
    const target = { series_id: event?.series_id, event_id: event?.event_id, all_occurrences: false, bot_name: 'Ours' };
    expect((await calendars.api('POST', `/v2/calendars/${calendarId}/bots`, target)).status).toBe(201);
    const bot = () => [...calendars.scheduler.bots.values()].find(({ eventId }) => eventId === event?.event_id);
    await waitFor(() => bot()?.state === 'scheduled', { what: 'the bot' });
    expect((await calendars.api('DELETE', `/v2/calendars/${calendarId}`)).status).toBe(200);
    await waitFor(() => bot()?.state === 'cancelled', { what: 'the end of the bot' });
    const open = () =>
      [...calendars.simulated.push.channels.values()].filter((channel) => channel.calendarId === rawId);
    await waitFor(() => open().length === 0, { what: 'the end of the channel' });
    await waitFor(async () => (await calendars.events(calendarId)).length === 0, { what: 'no events' });
    expect((await calendars.api('GET', `/v2/calendars/${calendarId}`)).status).toBe(404);
  });
});

describe('push channels', () => {
  test.each(['google', 'microsoft'] as const)(
    'of %s are opened anew on request, and the former one ends',
    async (provider) => {
      const { calendarId, rawId } = await calendars.connect(provider);
      const { push } = calendars.simulated;
      const open = () =>
        [...push.channels.values(), ...push.subscriptions.values()].filter((one) => one.calendarId === rawId);
      const [before] = open();
      expect((await calendars.api('POST', `/v2/calendars/${calendarId}/resubscribe`)).body.data).toMatchObject({
        calendar_id: calendarId,
      });
      expect(open()).toHaveLength(1);
      expect(open()[0]?.id).not.toBe(before?.id);
    },
  );

  test('are one, however many requests open one at the same moment', async () => {
    for (const provider of ['google', 'microsoft'] as const) {
      const { calendarId, rawId } = await calendars.connect(provider);
      const { push } = calendars.simulated;
      const open = () =>
        [...push.channels.values(), ...push.subscriptions.values()].filter((one) => one.calendarId === rawId);
      const requests = Array.from({ length: 5 }, () =>
        calendars.api('POST', `/v2/calendars/${calendarId}/resubscribe`),
      );
      for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
      // The first sync may still be closing the channel that it opened.
      await waitFor(() => open().length === 1, { what: 'the replaced channels to be closed' });
      const stored = await calendars.database.query<{ channel_id: string; provider_channel_id: string }>(
        'select channel_id, provider_channel_id from channels where calendar_id = $1',
        [calendarId],
      );
      expect(stored.flatMap((one) => [one.channel_id, one.provider_channel_id])).toContain(open()[0]?.id);
    }
  });

  test('take nothing with a token that is not their own', async () => {
    const { calendarId } = await calendars.connect('google');
    const [channel] = await calendars.database.query<{ channel_id: string }>(
      'select channel_id from channels where calendar_id = $1',
      [calendarId],
    );
    const path = `/v1/calendar-notifications/${channel?.channel_id ?? ''}`;
    const passed = { validation_token: null, channel_token: 'not-the-token', body: null };
    expect((await calendars.api('POST', path, passed)).status).toBe(404);
    expect(
      (await calendars.api('POST', path, { ...passed, channel_token: null, body: { value: [{ clientState: 'x' }] } }))
        .status,
    ).toBe(404);
    expect((await calendars.api('POST', `/v1/calendar-notifications/${randomUUID()}`, passed)).status).toBe(404);
  });
});

describe('events and series', () => {
  test('are listed by start in pages, and read whole', async () => {
    const { calendarId, rawId } = await calendars.connect('google');
    const recurrence = { frequency: 'daily', interval: 1, count: 5, until: null };
    calendars.simulated.store.create(rawId, draft({ recurrence, description: 'All about it' }));
    await waitFor(async () => (await calendars.events(calendarId)).length === 5, { what: 'the events' });
    const root = `/v2/calendars/${calendarId}`;
    const first = await calendars.api('GET', `${root}/events?limit=3`);
    const next = await calendars.api(
      'GET',
      `${root}/events?limit=3&cursor=${encodeURIComponent(String(first.body['cursor']))}`,
    );
    const ids = [first, next].flatMap(({ body }) =>
      (body.data as { event_id: string }[]).map(({ event_id }) => event_id),
    );
    expect(new Set(ids).size).toBe(5);
    expect(next.body).toMatchObject({ cursor: null, prev_cursor: expect.any(String) });
    const back = await calendars.api(
      'GET',
      `${root}/events?limit=3&cursor=${encodeURIComponent(String(next.body['prev_cursor']))}`,
    );
    expect(back.body.data).toEqual(first.body.data);
    const series = await calendars.api('GET', `${root}/series?event_type=recurring`);
    expect(series.body.data).toMatchObject([
      { event_type: 'recurring', events: [{ event_id: ids[0] }, {}, {}, {}, {}] },
    ]);
    const read = await calendars.api('GET', `${root}/events/${ids[0] ?? ''}`);
    expect(read.body.data).toMatchObject({
      description: 'All about it',
      calendar_platform: 'google',
      is_all_day: false,
    });
    expect((await calendars.api('GET', `${root}/events/${randomUUID()}`)).status).toBe(404);
    expect((await calendars.api('GET', `${root}/events?cursor=x`)).status).toBe(400);
  });
});

describe('events of the legacy generation', () => {
  test('come in pages of 100, each with its attendees and its calendar', async () => {
    const { calendarId, rawId } = await calendars.connect('google');
    const recurrence = { frequency: 'daily', interval: 1, count: 45, until: null };
    const attendees = [{ email: 'bo@example.com', name: 'Bo', response: 'accepted' }];
    for (let count = 0; count < 3; count += 1)
      calendars.simulated.store.create(rawId, draft({ recurrence, attendees }));
    await waitFor(async () => (await calendars.events(calendarId)).length === 135, { what: 'the events' });
    const page = async (query: string) =>
      (await calendars.api('GET', `/v1/calendar-events?calendar_id=${calendarId}${query}`)).body;
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(String(first['cursor']))}`);
    const events = [first, second].map(({ data }) => data as { event_id: string; calendar_id: string }[]);
    expect(events.map(({ length }) => length)).toEqual([100, 35]);
    expect(new Set(events.flat().map(({ event_id }) => event_id)).size).toBe(135);
    expect(second['cursor']).toBeNull();
    expect(events[0]?.[0]).toMatchObject({
      calendar_id: calendarId,
      attendees: [{ email: 'bo@example.com', name: 'Bo' }],
    });
  });
});

test('times of queries are read alike in both generations, with every offset and leap seconds', async () => {
  const { calendarId } = await calendars.connect('google');
  for (const text of ['2027-01-01T00:00:00+23:59', '2026-12-31T23:59:60Z', '0001-01-01T00:00:00Z']) {
    const time = encodeURIComponent(text);
    const paths = [
      `/v2/calendars/${calendarId}/events?start_date=${time}&end_date=${time}`,
      `/v1/calendar-events?calendar_id=${calendarId}&start_date_gte=${time}&start_date_lte=${time}&updated_at_gte=${time}`,
    ];
    for (const path of paths)
      expect({ path, status: (await calendars.api('GET', path)).status }).toEqual({ path, status: 200 });
  }
  const refused = [`/v2/calendars/${calendarId}/events?start_date=soon`, `/v2/calendars?limit=ten`];
  for (const path of refused)
    expect({ path, status: (await calendars.api('GET', path)).status }).toEqual({ path, status: 400 });
});

describe('rules', () => {
  test('give matching events a bot, state why in a dry run, and take it away with them', async () => {
    const teamId = randomUUID();
    const { calendarId, rawId } = await calendars.connect('google', { teamId });
    calendars.simulated.store.create(rawId, draft({ title: 'Customer call' }));
    calendars.simulated.store.create(rawId, draft({ title: 'Customer secret', isPrivate: true }));
    calendars.simulated.store.create(rawId, draft({ title: 'Lunch' }));
    await waitFor(async () => (await calendars.events(calendarId)).length === 3, { what: 'the events' });
    const conditions = { title_contains: 'customer' };
    const dry = await calendars.api('POST', '/v2/calendar-rules/dry-run', { conditions }, teamId);
    const matched = (dry.body.data as { title: string; would_get_bot: boolean }[]).filter((one) => one.would_get_bot);
    expect(matched.map(({ title }) => title)).toEqual(['Customer call']);
    const rule = { name: 'Customers', enabled: true, conditions, bot: { bot_name: 'By rule' } };
    const made = await calendars.api('POST', '/v2/calendar-rules', rule, teamId);
    expect(made.status).toBe(201);
    const ruled = (state: string) =>
      [...calendars.scheduler.bots.values()].filter((bot) => bot.body['bot_name'] === 'By rule' && bot.state === state);
    await waitFor(() => ruled('scheduled').length === 1, { what: 'the bot' });
    const path = `/v2/calendar-rules/${(made.body.data as { rule_id: string }).rule_id}`;
    expect((await calendars.api('PATCH', path, { enabled: false }, teamId)).body.data).toMatchObject({
      enabled: false,
    });
    await waitFor(() => ruled('cancelled').length === 1, { what: 'the end' });
    expect((await calendars.api('GET', '/v2/calendar-rules', undefined, teamId)).body.data).toHaveLength(1);
    expect((await calendars.api('DELETE', path, undefined, teamId)).status).toBe(200);
    expect((await calendars.api('DELETE', path, undefined, teamId)).status).toBe(404);
  });
});

test('own domains of a team decide who is an external guest, and bots of rules follow', async () => {
  const teamId = randomUUID();
  const api = (method: string, path: string, body?: unknown) => calendars.api(method, path, body, teamId);
  const { calendarId, rawId, email } = await calendars.connect('google', { teamId });
  const attendees = [
    { email, name: 'Ada', response: 'accepted' },
    { email: 'bo@fabrikam.com', name: 'Bo', response: 'accepted' },
  ];
  calendars.simulated.store.create(rawId, draft({ title: 'Guests', attendees }));
  await waitFor(async () => (await calendars.events(calendarId)).length === 1, { what: 'the event' });
  const conditions = { external_guests: true };
  const dryRun = async () => (await api('POST', '/v2/calendar-rules/dry-run', { conditions })).body.data as unknown;
  const external = { email: 'bo@fabrikam.com', kind: 'external', reason: 'fabrikam.com is no own domain.' };
  expect(await dryRun()).toMatchObject([{ would_get_bot: true, guests: [{ kind: 'own' }, external] }]);
  const rule = { name: 'External', enabled: true, conditions, bot: { bot_name: 'Outside' } };
  expect((await api('POST', '/v2/calendar-rules', rule)).status).toBe(201);
  const ruled = (state: string) =>
    [...calendars.scheduler.bots.values()].filter((bot) => bot.body['bot_name'] === 'Outside' && bot.state === state);
  await waitFor(() => ruled('scheduled').length === 1, { what: 'the bot' });
  expect((await api('GET', '/v2/calendar-settings')).body.data).toEqual({ own_domains: null, one_bot_per: 'meeting' });
  const wrong = await api('PUT', '/v2/calendar-settings', { own_domains: ['example.com', 'a@b.c'] });
  expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('own_domains[1]: ') } });
  const set = await api('PUT', '/v2/calendar-settings', { own_domains: ['Example.com', 'fabrikam.com'] });
  expect(set.body.data).toEqual({ own_domains: ['example.com', 'fabrikam.com'], one_bot_per: 'meeting' });
  await waitFor(() => ruled('cancelled').length === 1, { what: 'the end of the bot' });
  expect(await dryRun()).toMatchObject([{ would_get_bot: false, guests: [{ kind: 'own' }, { kind: 'own' }] }]);
});

describe('a new secret key', () => {
  test('seals connections and bot configurations again, and the former key is not needed after that', async () => {
    const { calendarId } = await calendars.connect('google');
    const former = calendars.environment['RAPPORTEUR_SECRET_KEY'] ?? '';
    const current = randomBytes(32).toString('base64');
    const place = { teamId: randomUUID(), configId: randomUUID() };
    await calendars.database.query(
      'insert into bot_configs (config_id, team_id, sealed, created_at) values ($1, $2, $3, now())',
      [
        place.configId,
        place.teamId,
        createSealing(createSecretBox({ current: former, former: [] })).sealConfig(place, { bot_name: 'Sealed' }),
      ],
    );
    await calendars.start({ RAPPORTEUR_SECRET_KEY: current, RAPPORTEUR_FORMER_SECRET_KEYS: former });
    const sealing = createSealing(createSecretBox({ current, former: [] }));
    const opened = async () => {
      const [config] = await calendars.database.query<BotConfigRow>('select * from bot_configs where config_id = $1', [
        place.configId,
      ]);
      const connection: ConnectionRow = await calendars.connection(calendarId);
      if (config === undefined) return null;
      return [sealing.openConfig(config), sealing.openColumn(connection, 'refresh_token')];
    };
    await waitFor(async () => (await opened().catch(() => null)) !== null, { what: 'the new key to open both' });
    expect(await opened()).toEqual([{ bot_name: 'Sealed' }, expect.any(String)]);
  });
});
