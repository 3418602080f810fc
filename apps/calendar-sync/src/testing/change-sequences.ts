import { hash } from 'node:crypto';
import type { EventDraft, ListedEvent } from '@rapporteur/simulator';
import { eventDraftSchema } from '@rapporteur/simulator';
import { seeded, waitFor } from '@rapporteur/testbed';
import type { CalendarsUnderTest, ConnectedCalendar } from './calendars-under-test.ts';

const dayMs = 86_400_000;
/** Each calendar has rooms of its own. */
const linksOf = ({ rawId }: ConnectedCalendar): readonly (string | null)[] => {
  const digits = hash('sha256', rawId, 'hex').replaceAll(/\D/g, '').slice(0, 9).padEnd(9, '1');
  return [`https://zoom.us/j/1${digits}?pwd=a.1`, `https://zoom.us/j/2${digits}?pwd=a.1`, null];
};

/**
 * Applies a sequence of changes to each of these calendars, interleaved, with lost, duplicated and reordered
 * notifications, failing requests, and consents that are revoked and renewed.
 */
export async function playSequences(
  calendars: CalendarsUnderTest,
  connected: readonly ConnectedCalendar[],
  seed: number,
): Promise<void> {
  const random = seeded(seed);
  const { simulated } = calendars;
  simulated.push.held = true;
  const steps = 3 + Math.floor(random() * 4);
  for (let step = 0; step < steps; step += 1) {
    for (const calendar of connected) {
      changeSomething(calendars, calendar, random);
      if (random() < 0.3) strike(calendars, calendar, random);
    }
    await simulated.push.release((kept) =>
      kept
        .filter(() => random() >= 0.05)
        .flatMap((one) => (random() < 0.2 ? [one, one] : [one]))
        .toSorted(() => random() - 0.5),
    );
  }
  simulated.faults.heal();
  const revoked = connected.filter(() => random() < 0.1);
  for (const calendar of revoked) {
    simulated.grants.revoke(calendar.email);
    changeSomething(calendars, calendar, random);
  }
  if (revoked.length > 0) simulated.grants.expireAccess();
  simulated.push.held = false;
  await simulated.push.release();
  await Promise.all(revoked.map((calendar) => consentAgain(calendars, calendar)));
  // Changes that a sparse provider omits are found by a full round only.
  for (const { calendarId, teamId } of connected.filter(({ sparse }) => sparse))
    await calendars.api('POST', `/v2/calendars/${calendarId}/sync`, undefined, teamId);
}

/**
 * Two customers of one team, at the same time: they disable, enable and rename the rule, change settings, and schedule
 * and change bots. At the end the rule is enabled. Throws for a response that is no refusal of the request.
 */
export async function playWriters(
  calendars: CalendarsUnderTest,
  { connected, ruleId }: { readonly connected: readonly ConnectedCalendar[]; readonly ruleId: string },
  seed: number,
): Promise<void> {
  const teamId = connected[0]?.teamId ?? '';
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const { status, text } = await calendars.api(method, path, body, teamId);
    if (![200, 201, 404, 409].includes(status)) throw new Error(`${method} ${path} responded with ${status}: ${text}`);
  };
  const write = async (random: () => number): Promise<void> => {
    const rule = `/v2/calendar-rules/${ruleId}`;
    const calendar = connected[Math.floor(random() * connected.length)];
    const events = calendar === undefined ? [] : await calendars.events(calendar.calendarId);
    const event = events[Math.floor(random() * events.length)];
    const dice = random();
    const name = `Writer ${Math.floor(random() * 10)}`;
    if (dice < 0.4) await send('PATCH', rule, { enabled: random() < 0.5 });
    else if (dice < 0.5) await send('PATCH', rule, { bot: { bot_name: name } });
    else if (dice < 0.6)
      await send('PUT', '/v2/calendar-settings', { own_domains: random() < 0.5 ? null : ['example.com'] });
    else if (calendar !== undefined && event !== undefined) {
      const target = { series_id: event.series_id, event_id: event.event_id, all_occurrences: random() < 0.5 };
      const method = random() < 0.5 ? 'POST' : 'PATCH';
      await send(method, `/v2/calendars/${calendar.calendarId}/bots`, { ...target, bot_name: name });
    }
  };
  await Promise.all(
    [seeded(seed), seeded(seed + 1)].map(async (random) => {
      for (let step = 0; step < 6; step += 1) await write(random);
    }),
  );
  await send('PATCH', `/v2/calendar-rules/${ruleId}`, { enabled: true });
}

