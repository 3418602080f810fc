import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { assertNoDrift } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createApp, createLogger, createService, Secret, sendFailures } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { createTestDatabase, testNats } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { detailsRoutes } from '../details/details.routes.ts';
import { leaveRoutes } from '../lifecycle/leave.routes.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam, internalSecret, openBotsDatabase, questions } from '../testing/test-scheduler.ts';
import { admissionRoutes } from './admission.routes.ts';

const clock = new FakeClock();
const logger = createLogger('bot-scheduler', 'silent');
const service = createService({ name: 'bot-scheduler', internalSecret: new Secret(internalSecret), logger, clock });
let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let serviceUrl: string;
let ask: ReturnType<typeof questions>['ask'];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openBotsDatabase(testDatabase.url);
  bus = await connectBus({ url: testNats().url, name: 'test', logger });
  const outbox = createOutbox({ database, bus, service: 'bot-scheduler', logger });
  // Never started and never rung: here only what is written counts.
  const events = { add: outbox.add.bind(outbox), ring: () => undefined };
  const now = () => clock.now();
  const app = createApp(service);
  app.use(
    admissionRoutes(service.auth, { database, events, now, simulatorLinkHosts: ['meet.simulator.localhost:8443'] }),
  );
  app.use(detailsRoutes(service.auth, { database, signUrls: async () => ({}) }));
  app.use(leaveRoutes(service.auth, { database, events, ringRunner: () => undefined, now }));
  app.use(...sendFailures(service));
  serviceUrl = (await service.listen(app, { host: '127.0.0.1', port: 0 })).url;
  ({ ask } = questions(database, serviceUrl));
});
afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.close();
  await testDatabase.drop();
});
afterEach(() => clock.advance(25 * 3_600_000));

const create = (teamId: string, over: Record<string, unknown> = {}) =>
  ask('POST', '/internal/v2/bots', teamId, createBody(over));
const createMany = (count: number, teamId: string, over: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, () => create(teamId, over)));

/** Rows that belong to a team's bots, by table. */
async function countRows(teamId: string) {
  const [row] = await database.query<Record<string, number>>(
    `select (select count(*) from bots where team_id = $1)::int as bots,
       (select count(*) from bot_history join bots on bots.id = bot_id where team_id = $1)::int as history,
       (select count(*) from token_ledger where team_id = $1 and kind = 'reserved')::int as ledger,
       (select count(*) from outbox where data->>'teamId' = $1::text)::int as events,
       (select balance::float8 from token_accounts where team_id = $1) as balance,
       (select reserved::float8 from token_accounts where team_id = $1) as reserved`,
    [teamId],
  );
  return row;
}
const nothing = { bots: 0, history: 0, ledger: 0, events: 0, reserved: 0 };

test('the entities are what the migrations make', async () => {
  await assertNoDrift(database);
});

