import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Executor } from '@rapporteur/database';
import { eventDraftSchema } from '@rapporteur/simulator';
import { waitFor } from '@rapporteur/testbed';
import type { EventRow } from '../schema/entities.ts';
import { startCalendarsUnderTest } from '../testing/calendars-under-test.ts';
import type { CalendarsUnderTest, ConnectedCalendar } from '../testing/calendars-under-test.ts';
import { teamTransaction } from './team-transaction.ts';

let calendars: CalendarsUnderTest;
beforeAll(async () => {
  calendars = await startCalendarsUnderTest();
}, 60_000);
afterAll(() => calendars.stop());

const dayMs = 86_400_000;
/** At second 0: the tests move a meeting by seconds, and a meeting that is there already does not move. */
const start = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 17) + '00';
let links = 0;
const newLink = (): string => `https://meet.google.com/abc-${String.fromCodePoint(97 + (links += 1))}efg-hij`;

interface Meeting {
  readonly teamId: string;
  readonly calendar: ConnectedCalendar;
  readonly event: EventRow;
  readonly providerId: string;
  api(method: string, path: string, body?: unknown): ReturnType<CalendarsUnderTest['api']>;
  bots(method: string, body: object): ReturnType<CalendarsUnderTest['api']>;
}

/** A team with one calendar that has one event, or a series. */
async function meetingOf(over: object = {}): Promise<Meeting> {
  const teamId = randomUUID();
  const calendar = await calendars.connect('google', { teamId });
  const draft = eventDraftSchema.parse({ start, meetingUrl: newLink(), ...over });
  const { id: providerId } = calendars.simulated.store.create(calendar.rawId, draft);
  await waitFor(async () => (await calendars.events(calendar.calendarId)).length > 0, { what: 'the event' });
  await calendars.idle();
  const [event] = await calendars.events(calendar.calendarId);
  if (event === undefined) throw new Error('There is no event.');
  const api: Meeting['api'] = (method, path, body) => calendars.api(method, path, body, teamId);
  const target = { series_id: event.series_id, event_id: event.event_id, all_occurrences: false };
  const bots: Meeting['bots'] = (method, body) =>
    api(method, `/v2/calendars/${calendar.calendarId}/bots`, { ...target, ...body });
  return { teamId, calendar, event, providerId, api, bots };
}

/** Holds the team's lock until `requests` wait for it, and commits `work`, which they have not seen, before they go on. */
async function behind<T>(
  teamId: string,
  requests: readonly (() => Promise<T>)[],
  work: (transaction: Executor) => Promise<unknown>,
): Promise<T[]> {
  const pending = await teamTransaction(calendars.database, teamId, async (transaction) => {
    const sent = requests.map((request) => request());
    await waitFor(async () => (await waiting()) >= Math.max(1, requests.length), { what: 'the lock to be waited for' });
    await work(transaction);
    return { sent };
  });
  return await Promise.all(pending.sent);
}

async function waiting(): Promise<number> {
  const [row] = await calendars.database.query<{ count: number }>(
    `select count(*)::int as count from pg_locks join pg_database on pg_database.oid = pg_locks.database
     where locktype = 'advisory' and not granted and datname = current_database()`,
  );
  return row?.count ?? 0;
}

/** What a page of a sync inserts: another occurrence of the event's series, a day later. */
async function insertOccurrence(transaction: Executor, { event_id }: EventRow): Promise<EventRow> {
  const [row] = await transaction.query<EventRow>(
    `insert into events select (jsonb_populate_record(event, jsonb_build_object('event_id', gen_random_uuid(),
       'occurrence_key', gen_random_uuid(), 'provider_event_id', gen_random_uuid(),
       'meeting_key', gen_random_uuid(), 'start_at', event.start_at + interval '1 day', 'end_at',
       event.end_at + interval '1 day'))).* from events event where event_id = $1 returning *`,
    [event_id],
  );
  if (row === undefined) throw new Error('There is no such event.');
  return row;
}

const wantedOf = async ({ event_id }: EventRow) =>
  (
    await calendars.database.query<{ state: string }>('select state from wanted_bots where event_id = $1', [event_id])
  ).map(({ state }) => state);

const rule = { name: 'All', enabled: true, conditions: {}, bot: { bot_name: 'All' } };