async function consentAgain(
  { simulated, connection, api }: CalendarsUnderTest,
  { calendarId, email, teamId }: ConnectedCalendar,
): Promise<void> {
  const { platform } = await connection(calendarId);
  await waitFor(async () => (await connection(calendarId)).status === 'revoked', {
    what: 'the revoked consent to be noticed',
    timeoutMs: repairMs,
  });
  const grant = simulated.grants.create(platform, email);
  const body = {
    oauth_client_id: grant.clientId,
    oauth_client_secret: grant.clientSecret,
    oauth_refresh_token: grant.refreshToken,
  };
  const { status, text } = await api('PATCH', `/v2/calendars/${calendarId}`, body, teamId);
  if (status !== 200) throw new Error(`New credentials responded with ${status}: ${text}`);
}

/** Longer than the lease of a killed process. */
const repairMs = 90_000;

/** Resolves when stored events and scheduled bots equal the provider's; throws the first remaining difference. */
export async function waitForEqual(calendars: CalendarsUnderTest, calendar: ConnectedCalendar): Promise<void> {
  const difference = async (): Promise<string | null> => {
    const { stored, provider } = await compareWithProvider(calendars, calendar);
    if (JSON.stringify(stored) !== JSON.stringify(provider)) {
      const { status, sync_error, sync_failures, next_sync_at } = await calendars.connection(calendar.calendarId);
      return JSON.stringify({ stored, provider, status, sync_error, sync_failures, next_sync_at }, null, 1);
    }
    const { scheduled, wanted } = await compareBots(calendars, calendar);
    return JSON.stringify(scheduled) === JSON.stringify(wanted) ? null : JSON.stringify({ scheduled, wanted }, null, 1);
  };
  await waitFor(
    async () => {
      const found = await difference();
      if (found !== null) throw new Error(found);
      return true;
    },
    { what: `calendar ${calendar.calendarId} to be repaired`, timeoutMs: repairMs },
  );
}

/** Number of the provider's push channels or subscriptions for a calendar. */
export function openChannels({ simulated: { push } }: CalendarsUnderTest, { rawId }: ConnectedCalendar): number {
  return [...push.channels.values(), ...push.subscriptions.values()].filter((one) => one.calendarId === rawId).length;
}

const isThere = ({ removed, series }: ListedEvent): boolean => !removed && !series.calledOff;

function changeSomething(calendars: CalendarsUnderTest, calendar: ConnectedCalendar, random: () => number): void {
  const { rawId } = calendar;
  const { store } = calendars.simulated;
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const start = new Date(Date.now() + dayMs + Math.floor(random() * 40) * 3_600_000).toISOString().slice(0, 19);
  const link = pick(linksOf(calendar)) ?? null;
  const listed = [...store.get(rawId).listed.values()].filter(isThere);
  const event: ListedEvent | undefined = pick(listed);
  const dice = random();
  if (event === undefined || dice < 0.25) {
    const repeats = random() < 0.5 ? { frequency: 'daily', count: 2 + Math.floor(random() * 3) } : null;
    const timeZone = pick(['UTC', 'Europe/Berlin', 'America/New_York']);
    const draft: EventDraft = eventDraftSchema.parse({ start, timeZone, meetingUrl: link, recurrence: repeats });
    store.create(rawId, draft);
  } else if (dice < 0.45) store.change(rawId, event.id, { start, timeZone: 'UTC' });
  else if (dice < 0.6) store.cancel(rawId, event.id);
  else if (dice < 0.66) store.cancel(rawId, event.series.id);
  else if (dice < 0.7) store.callOff(rawId, event.series.id);
  else if (dice < 0.8 && event.kind !== 'single') store.split(rawId, event.id, { title: 'Split' });
  else if (dice < 0.9) store.change(rawId, event.series.id, { organizer: { email: 'new@example.com', name: null } });
  else store.change(rawId, event.id, { meetingUrl: link, title: `Renamed ${Math.floor(random() * 100)}` });
}

