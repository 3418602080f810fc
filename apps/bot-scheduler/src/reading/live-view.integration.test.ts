import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;
let botId: string;

beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
  botId = await scheduler.sendBot(teamId, 'records');
  await scheduler.waitForStatus(botId, 'in_call_recording');
});
afterAll(() => scheduler.stop());

const readView = (id = botId, team = teamId) => scheduler.sendRequest('GET', `/internal/v2/bots/${id}/live`, team);

test('the live view of a bot comes from its runner, for as many viewers as look', async () => {
  const seen = await Promise.all([readView(), readView(), readView()]);
  for (const { status, body } of seen) {
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        data: {
          bot_id: botId,
          speaking: ['Ada'],
          transcript: [],
          chat: [{ name: 'Grace', text: 'Hello', at: expect.any(String) }],
          screenshot: { image: 'aW1hZ2U=' },
        },
      },
    });
  }
});

test('it is refused to another team and after the meeting', async () => {
  const stranger = await addTeam(scheduler.database);
  expect(await readView(botId, stranger)).toMatchObject({ status: 404, body: { code: 'FST_ERR_BOT_NOT_FOUND_BY_ID' } });
  expect((await readView(randomUUID())).status).toBe(404);
  await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
  await scheduler.waitForStatus(botId, 'completed');
  expect(await readView()).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
});