test('a rule gives bots to the events of a page that commits while it waits, and takes them from these', async () => {
  const meeting = await meetingOf();
  let added: EventRow | undefined;
  const create = () => meeting.api('POST', '/v2/calendar-rules', rule);
  const [made] = await behind(meeting.teamId, [create], async (transaction) => {
    added = await insertOccurrence(transaction, meeting.event);
  });
  expect(made?.status).toBe(201);
  expect(await wantedOf(added as EventRow)).toEqual(['wanted']);
  await calendars.idle();
  const { rule_id } = (made?.body.data ?? {}) as { rule_id: string };
  const remove = () => meeting.api('DELETE', `/v2/calendar-rules/${rule_id}`);
  await behind(meeting.teamId, [remove], async (transaction) => {
    added = await insertOccurrence(transaction, added as EventRow);
    await insertWanted(transaction, added);
  });
  expect(await wantedOf(added as EventRow)).toEqual(['cancelled']);
});

test('a series includes the occurrences of a page that commits while a request waits', async () => {
  const weekly = { frequency: 'weekly', interval: 1, count: 2, until: null };
  const meeting = await meetingOf({ recurrence: weekly });
  const all = { event_id: null, all_occurrences: true };
  let added: EventRow | undefined;
  const add = async (transaction: Executor) => {
    added = await insertOccurrence(transaction, added ?? meeting.event);
  };
  const [made] = await behind(meeting.teamId, [() => meeting.bots('POST', { ...all, bot_name: 'One' })], add);
  expect(made).toMatchObject({ status: 201, body: { errors: [] } });
  expect(made?.body.data).toHaveLength(3);
  expect(await wantedOf(added as EventRow)).toEqual(['wanted']);
  await calendars.idle();
  const [gone] = await behind(meeting.teamId, [() => meeting.bots('DELETE', all)], async (transaction) => {
    await add(transaction);
    await insertWanted(transaction, added as EventRow);
  });
  expect(gone?.body.data).toHaveLength(4);
  expect(await wantedOf(added as EventRow)).toEqual(['cancelled']);
});

test('of two changes of a bot at once neither field is lost', async () => {
  const meeting = await meetingOf();
  await meeting.bots('POST', { bot_name: 'One' });
  await calendars.idle();
  const changes = [{ bot_name: 'Renamed' }, { entry_message: 'Hello' }];
  const requests = changes.map((body) => () => meeting.bots('PATCH', body));
  const changed = await behind(meeting.teamId, requests, () => Promise.resolve());
  expect(changed.map(({ status }) => status)).toEqual([200, 200]);
  await calendars.idle();
  const [bot] = [...calendars.scheduler.bots.values()].filter(({ eventId }) => eventId === meeting.event.event_id);
  expect(bot?.body).toMatchObject({ bot_name: 'Renamed', entry_message: 'Hello' });
});

test('of two changes of the preferred platform at once the links follow the last', async () => {
  const zoom = 'https://acme.zoom.us/j/12345678901?pwd=abc-DEF_123.1';
  const meeting = await meetingOf({ location: zoom });
  const path = `/v2/calendars/${meeting.calendar.calendarId}`;
  const requests = ['meet', null].map(
    (preferred) => () => meeting.api('PATCH', path, { preferred_platform: preferred }),
  );
  await behind(meeting.teamId, requests, () => Promise.resolve());
  const [event] = await calendars.events(meeting.calendar.calendarId);
  const { preferred_platform } = await calendars.connection(meeting.calendar.calendarId);
  expect(event?.meeting_platform).toBe(preferred_platform ?? 'zoom');
});

test('a calendar that is deleted takes a bot with it that a request adds while the deletion waits', async () => {
  const meeting = await meetingOf();
  const remove = () => meeting.api('DELETE', `/v2/calendars/${meeting.calendar.calendarId}`);
  await behind(meeting.teamId, [remove], (transaction) => insertWanted(transaction, meeting.event));
  expect(await wantedOf(meeting.event)).toEqual(['cancelled']);
});

test('a sync takes the lock of the team before it locks events, so that no request deadlocks with it', async () => {
  const meeting = await meetingOf();
  const { calendarId, rawId } = meeting.calendar;
  const change = () => {
    calendars.simulated.store.change(rawId, meeting.providerId, { title: 'Renamed' });
    return Promise.resolve();
  };
  await behind(meeting.teamId, [change], (transaction) =>
    transaction.query('update events set bot_excluded = false where event_id = $1', [meeting.event.event_id]),
  );
  await calendars.idle();
  expect(await calendars.events(calendarId)).toMatchObject([{ title: 'Renamed' }]);
  expect(await calendars.connection(calendarId)).toMatchObject({ sync_failures: 0, sync_status: 'success' });
});

