import { openApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { provideBinaries } from './binaries.ts';
import { startControlPlane } from './control-plane.ts';
import type { ControlPlane } from './control-plane.ts';
import { startFakeNode } from './fake-node.ts';
import type { FakeNode } from './fake-node.ts';

export interface TestCluster {
  readonly kubeconfigFile: string;
  /** Kills the API server and starts it again, after `meanwhile`. Null: an external cluster. */
  readonly restartApiServer: ControlPlane['restartApiServer'] | null;
  stop(): Promise<void>;
}

const names = ['fake-node-1', 'fake-node-2', 'fake-node-3'];
const nodeLabel = { 'fake-node': 'true' };
/** Schedules a pod on the fake nodes only; the components of a cluster do not tolerate them. */
export const fakeNodeToleration = {
  nodeSelector: nodeLabel,
  tolerations: [{ key: 'fake-node', operator: 'Exists', effect: 'NoSchedule' }],
};

/** Three fake nodes in the cluster that KUBECONFIG names, or in a control plane of their own. */
export async function startTestCluster(say: (text: string) => void): Promise<TestCluster> {
  const given = process.env['KUBECONFIG'];
  if (given !== undefined && given !== '') return withFakeNodes(given, { stop: async () => undefined });
  return startOwnCluster(say);
}

/** Three fake nodes in a control plane of their own. */
export async function startOwnCluster(say: (text: string) => void): Promise<TestCluster> {
  const binaries = await provideBinaries(say);
  const startedAt = performance.now();
  const controlPlane = await startControlPlane(binaries);
  const cluster = await withFakeNodes(controlPlane.kubeconfigFile, controlPlane);
  say(`The control plane is up after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
  return cluster;
}

async function withFakeNodes(
  kubeconfigFile: string,
  cluster: Pick<ControlPlane, 'stop'> & Partial<Pick<ControlPlane, 'restartApiServer'>>,
): Promise<TestCluster> {
  let client: ApiClient | null = null;
  const nodes: FakeNode[] = [];
  const stop = async (): Promise<void> => {
    for (const node of nodes) await node.stop();
    client?.close();
    await cluster.stop();
  };
  try {
    client = openApiClient(kubeconfigFile);
    for (const name of names) nodes.push(await startFakeNode(client, name, nodeLabel));
    return { kubeconfigFile, stop, restartApiServer: cluster.restartApiServer ?? null };
  } catch (error) {
    await stop();
    throw error;
  }
}
