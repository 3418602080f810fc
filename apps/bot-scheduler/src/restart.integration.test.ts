import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { prepareSchedulerProcess } from './testing/scheduler-process.ts';
import type { SchedulerProcess } from './testing/scheduler-process.ts';
import { addTeam, findRunner, workFolders } from './testing/test-scheduler.ts';
import { findProcessesNaming } from '@rapporteur/process-identity';

let scheduler: SchedulerProcess;
let teamId: string;

beforeEach(async () => {
  scheduler = await prepareSchedulerProcess();
  teamId = await addTeam(scheduler.database);
  await scheduler.start();
});
afterEach(() => scheduler.remove());

/** The artifacts that the fake runner stores. */
const stored = ['video', 'participant_audio', 'participant_audio'];

describe('a scheduler that is killed', () => {
  test('takes over its running bots when it is back, and they end as if nothing had been', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    const runner = await findRunner(scheduler, botId);
    await scheduler.end('SIGKILL');
    await scheduler.start();
    expect(await findRunner(scheduler, botId)).toBe(runner);
    expect(await scheduler.bot(botId)).toMatchObject({ status: 'in_call_recording', attempt: 1 });
    await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({ end_code: 'API_REQUEST', attempt: 1 });
    expect(await scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
  });

  test('finds out when it is back that a runner died meanwhile, and saves what it recorded', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    await scheduler.end('SIGKILL');
    process.kill(await findRunner(scheduler, botId), 'SIGKILL');
    await scheduler.start();
    expect(await scheduler.waitForStatus(botId, 'failed')).toMatchObject({ end_code: 'FORCE_KILLED', attempt: 2 });
    expect((await scheduler.bot(botId)).artifacts.map(({ kind }) => kind)).toEqual(stored);
  });
});

describe('a scheduler that is stopped', () => {
  test('lets its bots leave and save first, and leaves no process behind', async () => {
    const recording = await scheduler.sendBot(teamId, 'records');
    const waiting = await scheduler.sendBot(teamId, 'waits');
    await scheduler.waitForStatus(recording, 'in_call_recording');
    await scheduler.waitForStatus(waiting, 'in_waiting_room');
    expect(await scheduler.end('SIGTERM')).toBe(0);
    const saved = await scheduler.bot(recording);
    expect(saved).toMatchObject({ status: 'failed', end_code: 'SIGTERM', attempt: 1 });
    expect(saved.artifacts.map(({ kind }) => kind)).toEqual(stored);
    expect(await scheduler.bot(waiting)).toMatchObject({ status: 'failed', end_code: 'SIGTERM' });
    expect(findProcessesNaming(scheduler.runsFolder)).toEqual([]);
    expect(workFolders(scheduler.runsFolder)).toEqual([]);
  });
});
