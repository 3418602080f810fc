import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOwnCluster } from '@rapporteur/cluster';
import type { TestCluster } from '@rapporteur/cluster';
import { waitFor } from '@rapporteur/testbed';
import { openClusterScheduler } from './testing/cluster-scheduler.ts';
import type { ClusterScheduler } from './testing/cluster-scheduler.ts';
import { PodRunners } from './testing/pod-runners.ts';
import { nodesAreReady, openRealCluster } from './testing/real-cluster.ts';
import type { RealCluster } from './testing/real-cluster.ts';
import { addTeam } from './testing/test-scheduler.ts';

/** The control plane that is lost; the other one, east, is that of KUBECONFIG. */
let westPlane: TestCluster;
let west: RealCluster;
let westPods: PodRunners;
let opened: ClusterScheduler;
let teamId: string;

const clusters = async () => (await opened.scheduler.capacity()).clusters ?? [];

const clustersWith = (drain: boolean) => ({
  KUBERNETES_CLUSTERS: JSON.stringify([
    { name: 'east' },
    { name: 'west', weight: 2, kubeconfig: westPlane.kubeconfigFile, namespace: west.namespace, drain },
  ]),
});

/** A cluster whose runs are not listed yet gets no bot. */
async function startWith(settings: Record<string, string>): Promise<void> {
  await opened.scheduler.start(settings);
  await waitFor(async () => (await clusters()).every(({ reachable }) => reachable), { what: 'both clusters' });
}

beforeAll(async () => {
  westPlane = await startOwnCluster(() => undefined);
  west = await openRealCluster(westPlane.kubeconfigFile);
  await nodesAreReady(west.client, 'fake-node=true');
  opened = await openClusterScheduler({ REJOINS_AFTER_FAILURE: '1', LEASE_LOST_AFTER_MS: '30000' });
  westPods = new PodRunners(west.client, west.namespace, (run) => opened.runners.run(run));
  await startWith(clustersWith(false));
  teamId = await addTeam(opened.scheduler.database);
});
afterAll(async () => {
  await westPods.stop();
  await opened.remove();
  await west.remove();
  await westPlane.stop();
});

const attendancesOf = (botId: string) => opened.runners.attendances.filter((one) => one.botId === botId);
const namesOf = (bots: readonly string[]): string[] => bots.map((botId) => `bot-${botId}-1`).toSorted();

async function recordingBots(count: number): Promise<string[]> {
  const bots = await Promise.all(Array.from({ length: count }, () => opened.scheduler.sendBot(teamId, 'records')));
  for (const botId of bots) await opened.scheduler.waitForStatus(botId, 'in_call_recording');
  return bots;
}

async function leave(botId: string): Promise<void> {
  await opened.scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
  const ended = await opened.scheduler.waitForStatus(botId, 'completed');
  expect(ended).toMatchObject({ end_code: 'API_REQUEST', recorded: true });
  expect(await opened.scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
}

/** Bots that record, of which two of three are in the west. */
async function spreadBots(count: number): Promise<{ bots: string[]; inWest: string[] }> {
  const bots = await recordingBots(count);
  const inWest = bots.filter((botId) => westPods.running.includes(`bot-${botId}-1`));
  const inEast = bots.filter((botId) => opened.pods.running.includes(`bot-${botId}-1`));
  expect([inWest.length, inEast.length]).toEqual([(count * 2) / 3, count / 3]);
  return { bots, inWest };
}

test('bots spread over two control planes; when one is lost, its bots stay or rejoin, and new ones go to the other', async () => {
  const { bots, inWest } = await spreadBots(6);
  const [stays, dies] = inWest as [string, string];

  await westPlane.restartApiServer?.(async () => {
    await waitFor(async () => (await clusters())[1]?.reachable === false, { what: 'the west to be unreachable' });
    westPods.kill(`bot-${dies}-1`);
    const launched = await recordingBots(2);
    expect(opened.pods.running).toEqual(expect.arrayContaining(namesOf(launched)));
    bots.push(...launched);
    await waitFor(() => opened.pods.running.includes(`bot-${dies}-2`), { what: 'the bot to rejoin from the east' });
    await opened.scheduler.waitForStatus(dies, 'in_call_recording');
    expect(await opened.scheduler.bot(dies)).toMatchObject({ attempt: 2, rejoins: 1 });
    expect(await opened.scheduler.bot(stays)).toMatchObject({ attempt: 1, phase: 'recording' });
    expect(attendancesOf(stays)).toMatchObject([{ leftAtMs: null }]);
  });

  const causes = await opened.scheduler.database.query(
    'select cause from bots.run_ends where bot_id = $1 and attempt = 1',
    [dies],
  );
  expect(causes).toEqual([{ cause: 'node-lost' }]);
  await Promise.all(bots.map(leave));
});

test('the bots of a drained cluster move to the other one before they leave', async () => {
  await waitFor(async () => (await clusters()).every(({ runs }) => runs === 0), { what: 'empty clusters' });
  await opened.scheduler.end('SIGTERM');
  // A runner that reaches no scheduler for this long leaves by itself: longer than any restart.
  await startWith({ LEASE_LOST_AFTER_MS: '600000' });
  const { bots, inWest } = await spreadBots(3);

  await opened.scheduler.end('SIGTERM');
  await startWith(clustersWith(true));
  for (const botId of inWest) {
    await waitFor(() => (attendancesOf(botId)[0]?.leftAtMs ?? null) !== null, { what: 'the first run to leave' });
    const [first, second, ...others] = attendancesOf(botId);
    expect(others).toEqual([]);
    expect(second?.joinedAtMs).toBeLessThan(first?.leftAtMs ?? 0);
    expect(opened.pods.running).toContain(`bot-${botId}-2`);
    expect(await opened.scheduler.bot(botId)).toMatchObject({ attempt: 2, moves: 1, rejoins: 0, phase: 'recording' });
  }
  await waitFor(async () => (await clusters())[1]?.runs === 0, { what: 'an empty west' });
  expect(bots.filter((botId) => attendancesOf(botId).length === 2)).toEqual(inWest);
  await Promise.all(bots.map(leave));
});