test('a transaction that PostgreSQL ends because of a deadlock is tried again, and three times at most', async () => {
  let attempts = 0;
  const deadlock = (times: number) =>
    teamTransaction(calendars.database, randomUUID(), async (transaction) => {
      attempts += 1;
      if (attempts > times) return 'done';
      return await transaction.query(`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`);
    });
  expect(await deadlock(2)).toBe('done');
  attempts = 0;
  await expect(deadlock(3)).rejects.toThrow('deadlock');
  expect(attempts).toBe(3);
});

test('the result of an outdated version changes nothing: a rule that was disabled meanwhile works when enabled again', async () => {
  const meeting = await meetingOf();
  const other = await calendars.start();
  const { rule_id } = (await meeting.api('POST', '/v2/calendar-rules', rule)).body.data as { rule_id: string };
  await calendars.idle();
  const held = calendars.scheduler.holdNext();
  calendars.simulated.store.change(meeting.calendar.rawId, meeting.providerId, {
    durationMinutes: 45,
    start: start.replace(/\d\d$/, '30'),
  });
  await held.reached;
  await meeting.api('PATCH', `/v2/calendar-rules/${rule_id}`, { enabled: false });
  const ofEvent = () => [...calendars.scheduler.bots.values()].filter((bot) => bot.eventId === meeting.event.event_id);
  await waitFor(() => ofEvent()[0]?.state === 'cancelled', { what: 'the newer version to overtake' });
  held.release();
  await held.done;
  await calendars.idle();
  expect(await calendars.events(meeting.calendar.calendarId)).toMatchObject([{ bot_excluded: false }]);
  await meeting.api('PATCH', `/v2/calendar-rules/${rule_id}`, { enabled: true });
  await calendars.idle();
  expect(ofEvent().map(({ state }) => state)).toEqual(['cancelled', 'scheduled']);
  await other.stop();
});

test('a bot whose time is over while a result of it is settled is taken from bot-scheduler', async () => {
  const meeting = await meetingOf();
  await meeting.bots('POST', { bot_name: 'One' });
  await calendars.idle();
  const held = calendars.scheduler.holdNext();
  const later = { start: start.replace(/\d\d$/, '40') };
  calendars.simulated.store.change(meeting.calendar.rawId, meeting.providerId, later);
  await held.reached;
  // The statement of the round that hands over to the next bot of the room: it takes no lock of a team.
  const settled = await calendars.database.transaction(async (transaction) => {
    await transaction.query(
      `update wanted_bots set state = 'over', version = version + 1, next_attempt_at = now(), attempts = 0
       where event_id = $1`,
      [meeting.event.event_id],
    );
    held.release();
    await held.done;
    await waitFor(async () => (await waitingForRows()) > 0, { what: 'the settlement to reach the row' });
    return { seen: true };
  });
  expect(settled.seen).toBe(true);
  await calendars.idle();
  const ofEvent = () => [...calendars.scheduler.bots.values()].find((bot) => bot.eventId === meeting.event.event_id);
  await waitFor(() => ofEvent()?.state === 'cancelled', { what: 'the end to reach bot-scheduler' });
});

async function waitingForRows(): Promise<number> {
  const [row] = await calendars.database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`,
  );
  return row?.count ?? 0;
}

/** What another request decides. */
async function insertWanted(transaction: Executor, event: EventRow): Promise<void> {
  const [bot] = await transaction.query<{ bot_id: string }>(
    `insert into wanted_bots (bot_id, team_id, event_id, scope_id, meeting_key, config_id, join_at, shared_until, meeting_url,
       state, version, applied_version, attempts, created_at, updated_at)
     select gen_random_uuid(), team_id, event_id, team_id, meeting_key, gen_random_uuid(), start_at, end_at, meeting_url,
       'wanted', 1, 1, 0, now(), now() from events where event_id = $1 returning bot_id`,
    [event.event_id],
  );
  const botId = bot?.bot_id ?? '';
  const at = { joinAt: event.start_at.toISOString(), meetingUrl: event.meeting_url ?? '', body: {} };
  calendars.scheduler.bots.set(botId, { botId, eventId: event.event_id, version: 1, ...at, state: 'scheduled' });
}
