import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import type { CalendarBotResult, CalendarBotsRequest } from '@rapporteur/contracts';
import { createService, Secret } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { createBody } from '../testing/create-body.ts';
import { addTeam, internalSecret, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

type CalendarBot = CalendarBotsRequest['bots'][number];

let scheduler: TestScheduler;
let teamId: string;
const sync = createService({
  name: 'calendar-sync',
  internalSecret: new Secret(internalSecret),
  logLevel: 'silent',
});
beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
});
afterAll(async () => {
  await sync.stop();
  await scheduler.stop();
});

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
const botBody = (over: Record<string, unknown> = {}) => createBody({ bot_name: 'records', ...over });
const wantedAt = (joinAt: string, over: Record<string, unknown> = {}): CalendarBot['wanted'] => ({
  joinAt,
  body: botBody(over),
});

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await sync.auth.fetch('bot-scheduler', `${scheduler.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: 30_000,
  });
  return { status: response.status, body: await response.json() };
}

async function apply(bots: readonly CalendarBot[], team = teamId): Promise<CalendarBotResult[]> {
  const { status, body } = await post(internalCalls.calendarBots.apply.path, { teamId: team, bots });
  expect(status).toBe(200);
  return internalCalls.calendarBots.apply.reply.parse(body).results;
}

const one = async (bot: CalendarBot, team = teamId) => (await apply([bot], team))[0];
const newBot = (wanted: CalendarBot['wanted']): CalendarBot => ({
  botId: randomUUID(),
  eventId: randomUUID(),
  version: 1,
  wanted,
});
const scheduled = async (botId: string) =>
  (await scheduler.sendRequest('GET', `/internal/v2/bots/scheduled/${botId}`, teamId)).body.data;

describe('a bot that a calendar wants', () => {
  test('is scheduled once under the id and event of calendar-sync, and moves with a newer version only', async () => {
    const bot = newBot(wantedAt(inHours(2)));
    expect((await Promise.all([one(bot), one(bot), one(bot)])).map((result) => result?.outcome)).toEqual([
      'scheduled',
      'scheduled',
      'scheduled',
    ]);
    expect(await scheduled(bot.botId)).toMatchObject({
      bot_id: bot.botId,
      status: 'scheduled',
      join_at: bot.wanted?.joinAt,
    });
    const moved = { ...bot, version: 3, wanted: wantedAt(inHours(4), { bot_name: 'completes' }) };
    expect(await one(moved)).toMatchObject({ outcome: 'scheduled' });
    // An outdated request: its version is older than the stored one.
    expect(await one({ ...bot, version: 2 })).toMatchObject({ outcome: 'scheduled' });
    expect(await scheduled(bot.botId)).toMatchObject({ join_at: moved.wanted?.joinAt, bot_name: 'completes' });
  });

  test('is cancelled when it is not wanted, stays so, and one that never existed is unknown', async () => {
    const bot = newBot(wantedAt(inHours(2)));
    await one(bot);
    expect(await one({ ...bot, version: 2, wanted: null })).toMatchObject({ outcome: 'cancelled' });
    expect(await one({ ...bot, version: 3, wanted: null })).toMatchObject({ outcome: 'cancelled' });
    expect(await one({ ...bot, version: 4 })).toMatchObject({ outcome: 'stopped' });
    expect(await one(newBot(null))).toMatchObject({ outcome: 'unknown' });
  });

  test('belongs to its team: another team can neither move nor cancel it', async () => {
    const bot = newBot(wantedAt(inHours(2)));
    await one(bot);
    const other = await addTeam(scheduler.database);
    expect(await one({ ...bot, version: 2, wanted: null }, other)).toMatchObject({ outcome: 'unknown' });
    expect(await scheduled(bot.botId)).toMatchObject({ status: 'scheduled' });
  });

  test('that has started runs on, states what it was made with, and leaves when it is not wanted any more', async () => {
    const bot = newBot(wantedAt(new Date(Date.now() + 1_000).toISOString()));
    await one(bot);
    await waitFor(
      async () => (await scheduler.database.query('select 1 from bots where id = $1', [bot.botId])).length > 0,
      { what: 'the schedule to become a bot' },
    );
    await scheduler.waitForStatus(bot.botId, 'in_call_recording');
    expect(await one({ ...bot, version: 2, wanted: wantedAt(inHours(3)) })).toMatchObject({
      outcome: 'running',
      current: { joinAt: bot.wanted?.joinAt, meetingUrl: bot.wanted?.body['meeting_url'] },
    });
    expect(await one({ ...bot, version: 3, wanted: null })).toMatchObject({ outcome: 'cancelled' });
    await scheduler.waitForStatus(bot.botId, 'completed');
    expect(await one({ ...bot, version: 4 })).toMatchObject({ outcome: 'ended' });
    const [ended] = await scheduler.events(bot.botId, 'bots.v1.ended');
    expect(ended).toMatchObject({ calendarEventId: bot.eventId });
  });
});

describe('a change that cannot be applied', () => {
  const bad = { meeting_url: 'https://example.com/nothing' };

  test('cancels the schedule that it was to replace, and an older one does not', async () => {
    const bot = newBot(wantedAt(inHours(2)));
    const other = newBot(wantedAt(inHours(2)));
    await apply([{ ...bot, version: 2 }, other]);
    expect(await one({ ...bot, version: 2, wanted: wantedAt(inHours(3), bad) })).toMatchObject({ outcome: 'refused' });
    expect(await scheduled(bot.botId)).toMatchObject({ status: 'scheduled' });
    expect(await one({ ...bot, version: 3, wanted: wantedAt(inHours(3), bad) })).toMatchObject({
      outcome: 'withdrawn',
      error: { details: expect.stringContaining('meeting_url') },
    });
    expect(await scheduled(bot.botId)).toMatchObject({ status: 'cancelled' });
    expect(await scheduled(other.botId)).toMatchObject({ status: 'scheduled' });
  });

  test('states of a bot that has started what it was made with', async () => {
    const bot = newBot(wantedAt(new Date(Date.now() + 1_000).toISOString()));
    await one(bot);
    await scheduler.waitForStatus(bot.botId, 'in_call_recording');
    expect(await one({ ...bot, version: 2, wanted: wantedAt(inHours(3), bad) })).toMatchObject({
      outcome: 'running',
      current: { joinAt: bot.wanted?.joinAt },
    });
    await one({ ...bot, version: 3, wanted: null });
  });
});

describe('a bot of a calendar that is due', () => {
  test.each<[string, { dailyBotCap?: number; tokens?: number }, string]>([
    ['the daily cap', { dailyBotCap: 0 }, 'DAILY_BOT_CAP_REACHED'],
    ['tokens', { tokens: 900 }, 'INSUFFICIENT_TOKENS'],
  ])('and meets %s is bot.failed with its event and its extra', async (_what, limits, code) => {
    const poor = await addTeam(scheduler.database, limits);
    const bot = newBot(wantedAt(new Date(Date.now() + 1_000).toISOString(), { extra: { mine: true } }));
    expect(await one(bot, poor)).toMatchObject({ outcome: 'scheduled' });
    const ended = () => scheduler.events(bot.botId, 'bots.v1.ended');
    await waitFor(async () => (await ended()).length > 0, { what: 'the end of the bot' });
    expect(await ended()).toMatchObject([
      { outcome: 'failed', errorCode: code, calendarEventId: bot.eventId, extra: { mine: true } },
    ]);
  });
});

describe('what no bot can be made of', () => {
  test('is refused by itself with the field, beside bots that are scheduled', async () => {
    const bots = [
      newBot(wantedAt(inHours(2))),
      newBot(wantedAt(inHours(2), { meeting_url: 'https://example.com/nothing' })),
      newBot(wantedAt(inHours(2))),
    ];
    const results = await apply(bots);
    expect(results.map(({ botId }) => botId)).toEqual(bots.map(({ botId }) => botId));
    expect(results.map(({ outcome }) => outcome)).toEqual(['scheduled', 'refused', 'scheduled']);
    expect(results[1]?.error).toMatchObject({
      code: expect.any(String),
      details: expect.stringContaining('meeting_url'),
    });
  });

  test('is found by a check that writes nothing', async () => {
    const bodies = [botBody(), botBody({ meeting_url: 'https://example.com/nothing' })];
    const before = await scheduler.database.query('select 1 from scheduled_bots');
    const { body } = await post(internalCalls.calendarBots.check.path, { teamId, bodies });
    const { errors } = internalCalls.calendarBots.check.reply.parse(body);
    expect(errors[0]).toBeNull();
    expect(errors[1]).toMatchObject({ details: expect.stringContaining('meeting_url') });
    expect(await scheduler.database.query('select 1 from scheduled_bots')).toHaveLength(before.length);
  });

  test('waits while the team is not known here, and a body that is no request is 400', async () => {
    expect(await one(newBot(wantedAt(inHours(2))), randomUUID())).toMatchObject({ outcome: 'failed' });
    expect((await post(internalCalls.calendarBots.apply.path, { teamId, bots: [{ botId: 'x' }] })).status).toBe(400);
  });
});

test('other services than calendar-sync are refused', async () => {
  const gateway = createService({
    name: 'api-gateway',
    internalSecret: new Secret(internalSecret),
    logLevel: 'silent',
  });
  const response = await gateway.auth.fetch(
    'bot-scheduler',
    `${scheduler.url}${internalCalls.calendarBots.apply.path}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ teamId, bots: [] }),
      timeoutMs: 10_000,
    },
  );
  expect(response.status).toBe(401);
  await gateway.stop();
});