describe('a bot that is admitted', () => {
  test('is queued with its history, its events and its reservation', async () => {
    const teamId = await addTeam(database, { tokens: 10 });
    const answer = await create(teamId, { extra: { a: 1 } });
    expect(answer).toEqual({
      status: 201,
      body: { success: true, data: { bot_id: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
    });
    expect(await countRows(teamId)).toEqual({ bots: 1, history: 1, ledger: 1, events: 2, balance: 10, reserved: 0.5 });
    const details = await ask('GET', `/internal/v2/bots/${String(answer.body.data['bot_id'])}`, teamId);
    expect(details.body.data).toMatchObject({
      status: 'queued',
      extra: { a: 1 },
      joined_at: null,
      tokens: null,
      participants: [],
      video: null,
    });
  });

  test('may be sent to a simulator of this deployment', async () => {
    const teamId = await addTeam(database);
    const { status, body } = await create(teamId, {
      meeting_url: 'https://meet.simulator.localhost:8443/abc-defg-hij',
    });
    expect(status).toBe(201);
    const [bot] = await database.query<Record<string, unknown>>('select * from bots where id = $1', [
      body.data['bot_id'],
    ]);
    expect(bot).toMatchObject({
      simulated: true,
      join_url: 'https://meet.google.com/abc-defg-hij',
      meeting_url: 'https://meet.simulator.localhost:8443/abc-defg-hij',
    });
  });

  test('keeps no secret of a feature that is off', async () => {
    const teamId = await addTeam(database);
    await create(teamId, { callback_config: { url: 'https://example.com', method: 'POST', secret: 'canary-secret' } });
    const rows = await database.query('select * from bots where team_id = $1', [teamId]);
    expect(JSON.stringify(rows)).not.toContain('canary-secret');
  });
});

describe('a bot that is refused', () => {
  test.each<[string, Record<string, unknown>, number, string, RegExp]>([
    [
      'a link that is no meeting',
      { meeting_url: 'https://example.com/x' },
      400,
      'FST_ERR_INVALID_MEETING_URL',
      /\/body\/meeting_url: The meeting link is not on/,
    ],
    [
      'an http link',
      { meeting_url: 'http://meet.google.com/abc-defg-hij' },
      400,
      'FST_ERR_INVALID_MEETING_URL',
      /https/,
    ],
    [
      'a simulator that is not this one',
      { meeting_url: 'https://meet.simulator.localhost:1/abc-defg-hij' },
      400,
      'FST_ERR_INVALID_MEETING_URL',
      /not on/,
    ],
    ['another platform', { meeting_url: 'https://zoom.us/j/12345678901' }, 422, 'FST_ERR_NOT_CONFIGURED', /Zoom/],
    ['a transcript', { transcription_enabled: true }, 422, 'FST_ERR_NOT_CONFIGURED', /transcribe/],
    ['a login', { meet_config: { fallback: 'fail' } }, 409, 'MEET_LOGIN_UNAVAILABLE', /login/],
    ['a number for a name', { bot_name: 7 }, 400, 'FST_ERR_VALIDATION', /\/body\/bot_name/],
  ])('because it asks for %s is told so and leaves nothing behind', async (_what, over, status, code, message) => {
    const teamId = await addTeam(database);
    const answer = await create(teamId, over);
    expect(answer).toMatchObject({ status, body: { success: false, code, statusCode: status } });
    expect(answer.body['message']).toMatch(message);
    expect(await countRows(teamId)).toMatchObject(nothing);
  });

  test('because its team is not known here yet may try again in a moment', async () => {
    const answer = await create(randomUUID());
    expect(answer).toMatchObject({ status: 503, body: { code: 'FST_ERR_UNAVAILABLE', retryAfter: 1 } });
  });

  test('because tokens are short leaves nothing behind', async () => {
    const teamId = await addTeam(database, { tokens: 0.4 });
    const answer = await create(teamId);
    expect(answer).toMatchObject({ status: 402, body: { code: 'FST_ERR_INSUFFICIENT_TOKENS' } });
    expect(answer.body['message']).toContain('0.4 left');
    expect(await countRows(teamId)).toMatchObject({ ...nothing, balance: 0.4 });
  });
});

describe('any number of parallel requests', () => {
  test('to one meeting with allow_multiple_bots false gives exactly one bot', async () => {
    const teamId = await addTeam(database);
    const answers = await createMany(100, teamId, { allow_multiple_bots: false });
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body['code'] === ('FST_ERR_BOT_ALREADY_EXISTS' as unknown))).toHaveLength(99);
    expect(await countRows(teamId)).toMatchObject({ bots: 1, history: 1, ledger: 1, events: 2, reserved: 0.5 });
  });

  test('at a daily cap gives exactly as many bots as the cap', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 75 });
    const answers = await createMany(200, teamId);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(75);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(125);
    expect(await countRows(teamId)).toMatchObject({ bots: 75, history: 75, ledger: 75, events: 150, reserved: 37.5 });
  });

  test('never reserves more tokens than there are', async () => {
    const teamId = await addTeam(database, { tokens: 5.2 });
    const answers = await createMany(40, teamId);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(30);
    expect(await countRows(teamId)).toMatchObject({ bots: 10, balance: 5.2, reserved: 5 });
  });

  test("of different teams do not stand in each other's way", async () => {
    const teams = await Promise.all(Array.from({ length: 5 }, () => addTeam(database, { dailyBotCap: 3 })));
    const answers = await Promise.all(
      teams.flatMap((teamId) => Array.from({ length: 6 }, () => create(teamId, { allow_multiple_bots: true }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
  });
});

describe('the daily cap', () => {
  test('frees a place 24 hours after each bot, and says when', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 2 });
    await create(teamId);
    await clock.advance(3_600_000);
    await create(teamId);
    const refused = await create(teamId);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'FST_ERR_DAILY_BOT_CAP_REACHED', retryAfter: 23 * 3_600 },
    });
    await clock.advance(23 * 3_600_000);
    expect((await create(teamId)).status).toBe(201);
    expect((await create(teamId)).status).toBe(429);
  });
});

