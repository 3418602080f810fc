import { setTimeout as sleep } from 'node:timers/promises';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cpuUsage } from 'node:process';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { eventDraftSchema } from '@rapporteur/simulator';
import type { SimulatedCalendars } from '@rapporteur/simulator';
import pg from 'pg';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { machine } from '../measure/figures.ts';

interface GoogleItem {
  readonly id: string;
  readonly iCalUID: string;
  readonly summary?: string;
  readonly description?: string;
  readonly start: { readonly dateTime?: string };
  readonly end: { readonly dateTime?: string };
  readonly attendees?: unknown;
}

/** Into a table with the columns and indexes of calendar-sync's, but without its references to other tables. */
const upsertSql = `
  insert into bench_events (event_id, calendar_id, team_id, series_id, occurrence_key, provider_event_id, meeting_key, title,
    description, start_at, end_at, is_all_day, time_zone, status, is_exception, is_private, is_organizer, attendees, raw,
    content_hash, bot_excluded, created_at, updated_at)
  select gen_random_uuid(), $1, $1, $1, id, id, uid, title, description, start_at, end_at, false, 'UTC', 'confirmed', false,
    false, true, attendees, raw, '', false, now(), now()
    from jsonb_to_recordset($2::jsonb) as given (id text, uid text, title text, description text, start_at timestamptz,
      end_at timestamptz, attendees jsonb, raw jsonb)
  on conflict (calendar_id, occurrence_key) do update set title = excluded.title, start_at = excluded.start_at,
    end_at = excluded.end_at, attendees = excluded.attendees, raw = excluded.raw, updated_at = excluded.updated_at`;

interface BareUpsert {
  readonly databaseUrl: string;
  readonly postgresPid: number;
  /** Pages of each calendar, by its id in the database. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
}

/**
 * The reference: JSON.parse and one batched upsert per page. Returns events per CPU-second of this process and
 * PostgreSQL.
 */
async function measureBareUpsert({ databaseUrl, postgresPid, pages }: BareUpsert): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('drop table if exists bench_events');
    await client.query('create table bench_events (like calendars.events including all)');
    let events = 0;
    const [ownBefore, postgresBefore] = [cpuUsage(), treeCpuMsOf(postgresPid)];
    for (const [calendarId, texts] of pages) {
      for (const text of texts) {
        const { items } = JSON.parse(text) as { items: readonly GoogleItem[] };
        await client.query(upsertSql, [calendarId, JSON.stringify(items.map(rowOf))]);
        events += items.length;
      }
    }
    const own = cpuUsage(ownBefore);
    const cpuMs = (own.user + own.system) / 1_000 + treeCpuMsOf(postgresPid) - postgresBefore;
    return (events / cpuMs) * 1_000;
  } finally {
    await client.query('drop table if exists bench_events').catch(() => undefined);
    await client.end();
  }
}

function rowOf(item: GoogleItem) {
  return {
    id: item.id,
    uid: item.iCalUID,
    title: item.summary ?? '',
    description: item.description ?? null,
    start_at: item.start.dateTime,
    end_at: item.end.dateTime,
    attendees: item.attendees ?? [],
    raw: item,
  };
}

interface NotificationLoad {
  readonly gatewayUrl: string;
  readonly operator: Operator;
  readonly calendarIds: readonly string[];
}

interface Channel {
  readonly url: string;
  readonly token: string;
}

const tickMs = 20;

/** Opens a channel for each calendar in the database, with the row that the service itself writes. */
async function writeChannels({ gatewayUrl, operator, calendarIds }: NotificationLoad): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (const calendarId of calendarIds) {
    const [channelId, token] = [randomUUID(), randomBytes(24).toString('base64url')];
    await operator.query(
      `insert into calendars.channels (channel_id, calendar_id, provider_channel_id, token_hash, state, expires_at, created_at)
       values ($1, $2, 'bench', $3, 'active', now() + interval '6 days', now())`,
      [channelId, calendarId, createHash('sha256').update(token).digest()],
    );
    channels.push({ url: `${gatewayUrl}/v2/calendar-notifications/${channelId}`, token });
  }
  return channels;
}

async function notify({ url, token }: Channel): Promise<number> {
  const beganMs = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-goog-channel-token': token, 'x-goog-resource-state': 'exists' },
    signal: AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  if (response.status !== 202) throw new Error(`A notification got the status ${response.status}.`);
  return performance.now() - beganMs;
}

/**
 * Notifications at a steady rate, over all channels in rotation. Returns the latencies of the acknowledgements, in ms,
 * sorted.
 */
