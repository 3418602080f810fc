import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { clusterPod, openClusterScheduler } from './testing/cluster-scheduler.ts';
import type { ClusterScheduler } from './testing/cluster-scheduler.ts';
import { QueueController } from './testing/queue-controller.ts';
import { addTeam } from './testing/test-scheduler.ts';

const queue = 'bots';
let opened: ClusterScheduler;
let controller: QueueController;
let teamId: string;

beforeAll(async () => {
  const pod = JSON.stringify({ ...clusterPod, queue });
  opened = await openClusterScheduler({ KUBERNETES_POD: pod, PICKUP_DELAYED_AFTER_MS: '1000' });
  await opened.scheduler.start();
  teamId = await addTeam(opened.scheduler.database);
  controller = new QueueController(opened.cluster.client, { namespace: opened.cluster.namespace, queue, quota: 1 });
});
afterAll(async () => {
  await controller.stop();
  await opened.remove();
});

const jobNames = async (): Promise<string[]> => (await controller.jobs()).map(({ metadata }) => metadata.name);
const leave = (botId: string) => opened.scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
const capacity = async () =>
  (await opened.scheduler.sendRequest('GET', '/capacity', teamId)).body as unknown as {
    readonly obstacles: readonly { readonly cause: string; readonly runs: number; readonly message: string }[];
  };

test('a bot waits in the queue, its status says so, and it attends once the queue has room', async () => {
  const first = await opened.scheduler.sendBot(teamId, 'records');
  await opened.scheduler.waitForStatus(first, 'in_call_recording');
  const [next, cancelled] = [
    await opened.scheduler.sendBot(teamId, 'records'),
    await opened.scheduler.sendBot(teamId, 'records'),
  ];
  for (const botId of [next, cancelled]) {
    await opened.scheduler.waitForStatus(botId, 'pickup_delayed');
    const changes = await opened.scheduler.events(botId, 'bots.v1.status-changed');
    expect(changes.at(-1)?.['status']).toMatchObject({ code: 'pickup_delayed', delay_reason: 'quota_exceeded' });
    expect(await opened.cluster.podOf(`bot-${botId}-1`)).toBeUndefined();
  }
  expect((await capacity()).obstacles).toEqual([
    { cause: 'suspended', runs: 2, message: `The queue ${queue} has not admitted the Job.` },
  ]);
  expect((await leave(cancelled)).status).toBe(200);
  await waitFor(async () => !(await jobNames()).includes(`bot-${cancelled}-1`), { what: 'its Job to be deleted' });
  await leave(first);
  await opened.scheduler.waitForStatus(first, 'completed');
  await opened.scheduler.waitForStatus(next, 'in_call_recording');
  expect(await opened.scheduler.bot(next)).toMatchObject({ attempt: 1 });
  expect((await capacity()).obstacles).toEqual([]);
  await leave(next);
  await opened.scheduler.waitForStatus(next, 'completed');
});

test('a bot that the queue evicts moves where the queue has room for another run, and is started by no Job twice', async () => {
  controller.quota = 2;
  const botId = await opened.scheduler.sendBot(teamId, 'records');
  await opened.scheduler.waitForStatus(botId, 'in_call_recording');
  await controller.evict(`bot-${botId}-1`);
  const attendances = () => opened.runners.attendances.filter((one) => one.botId === botId);
  await waitFor(() => (attendances()[0]?.leftAtMs ?? null) !== null, { what: 'the first run to leave' });
  const [first, second, ...others] = attendances();
  expect(others).toEqual([]);
  expect(second?.joinedAtMs).toBeLessThan(first?.leftAtMs ?? 0);
  await waitFor(async () => !(await jobNames()).includes(`bot-${botId}-1`), { what: 'the evicted Job to be deleted' });
  expect(await opened.scheduler.bot(botId)).toMatchObject({ phase: 'recording', attempt: 2, moves: 1 });
  await leave(botId);
  expect(await opened.scheduler.waitForStatus(botId, 'completed')).toMatchObject({
    end_code: 'API_REQUEST',
    recorded: true,
  });
  expect(await opened.scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
  expect(attendances()).toHaveLength(2);
});
