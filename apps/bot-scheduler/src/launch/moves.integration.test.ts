import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { botInvocation, internalCalls } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, findRunner, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;
beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

const recorded = ['queued', 'joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording'];
const move = (botId: string) => scheduler.sendRequest('POST', internalCalls.operators.moveBot.path, teamId, { botId });
const leave = (botId: string) => scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);

async function recordingBot(scenario: Parameters<TestScheduler['sendBot']>[1]): Promise<string> {
  const botId = await scheduler.sendBot(teamId, scenario);
  await scheduler.waitForStatus(botId, 'in_call_recording');
  return botId;
}

/** State and fencing number of each run. */
async function runsOf(botId: string): Promise<string[]> {
  const rows = await scheduler.database.query<{ run: string }>(
    `select mode || ' ' || state || ' ' || fencing as run from leases where bot_id = $1 order by attempt`,
    [botId],
  );
  return rows.map(({ run }) => run);
}

const runsAre = (botId: string, ...runs: readonly string[]): Promise<unknown> =>
  waitFor(
    async () => {
      const found = await runsOf(botId);
      if (String(found) !== String(runs)) throw new Error(String(found));
      return true;
    },
    { what: `the runs ${String(runs)}` },
  );

test('a bot that is moved goes on with another run: one attendance, one recording, one final event', async () => {
  const botId = await recordingBot('records');
  expect((await move(botId)).status).toBe(200);
  await runsAre(botId, 'attend lost 1', 'attend held 1');
  const file = join(scheduler.runsFolder, 'work', `bot-${botId}-2.run`, 'invocation.json');
  const { rejoin, joinAt } = botInvocation.parse(JSON.parse(readFileSync(file, 'utf8')));
  expect({ rejoins: rejoin !== null, joinAt }).toEqual({ rejoins: true, joinAt: null });
  expect((await leave(botId)).status).toBe(200);
  const bot = await scheduler.waitForStatus(botId, 'completed');
  expect(bot).toMatchObject({ attempt: 2, moves: 1, rejoins: 0, failure: null, end_code: 'API_REQUEST' });
  expect(await scheduler.history(botId)).toEqual([...recorded, 'call_ended', 'recording_succeeded', 'completed']);
  expect(await scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
  expect(await runsOf(botId)).toEqual(['attend lost 1', 'attend done 1']);
});

test('a bot whose other run is not admitted stays as it is, and may be moved again', async () => {
  const botId = await recordingBot('moves-and-is-rejected');
  await move(botId);
  await runsAre(botId, 'attend held 1', 'attend lost 1');
  await move(botId);
  await runsAre(botId, 'attend held 1', 'attend lost 1', 'attend lost 1');
  expect(await scheduler.bot(botId)).toMatchObject({ phase: 'recording', end_code: null });
  await leave(botId);
  expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST', recorded: true });
  expect(await scheduler.history(botId)).toEqual([...recorded, 'call_ended', 'recording_succeeded', 'completed']);
});

test('the end of the meeting, seen by the displaced run, is the end of the bot', async () => {
  const botId = await recordingBot('moves-and-waits');
  await move(botId);
  await runsAre(botId, 'attend held 1', 'attend held 1');
  await leave(botId);
  expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST' });
  await runsAre(botId, 'attend done 1', 'attend lost 1');
  expect(await scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
});

test('a displaced run that is gone before the other one is admitted leaves the bot to that one', async () => {
  const botId = await recordingBot('moves-and-waits');
  const first = await findRunner(scheduler, botId);
  await move(botId);
  await runsAre(botId, 'attend held 1', 'attend held 1');
  process.kill(-first, 'SIGKILL');
  await runsAre(botId, 'attend lost 1', 'attend held 1');
  expect(await scheduler.bot(botId)).toMatchObject({ phase: 'recording', failure: { code: 'FORCE_KILLED' } });
  await leave(botId);
  expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST', recorded: true });
});

test('only a bot that attends is moved, and what is on its way is not moved twice', async () => {
  expect((await move('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  const botId = await recordingBot('moves-and-waits');
  await move(botId);
  expect((await move(botId)).status).toBe(200);
  await runsAre(botId, 'attend held 1', 'attend held 1');
  await leave(botId);
  await scheduler.waitForStatus(botId, 'completed');
  expect((await move(botId)).status).toBe(409);
  expect(await scheduler.bot(botId)).toMatchObject({ attempt: 2, moves: 1 });
});