async function notifySteadily(
  channels: readonly Channel[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number[]> {
  const perTick = (perSecond * tickMs) / 1_000;
  const beganMs = performance.now();
  const sent: Promise<number>[] = [];
  for (let tick = 0; tick * tickMs < seconds * 1_000; tick += 1) {
    for (let index = 0; index < perTick; index += 1) {
      const channel = channels[sent.length % channels.length];
      if (channel !== undefined) sent.push(notify(channel));
    }
    await sleep(Math.max(0, beganMs + (tick + 1) * tickMs - performance.now()));
  }
  return (await Promise.all(sent)).toSorted((one, other) => one - other);
}

/**
 * As many notifications for one channel, some concurrently, as fast as they are acknowledged. Returns the duration in
 * ms.
 */
async function notifyStorm(channel: Channel, count: number): Promise<number> {
  const beganMs = performance.now();
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await notify(channel);
    }
  };
  await Promise.all(Array.from({ length: 50 }, sender));
  return performance.now() - beganMs;
}

export interface CalendarSyncOptions {
  readonly calendars: number;
  /** Events of each calendar. */
  readonly events: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

const goal = 0.4;
const referenceCalendars = 50;
const stormNotifications = 10_000;
const connectAtOnce = 8;

interface Bench {
  readonly stack: ServiceStack;
  readonly operator: Operator;
  readonly say: (text: string) => void;
}

/**
 * CPU of calendar-sync and PostgreSQL for first syncs, over a bare loop of JSON.parse and batched upserts; rows that a repeated
 * sync writes; steady cost; acknowledgement of notifications, and syncs that a storm of them causes.
 */
export async function measureCalendarSync({ calendars, events, seconds, say }: CalendarSyncOptions): Promise<void> {
  say(machine());
  // Only the measured operation makes a calendar due.
  const settings = { SYNC_EVERY_MS: '86400000' };
  const stack = await startServiceStack({ gateways: 1, say, settings: { 'calendar-sync': settings } });
  const operator = await Operator.open(stack);
  const bench: Bench = { stack, operator, say };
  try {
    const ids = await connectAll(bench, calendars);
    for (const rawId of ids.keys()) addEvents(stack.calendars, rawId, events);
    await measureSyncs(bench, ids, events);
    await measureNotifications(bench, [...ids.values()], seconds);
    say(machine());
  } finally {
    await operator.close();
    await stack.stop();
  }
}

/** Returns the service's id of each calendar by the provider's. */
async function connectAll({ stack, operator }: Bench, count: number): Promise<Map<string, string>> {
  await operator.addPlan({ name: 'bench-wide', requestsPerSecond: 1_000, dailyBotCap: 10_000_000 });
  const team = await operator.addTeam('bench', { plan: 'bench-wide', tokens: 3_600_000 });
  const found = new Map<string, string>();
  const emails = Array.from({ length: count }, (_, index) => `bench-${index}@example.com`);
  const connect = async (): Promise<void> => {
    for (let email = emails.pop(); email !== undefined; email = emails.pop()) {
      stack.calendars.store.add({ provider: 'google', email });
      const grant = stack.calendars.grants.create('google', email);
      const response = await fetch(`${stack.gatewayUrls[0] ?? ''}/v2/calendars`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-api-key': team.keys.full },
        body: JSON.stringify({
          calendar_platform: 'google',
          oauth_client_id: grant.clientId,
          oauth_client_secret: grant.clientSecret,
          oauth_refresh_token: grant.refreshToken,
          raw_calendar_id: email,
        }),
        signal: AbortSignal.timeout(30_000),
      });
      if (response.status !== 201) throw new Error(`Connecting got ${response.status}: ${await response.text()}`);
      found.set(email, ((await response.json()) as { data: { calendar_id: string } }).data.calendar_id);
    }
  };
  await Promise.all(Array.from({ length: connectAtOnce }, connect));
  await untilSynced(operator);
  return found;
}

/** Until no calendar is due within the hour, needs a full sync or is being synced. */
async function untilSynced(operator: Operator): Promise<void> {
  const deadline = Date.now() + 1_800_000;
  for (;;) {
    const [row] = await operator.query<{ busy: string }>(
      `select count(*) as busy from calendars.connections
       where sync_lease is not null or full_sync_wanted or next_sync_at <= now() + interval '1 hour' or synced_at is null`,
    );
    if (row?.busy === '0') return;
    if (Date.now() > deadline) throw new Error(`${row?.busy} calendars are not synced after half an hour.`);
    await sleep(200);
  }
}

interface Round {
  readonly cpuMs: number;
  readonly byProcess: string;
  readonly tookMs: number;
}

