import { setTimeout as sleep } from 'node:timers/promises';
import { Operator, startServiceStack } from '@rapporteur/api-fuzz';
import type { ServiceStack } from '@rapporteur/api-fuzz';
import { treeCpuMsOf } from '../measure/cpu.ts';
import { machine } from '../measure/figures.ts';
import { measureBareUpsert } from './bare-upsert.ts';
import { notifySteadily, notifyStorm, writeChannels } from './notifications.ts';
import { addEvents, readPages } from './simulated-events.ts';

export interface CalendarSyncOptions {
  readonly calendars: number;
  /** Of each calendar. */
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
      if (response.status !== 201) throw new Error(`Connecting answered ${response.status}: ${await response.text()}`);
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
