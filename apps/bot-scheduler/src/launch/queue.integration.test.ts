import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, findRunner, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';
import type { Capacity } from './capacity.ts';

describe('a machine with room for one bot', () => {
  let scheduler: TestScheduler;
  let teamId: string;
  beforeAll(async () => {
    scheduler = await startTestScheduler({ settings: { MAX_CONCURRENT_BOTS: '1', PICKUP_DELAYED_AFTER_MS: '1000' } });
    teamId = await addTeam(scheduler.database);
  });
  afterAll(() => scheduler.stop());

  test('lets the next bot wait, reports it, and launches it when the first one is done', async () => {
    const first = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(first, 'in_call_recording');
    const second = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(second, 'pickup_delayed');
    expect(await scheduler.bot(second)).toMatchObject({ attempt: 0, wants_run: 'attend' });
    const reported = (await scheduler.events(second, 'bots.v1.status-changed')).map(({ status }) => status);
    expect(reported.at(-1)).toEqual({
      code: 'pickup_delayed',
      created_at: expect.any(String),
      delay_reason: 'at_capacity',
      delay_message: expect.stringContaining('when another one ends'),
    });
    const status = await scheduler.sendRequest('GET', `/internal/v2/bots/${second}/status`, teamId);
    expect(status.body.data).toMatchObject({ status: 'pickup_delayed', delay_reason: 'at_capacity' });
    await scheduler.sendRequest('POST', `/internal/v2/bots/${first}/leave`, teamId);
    await scheduler.waitForStatus(second, 'completed');
    expect((await scheduler.history(second)).slice(0, 3)).toEqual(['queued', 'pickup_delayed', 'joining_call']);
  });

  test('saves the recording of a failed bot before it sends the next one', async () => {
    const first = await scheduler.sendBot(teamId, 'crashes');
    const second = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(second, 'completed');
    const [saved, joined] = [await scheduler.bot(first), await scheduler.bot(second)];
    expect(saved.status).toBe('failed');
    expect(saved.ended_at?.getTime()).toBeLessThan(joined.joined_at?.getTime() ?? 0);
  });
});

describe('a machine whose bots get less CPU than they need', () => {
  let scheduler: TestScheduler;
  beforeAll(async () => {
    scheduler = await startTestScheduler({ settings: { PICKUP_DELAYED_AFTER_MS: '1000', REJOINS_AFTER_FAILURE: '1' } });
  });
  afterAll(() => scheduler.stop());

  test('lets new bots wait, reports why, rejoins its meetings, and launches them when its bots are late no more', async () => {
    const teamId = await addTeam(scheduler.database);
    const late = await scheduler.sendBot(teamId, 'records');
    const rejoins = await scheduler.sendBot(teamId, 'records');
    for (const botId of [late, rejoins]) await scheduler.waitForStatus(botId, 'in_call_recording');
    const stated = join(scheduler.runsFolder, 'work', `bot-${late}-1.run`, 'late');
    writeFileSync(stated, '');
    const isClosed = async () => (await capacityOf(scheduler)).obstacles.some(({ cause }) => cause === 'cpu-pressure');
    await waitFor(isClosed, { what: 'the machine to take no bots' });
    const waits = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(waits, 'pickup_delayed');
    const reported = (await scheduler.events(waits, 'bots.v1.status-changed')).map(({ status }) => status);
    expect(reported.at(-1)).toMatchObject({ code: 'pickup_delayed', delay_reason: 'cpu_pressure' });
    expect(reported.at(-1)).not.toHaveProperty('expected_pickup_at');
    process.kill(await findRunner(scheduler, rejoins), 'SIGKILL');
    await waitFor(async () => (await scheduler.bot(rejoins)).attempt === 2, { what: 'the bot to rejoin' });
    expect(await scheduler.bot(waits)).toMatchObject({ attempt: 0, wants_run: 'attend' });
    rmSync(stated);
    await scheduler.waitForStatus(waits, 'completed');
    expect(await isClosed()).toBe(false);
    expect(await scheduler.bot(late)).toMatchObject({ status: 'in_call_recording', attempt: 1 });
  });
});

const capacityOf = async ({ url }: TestScheduler): Promise<Capacity> =>
  (await (await fetch(`${url}/capacity`)).json()) as Capacity;

describe('runners that never request their invocation', () => {
  let scheduler: TestScheduler;
  beforeAll(async () => {
    scheduler = await startTestScheduler({
      settings: { TICKET_TTL_MS: '1000' },
      runnerEnvironment: { FAKE_RUNNER: 'never-redeems' },
    });
  });
  afterAll(() => scheduler.stop());

  test('are started three times, then their late bot fails in plain words and costs nothing', async () => {
    const teamId = await addTeam(scheduler.database, { tokens: 36_000 });
    const botId = await scheduler.sendBot(teamId, 'completes');
    await scheduler.database.query(`update bots set created_at = created_at - interval '10 minutes' where id = $1`, [
      botId,
    ]);
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({
      end_code: 'GENERAL_ERROR',
      attempt: 3,
      end_message: 'The bot could not be started, 3 times in a row.',
    });
    expect(await scheduler.history(botId)).toEqual(['queued', 'recording_failed', 'failed']);
    await waitFor(
      async () =>
        (await scheduler.database.query(`select 1 from leases where state in ('launching', 'held')`)).length === 0,
      {
        what: 'no lease to be left',
      },
    );
    const [account] = await scheduler.database.query<{ balance: number; reserved: number }>(
      'select balance::float8, reserved::float8 from token_accounts where team_id = $1',
      [teamId],
    );
    expect(account).toEqual({ balance: 36_000, reserved: 0 });
  });
});
