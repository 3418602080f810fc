import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeNode, startOwnCluster } from '@rapporteur/cluster';
import type { ApiClient, FakeNode, TestCluster } from '@rapporteur/cluster';
import { waitFor } from '@rapporteur/testbed';
import { openClusterScheduler } from './testing/cluster-scheduler.ts';
import type { ClusterScheduler } from './testing/cluster-scheduler.ts';
import { PodRunners } from './testing/pod-runners.ts';
import { openRealCluster } from './testing/real-cluster.ts';
import type { RealCluster } from './testing/real-cluster.ts';
import { addTeam } from './testing/test-scheduler.ts';

interface Node {
  readonly spec: { readonly taints: readonly unknown[] };
}

/** The control plane that is lost; the other one, east, is that of KUBECONFIG. */
let westPlane: TestCluster;
let west: RealCluster;
let westPods: PodRunners;
let opened: ClusterScheduler;
/** Other tests lose nodes of the east. */
let eastNode: FakeNode;
let teamId: string;

const eastLabel = () => ({ 'nodes-of': opened.cluster.namespace });

/** Until its controller has seen that a new node is ready, no pod is scheduled there. */
async function nodesAreReady(client: ApiClient, label: string): Promise<void> {
  const path = `/api/v1/nodes?labelSelector=${encodeURIComponent(label)}`;
  const nodes = async () => (await client.request<{ items: Node[] }>('GET', path)).items;
  await waitFor(async () => (await nodes()).every(({ spec }) => spec.taints.length === 1), { what: 'ready nodes' });
}

const clustersWith = (drain: boolean) => ({
  KUBERNETES_CLUSTERS: JSON.stringify([
    { name: 'east', pod: { nodeSelector: eastLabel() } },
    { name: 'west', weight: 2, kubeconfig: westPlane.kubeconfigFile, namespace: west.namespace, drain },
  ]),
});

beforeAll(async () => {
  westPlane = await startOwnCluster(() => undefined);
  west = await openRealCluster(westPlane.kubeconfigFile);
  await nodesAreReady(west.client, 'fake-node=true');
  opened = await openClusterScheduler({ REJOINS_AFTER_FAILURE: '1', LEASE_LOST_AFTER_MS: '30000' });
  eastNode = await startFakeNode(opened.cluster.client, `node-of-${opened.cluster.namespace}`, eastLabel());
  await nodesAreReady(opened.cluster.client, `nodes-of=${opened.cluster.namespace}`);
  westPods = new PodRunners(west.client, west.namespace, (run) => opened.runners.run(run));
  await opened.scheduler.start(clustersWith(false));
  teamId = await addTeam(opened.scheduler.database);
});
afterAll(async () => {
  await westPods.stop();
  await eastNode.stop();
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

test('bots spread over two control planes; one is lost, and then drained', async () => {
  const bots = await recordingBots(6);
  const inWest = westPods.running;
  expect([inWest.length, opened.pods.running.length]).toEqual([4, 2]);
  const [stays, dies, ...others] = bots.filter((botId) => inWest.includes(`bot-${botId}-1`)) as [string, string];

  await westPlane.restartApiServer?.(async () => {
    const lost = async () => (await opened.scheduler.capacity()).clusters?.[1]?.reachable === false;
    await waitFor(lost, { what: 'the west to be unreachable' });
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

  await opened.scheduler.end('SIGTERM');
  await opened.scheduler.start(clustersWith(true));
  for (const botId of [stays, ...others]) {
    const moved = () => opened.pods.running.includes(`bot-${botId}-2`) && attendancesOf(botId)[0]?.leftAtMs !== null;
    await waitFor(moved, { what: 'a bot to move to the east' });
    expect(await opened.scheduler.bot(botId)).toMatchObject({ attempt: 2, phase: 'recording' });
  }
  await waitFor(async () => (await opened.scheduler.capacity()).clusters?.[1]?.runs === 0, { what: 'an empty west' });
  const causes = await opened.scheduler.database.query(
    'select cause from bots.run_ends where bot_id = $1 and attempt = 1',
    [dies],
  );
  expect(causes).toEqual([{ cause: 'node-lost' }]);
  await Promise.all(bots.map(leave));
});
