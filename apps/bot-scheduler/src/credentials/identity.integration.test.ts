import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { teamChanged, tokensGranted } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createLogger } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { createBody } from '../testing/create-body.ts';
import { startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let bus: Bus;

beforeAll(async () => {
  scheduler = await startTestScheduler();
  bus = await connectBus({ url: scheduler.busUrl, name: 'identity', logger: createLogger('identity', 'silent') });
});
afterAll(async () => {
  await bus.close();
  await scheduler.stop();
});

const notify = (type: string, data: object, id: string = randomUUID()) =>
  bus.publish(type, { id, type, occurredAt: new Date().toISOString(), data });
const team = (teamId: string, version: number, dailyBotCap: number) => ({
  teamId,
  version,
  name: 'Team',
  plan: { name: 'pro', requestsPerSecond: 10, dailyBotCap, retentionDays: 7 },
});
const limits = async (teamId: string) => {
  const [row] = await scheduler.database.query<{ version: number; cap: number; balance: number }>(
    `select version, daily_bot_cap as cap, balance::float8 from team_limits join token_accounts using (team_id) where team_id = $1`,
    [teamId],
  );
  return row;
};

test('a team may create bots as soon as its limits and tokens are published', async () => {
  const teamId = randomUUID();
  const create = () =>
    scheduler.sendRequest('POST', '/internal/v2/bots', teamId, createBody({ bot_name: 'completes' }));
  expect((await create()).status).toBe(503);
  await notify(teamChanged.type, team(teamId, 1, 75));
  await waitFor(() => limits(teamId), { what: 'the team to be known' });
  expect((await create()).status).toBe(402);
  await notify(tokensGranted.type, { teamId, grantId: randomUUID(), tokens: 1_800 });
  await waitFor(async () => (await limits(teamId))?.balance === 1_800, { what: 'the tokens to be there' });
  expect((await create()).status).toBe(201);
});

test('tokens published before their team are kept for it', async () => {
  const teamId = randomUUID();
  await notify(tokensGranted.type, { teamId, grantId: randomUUID(), tokens: 5 });
  await notify(teamChanged.type, team(teamId, 1, 75));
  await waitFor(async () => (await limits(teamId))?.balance === 5, { what: 'the tokens to be there' });
});

test('the newest version of a team stays, and a grant published many times is credited once', async () => {
  const teamId = randomUUID();
  const grant = { teamId, grantId: randomUUID(), tokens: 2 };
  await notify(teamChanged.type, team(teamId, 2, 300));
  await notify(teamChanged.type, team(teamId, 1, 75));
  const id = randomUUID();
  // The same event again, and the same grant in another event.
  for (const eventId of [id, id, randomUUID()]) await notify(tokensGranted.type, grant, eventId);
  await notify(tokensGranted.type, { ...grant, grantId: randomUUID(), tokens: 40 });
  await waitFor(async () => ((await limits(teamId))?.balance ?? 0) >= 42, { what: 'every grant to be applied' });
  await waitFor(
    async () => {
      const rows = await scheduler.database.query('select 1 from inbox where consumer = $1 and event_id = $2', [
        'bot-scheduler',
        id,
      ]);
      return rows.length === 1;
    },
    { what: 'the event to be noted' },
  );
  expect(await limits(teamId)).toEqual({ version: 2, cap: 300, balance: 42 });
});