async function syncAll({ stack, operator }: Bench, kind: 'full' | 'incremental'): Promise<Round> {
  const names = ['calendar-sync', 'postgres'] as const;
  const cpu = () => names.map((name) => treeCpuMsOf(stack.pids().get(name) ?? 0));
  const [before, beganMs] = [cpu(), performance.now()];
  await operator.query('update calendars.connections set next_sync_at = now(), full_sync_wanted = $1', [
    kind === 'full',
  ]);
  await untilSynced(operator);
  const parts = cpu().map((ms, index) => ms - (before[index] ?? 0));
  const byProcess = names.map((name, index) => `${name} ${((parts[index] ?? 0) / 1_000).toFixed(1)} CPU-s`).join(', ');
  return { cpuMs: parts.reduce((sum, ms) => sum + ms, 0), byProcess, tookMs: performance.now() - beganMs };
}

async function measureSyncs(bench: Bench, ids: ReadonlyMap<string, string>, events: number): Promise<void> {
  const { stack, operator, say } = bench;
  const total = ids.size * events;
  const first = await syncAll(bench, 'full');
  const [stored] = await operator.query<{ count: string }>('select count(*) from calendars.events');
  if (Number(stored?.count) !== total) throw new Error(`${stored?.count} events are stored instead of ${total}.`);
  const perCpuSecond = (total / first.cpuMs) * 1_000;
  say(`first sync of ${ids.size} calendars with ${events} events: ${(first.tookMs / 1_000).toFixed(1)} s`);
  say(`  ${first.byProcess}: ${perCpuSecond.toFixed(0)} events per CPU-second`);
  const pages = new Map<string, string[]>();
  for (const [rawId, id] of [...ids].slice(0, referenceCalendars)) pages.set(id, await readPages(stack, rawId));
  const postgresPid = stack.pids().get('postgres') ?? 0;
  const bare = await measureBareUpsert({ databaseUrl: stack.databaseUrl, postgresPid, pages });
  const ratio = perCpuSecond / bare;
  say(`bare loop of JSON.parse and one upsert per page: ${bare.toFixed(0)} events per CPU-second`);
  say(`ratio ${ratio.toFixed(2)}; goal >= ${goal}: ${ratio >= goal ? 'met' : 'MISSED'}`);

  const written = async () =>
    JSON.stringify(
      await operator.query(`select count(*), max(xmin::text::bigint), sum(hashtext(xmin::text)) from calendars.events`),
    );
  const before = await written();
  const again = await syncAll(bench, 'full');
  const unchanged = (await written()) === before;
  say(
    `repeated full sync without changes: ${(again.cpuMs / 1_000).toFixed(1)} CPU-s; wrote no row of events: ${unchanged}`,
  );
  if (!unchanged) throw new Error('A repeated sync wrote events that had not changed.');
  const steady = await syncAll(bench, 'incremental');
  const perHour = (steady.cpuMs * 4) / 1_000;
  say(`one periodic sync of all, nothing changed: ${(steady.cpuMs / 1_000).toFixed(1)} CPU-s (${steady.byProcess})`);
  say(`  every 15 minutes: ${perHour.toFixed(1)} CPU-s per hour`);
}

async function measureNotifications(bench: Bench, calendarIds: readonly string[], seconds: number): Promise<void> {
  const { stack, operator, say } = bench;
  const channels = await writeChannels({ gatewayUrl: stack.gatewayUrls[0] ?? '', operator, calendarIds });
  await notifySteadily(channels, { perSecond: 100, seconds: 3 });
  await untilSynced(operator);
  const waits = await notifySteadily(channels, { perSecond: 500, seconds });
  const at = (share: number): string => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(0);
  say(
    `${waits.length} notifications at 500 per second, acknowledged after ${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms (longest)`,
  );
  await untilSynced(operator);
  const [channel] = channels;
  if (channel === undefined) throw new Error('There is no channel.');
  const lists = () => stack.calendars.counts['google.list'] ?? 0;
  const before = lists();
  const tookMs = await notifyStorm(channel, stormNotifications);
  await untilSynced(operator);
  say(
    `${stormNotifications} notifications for one calendar in ${(tookMs / 1_000).toFixed(1)} s: ${lists() - before} syncs`,
  );
}

const hourMs = 3_600_000;
const attendees = Array.from({ length: 5 }, (_, index) => ({
  email: `guest-${index}@example.com`,
  name: `Guest ${index}`,
  response: 'accepted',
}));

/** Adds so many single events in the next seven weeks to a calendar. */
function addEvents({ store }: SimulatedCalendars, calendarId: string, count: number): void {
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
async function readPages(
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
