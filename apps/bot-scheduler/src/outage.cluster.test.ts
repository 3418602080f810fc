import { loadavg } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOwnCluster } from '@rapporteur/cluster';
import type { TestCluster } from '@rapporteur/cluster';
import { waitFor } from '@rapporteur/testbed';
import { openClusterScheduler } from './testing/cluster-scheduler.ts';
import type { ClusterScheduler } from './testing/cluster-scheduler.ts';
import { nodesAreReady } from './testing/real-cluster.ts';
import { addTeam } from './testing/test-scheduler.ts';

/**
 * From the readiness of the API server until every waiting bot has its Job: below the pauses of a minute that a client
 * without a bound reaches. The time itself is printed.
 */
const mostLateMs = 30_000;

let plane: TestCluster;
let opened: ClusterScheduler;
let teamId: string;

beforeAll(async () => {
  plane = await startOwnCluster(() => undefined);
  // Long enough for every wait of the launcher to reach its longest.
  opened = await openClusterScheduler({ PICKUP_DELAYED_AFTER_MS: '15000' }, plane.kubeconfigFile);
  await nodesAreReady(opened.cluster.client, 'fake-node=true');
  await opened.scheduler.start();
  teamId = await addTeam(opened.scheduler.database);
});
afterAll(async () => {
  await opened.remove();
  await plane.stop();
});

const send = (): Promise<string> => opened.scheduler.sendBot(teamId, 'records');

test('bots that wait for an API server have their Jobs soon after its return, and are delayed with its reason meanwhile', async () => {
  const before = await send();
  await opened.scheduler.waitForStatus(before, 'in_call_recording');
  const waiting: string[] = [];
  await plane.restartApiServer?.(async () => {
    waiting.push(...(await Promise.all(Array.from({ length: 5 }, send))));
    for (const botId of waiting) {
      await opened.scheduler.waitForStatus(botId, 'pickup_delayed');
      const changes = await opened.scheduler.events(botId, 'bots.v1.status-changed');
      expect(changes.at(-1)?.['status']).toMatchObject({ delay_reason: 'cluster_unavailable' });
    }
    expect(await opened.scheduler.capacity()).toMatchObject({ obstacles: [{ cause: 'api-unavailable' }] });
  });
  const readyAtMs = performance.now();
  const sinceMs = (): number => Math.round(performance.now() - readyAtMs);
  await waitFor(async () => (await opened.createdJobs()) === 1 + waiting.length, { what: 'a Job of every bot' });
  const lateMs = sinceMs();
  for (const botId of waiting) await opened.scheduler.waitForStatus(botId, 'in_call_recording');
  const [load] = loadavg();
  process.stdout.write(
    `After the API server was ready, 5 bots had Jobs in ${lateMs} ms and recorded in ${sinceMs()} ms, load ${load?.toFixed(1)}.\n`,
  );
  expect(lateMs).toBeLessThan(mostLateMs);
  expect(await opened.scheduler.bot(before)).toMatchObject({ attempt: 1, phase: 'recording' });
});