describe('the duplicate window', () => {
  test('holds for five minutes, for every form of the link, and only for those who ask for it', async () => {
    const teamId = await addTeam(database);
    const single = { allow_multiple_bots: false };
    expect((await create(teamId)).status).toBe(201);
    expect(
      (await create(teamId, { ...single, meeting_url: 'https://meet.google.com/ABC-defg-hij?authuser=1' })).status,
    ).toBe(409);
    expect((await create(teamId, { ...single, meeting_url: 'https://meet.google.com/zzz-defg-hij' })).status).toBe(201);
    expect((await create(teamId)).status).toBe(201);
    expect((await create(await addTeam(database), single)).status).toBe(201);
    await clock.advance(5 * 60_000);
    expect((await create(teamId, single)).status).toBe(201);
  });
});

describe('a queued bot', () => {
  test('that is asked to leave ends at once, gives its tokens back and has one final event', async () => {
    const teamId = await addTeam(database, { tokens: 10 });
    const { body } = await create(teamId);
    const path = `/internal/v2/bots/${String(body.data['bot_id'])}`;
    const left = await ask('POST', `${path}/leave`, teamId);
    expect(left).toMatchObject({
      status: 200,
      body: { data: { message: 'The bot was cancelled before it joined the meeting.' } },
    });
    const details = await ask('GET', path, teamId);
    expect(details.body.data).toMatchObject({
      status: 'failed',
      error_code: 'EXITING_MEETING_BEFORE_RECORD',
      error_message: expect.stringContaining('No tokens were used'),
      tokens: { total: 0 },
    });
    expect((await ask('POST', `${path}/leave`, teamId)).status).toBe(409);
    expect(await countRows(teamId)).toMatchObject({ balance: 10, reserved: 0 });
    const finals = await database.query(`select 1 from outbox where type = 'bots.v1.ended' and data->>'botId' = $1`, [
      body.data['bot_id'],
    ]);
    expect(finals).toHaveLength(1);
  });

  test('that many ask to leave at the same time ends once', async () => {
    const teamId = await addTeam(database);
    const { body } = await create(teamId);
    const path = `/internal/v2/bots/${String(body.data['bot_id'])}/leave`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST', path, teamId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

test('only the gateway may create bots', async () => {
  const stranger = createService({ name: 'delivery', internalSecret: new Secret(internalSecret), logLevel: 'silent' });
  const teamId = await addTeam(database);
  const token = await stranger.auth.sign({ audience: 'bot-scheduler', teamId });
  const response = await fetch(`${serviceUrl}/internal/v2/bots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(createBody()),
  });
  expect(response.status).toBe(401);
  expect(await countRows(teamId)).toMatchObject(nothing);
});
