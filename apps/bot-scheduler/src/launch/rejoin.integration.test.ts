import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { botInvocation } from '@rapporteur/contracts';
import type { BotInvocation } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;
beforeAll(async () => {
  scheduler = await startTestScheduler({ settings: { REJOINS_AFTER_FAILURE: '2' } });
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

const recorded = ['queued', 'joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording'];

function invocationOf(botId: string, attempt: number): BotInvocation {
  const file = join(scheduler.runsFolder, 'work', `bot-${botId}-${attempt}.run`, 'invocation.json');
  return botInvocation.parse(JSON.parse(readFileSync(file, 'utf8')));
}

const leave = (botId: string) =>
  scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId).then(({ status }) => status);

/** Its runs, as they ended. */
async function runsOf(botId: string): Promise<string[]> {
  const rows = await scheduler.database.query<{ run: string }>(
    `select mode || ' ' || state as run from leases where bot_id = $1 order by attempt`,
    [botId],
  );
  return rows.map(({ run }) => run);
}

describe('a bot whose run fails while it records', () => {
  test('rejoins with another run: one attendance for its customer, which ends as that run reports', async () => {
    const botId = await scheduler.sendBot(teamId, 'crashes-once');
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect(await runsOf(botId)).toEqual(['attend lost', 'attend done']);
    expect(await scheduler.history(botId)).toEqual([...recorded, 'call_ended', 'recording_succeeded', 'completed']);
    expect(bot).toMatchObject({ attempt: 2, rejoins: 1, end_code: 'NO_SPEAKER', failure: { code: 'GENERAL_ERROR' } });
    expect(await scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
  });

  test('gives the run that rejoins the start of the recording and no time to wait for', async () => {
    const botId = await scheduler.sendBot(teamId, 'crashes-then-waits');
    await waitFor(async () => (await runsOf(botId))[1] === 'attend held', {
      what: 'the second run',
    });
    const [{ at } = { at: '' }] = await scheduler.database.query<{ at: string }>(
      `select start_time::text as at from bot_history where bot_id = $1 and code = 'in_call_recording'`,
      [botId],
    );
    await waitFor(async () => invocationOf(botId, 2) !== null, { what: 'its invocation' });
    const { joinAt, rejoin } = invocationOf(botId, 2);
    expect({ joinAt, rejoin }).toEqual({
      joinAt: null,
      rejoin: { recordingSince: new Date(Number(at) * 1_000).toISOString() },
    });
    expect(await leave(botId)).toBe(200);
    expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST' });
  });

  test('ends with that failure, and with its recording, when the other run is not let in', async () => {
    const botId = await scheduler.sendBot(teamId, 'crashes-then-is-rejected');
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({ end_code: 'GENERAL_ERROR', recorded: true, artifacts: expect.arrayContaining([]) });
    expect(bot.end_message).toMatch(/could not rejoin/);
    expect(bot.artifacts).not.toEqual([]);
    expect(bot.exited_at?.toISOString()).toBe(bot.failure?.at);
    expect(await scheduler.history(botId)).toEqual([...recorded, 'call_ended', 'recording_failed', 'failed']);
  });

  test('ends when its runs failed more often than the deployment allows', async () => {
    const botId = await scheduler.sendBot(teamId, 'crashes');
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({ rejoins: 2, end_code: 'GENERAL_ERROR', recorded: true });
    expect(await runsOf(botId)).toEqual(['attend lost', 'attend lost', 'attend lost', 'finalize done']);
  });

  test('is finalized when it is requested to leave before the next run begins', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    // As after a failure whose next run is delayed.
    await scheduler.database.query(
      `update bots set wants_run = 'attend', due_at = now() + interval '1 hour', rejoins = 1, failure = $2 where id = $1`,
      [botId, JSON.stringify({ code: 'OOM_KILLED', at: new Date().toISOString() })],
    );
    await scheduler.database.query(`update leases set state = 'lost', ended_at = now() where bot_id = $1`, [botId]);
    expect(await leave(botId)).toBe(200);
    expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({
      end_code: 'API_REQUEST',
      recorded: true,
    });
    expect(await runsOf(botId)).toEqual(['attend lost', 'finalize done']);
  });
});