function strike(calendars: CalendarsUnderTest, { rawId }: ConnectedCalendar, random: () => number): void {
  const { faults, grants, push, store } = calendars.simulated;
  const usual = { delayMs: 0, unknownForm: false, hangUp: false, after: 0, times: 1, retryAfterSeconds: 0 };
  const dice = random();
  if (dice < 0.2) store.invalidateTokens(rawId);
  else if (dice < 0.35) faults.strike({ ...usual, at: 'list', status: 410 });
  else if (dice < 0.5) faults.strike({ ...usual, at: 'list', status: 429 });
  else if (dice < 0.65) faults.strike({ ...usual, at: 'list', status: 503 });
  else if (dice < 0.75) faults.strike({ ...usual, at: 'list', hangUp: true });
  else if (dice < 0.9) grants.expireAccess();
  else push.expireAll();
}

/** Events in storage and at the provider, as sorted texts. */
async function compareWithProvider(calendars: CalendarsUnderTest, { calendarId, rawId }: ConnectedCalendar) {
  const provider = [...calendars.simulated.store.get(rawId).listed.values()]
    .filter(isThere)
    .map(({ startMs, endMs, fields }) =>
      [new Date(startMs).toISOString(), new Date(endMs).toISOString(), fields.title, fields.meetingUrl].join(' '),
    );
  const events = (await calendars.events(calendarId)).filter(({ status }) => status !== 'cancelled');
  const stored = events.map((one) =>
    [one.start_at.toISOString(), one.end_at.toISOString(), one.title, one.meeting_url].join(' '),
  );
  return {
    stored: stored.toSorted((a, b) => a.localeCompare(b)),
    provider: provider.toSorted((a, b) => a.localeCompare(b)),
  };
}

/**
 * Meetings of the calendar that want a bot, and their scheduled bots, as sorted texts. Events of one room that begin at
 * most 15 minutes after the first of them, and before its end, are one meeting, whose bot may be that of any of them.
 */
async function compareBots(calendars: CalendarsUnderTest, { calendarId }: ConnectedCalendar) {
  const events = await calendars.events(calendarId);
  const ids = new Set(events.map(({ event_id }) => event_id));
  const wanting = events.filter(({ status, meeting_url }) => status !== 'cancelled' && meeting_url !== null);
  const wanted: string[] = [];
  for (const inRoom of Map.groupBy(wanting, ({ meeting_url }) => meeting_url).values()) {
    let sharedUntilMs = -Infinity;
    for (const { start_at, end_at, meeting_url } of inRoom) {
      if (start_at.getTime() < sharedUntilMs) continue;
      sharedUntilMs = Math.min(start_at.getTime() + 900_000, end_at.getTime());
      wanted.push(`${start_at.toISOString()} ${meeting_url ?? ''}`);
    }
  }
  const scheduled = [...calendars.scheduler.bots.values()]
    .filter(({ state, eventId }) => state === 'scheduled' && ids.has(eventId))
    .map(({ joinAt, meetingUrl }) => `${joinAt} ${meetingUrl}`);
  return {
    wanted: wanted.toSorted((a, b) => a.localeCompare(b)),
    scheduled: scheduled.toSorted((a, b) => a.localeCompare(b)),
  };
}
