import { randomBytes, randomUUID } from 'node:crypto';
import { fakeNodeAnnotations, fakeNodeToleration, openApiClient, startFakeNode } from '@rapporteur/cluster';
import type { ApiClient, FakeNode } from '@rapporteur/cluster';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { openJobApi } from '../launch/kubernetes/job-api.ts';
import { loadKubeConfig } from '../launch/kubernetes/open-kubernetes-launcher.ts';
import { selectorOf } from '../launch/kubernetes/job-spec.ts';
import type { JobSettings } from '../launch/kubernetes/job-spec.ts';
import { createKubernetesLauncher } from '../launch/kubernetes/kubernetes-launcher.ts';
import { podSettings } from '../launch/kubernetes/pod-settings.ts';
import type { LaunchSpec } from '../launch/launcher.ts';
import { jobSettings } from './fake-kubernetes/job-settings.ts';
import { launchSpec } from './launch-spec.ts';

export interface ClusterObject {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A separate namespace in the cluster of KUBECONFIG, or of another kubeconfig file, with fake nodes that run its pods. */
export interface RealCluster {
  readonly client: ApiClient;
  readonly namespace: string;
  /** A launcher whose pods have this behaviour (`fakeNodeAnnotations.behaviour`). */
  open(behaviour: string, over?: ClusterLauncherOptions): ReturnType<typeof createKubernetesLauncher>;
  podOf(run: string): Promise<ClusterObject | undefined>;
  /** Number of objects in the namespace, without reading them. */
  count(kind: 'jobs' | 'pods' | 'events'): Promise<number>;
  /** Resolves when the run's pod is running. */
  running(run: string): Promise<ClusterObject>;
  /** Ends the container of a run from outside. */
  kill(run: string, exitCode: number): Promise<void>;
  /**
   * Starts fake nodes that run no other pods than those with the returned settings. For tests that fill, cordon or lose
   * nodes: the others are shared with all tests of the control plane.
   */
  ownNodes(count: number): Promise<{ readonly nodeSelector: Readonly<Record<string, string>> }>;
  remove(): Promise<void>;
}

interface Node {
  readonly spec: { readonly taints: readonly unknown[] };
}

/** Resolves when pods are scheduled on the nodes with this label: their controller has seen that they are ready. */
export async function nodesAreReady(client: ApiClient, label: string): Promise<void> {
  const path = `/api/v1/nodes?labelSelector=${encodeURIComponent(label)}`;
  const nodes = async () => (await client.request<{ items: Node[] }>('GET', path)).items;
  await waitFor(async () => (await nodes()).every(({ spec }) => spec.taints.length === 1), { what: 'ready nodes' });
}

export interface ClusterLauncherOptions {
  readonly pod?: Record<string, unknown>;
  readonly job?: Partial<JobSettings>;
  /** Name of a container that runs longer than the bot's. */
  readonly sidecar?: string;
  /** Name of the PodDisruptionBudget of bots. */
  readonly budget?: string;
}

export async function openRealCluster(kubeconfig = process.env['KUBECONFIG']): Promise<RealCluster> {
  if (kubeconfig === undefined) throw new Error('KUBECONFIG is not set: run these tests by "npm run test:cluster".');
  const client = openApiClient(kubeconfig);
  const namespace = `bots-${randomBytes(4).toString('hex')}`;
  await client.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const podOf = async (run: string): Promise<ClusterObject | undefined> => {
    const selector = encodeURIComponent(`batch.kubernetes.io/job-name=${run}`);
    return (await client.request<{ items: ClusterObject[] }>('GET', `${pods}?labelSelector=${selector}`)).items[0];
  };
  // A pod is refused until its namespace has a service account.
  const own: FakeNode[] = [];
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  await waitFor(() => client.request('GET', account), { what: 'the service account' });
  return {
    client,
    namespace,
    podOf,
    count: async (kind) => {
      const path = `/${kind === 'jobs' ? 'apis/batch' : 'api'}/v1/namespaces/${namespace}/${kind}?limit=1`;
      type Page = { readonly items: readonly unknown[]; readonly metadata: { readonly remainingItemCount?: number } };
      const { items, metadata } = await client.request<Page>('GET', path);
      return items.length + (metadata.remainingItemCount ?? 0);
    },
    open: (behaviour, over = {}) =>
      createKubernetesLauncher({
        api: openJobApi(loadKubeConfig(kubeconfig), { namespace, labelSelector: selectorOf('test') }),
        job: settingsOf(namespace, behaviour, over),
        createsPerSecond: 100,
        budget: over.budget,
        mostUnschedulable: 20,
        clock: systemClock,
        logger: createLogger('test', 'silent'),
      }),
    running: (run) =>
      waitFor(
        async () => {
          const pod = await podOf(run);
          return pod?.status?.phase === 'Running' ? pod : null;
        },
        { what: `the pod of ${run} to run` },
      ),
    kill: async (run, exitCode) => {
      const annotations = { [fakeNodeAnnotations.kill]: String(exitCode) };
      await client.request('PATCH', `${pods}/${(await podOf(run))?.metadata.name}`, { metadata: { annotations } });
    },
    ownNodes: async (count) => {
      const name = `own-${randomBytes(4).toString('hex')}`;
      for (let index = 1; index <= count; index += 1)
        own.push(await startFakeNode(client, `${name}-${index}`, { 'own-nodes': name }));
      await nodesAreReady(client, `own-nodes=${name}`);
      return { nodeSelector: { 'own-nodes': name } };
    },
    remove: async () => {
      for (const node of own) await node.stop();
      await client.request('DELETE', `/api/v1/namespaces/${namespace}`);
      client.close();
    },
  };
}

function settingsOf(
  namespace: string,
  behaviour: string,
  { pod = {}, job = {}, sidecar }: ClusterLauncherOptions,
): JobSettings {
  const small = { requests: { cpu: '100m', memory: '64Mi' }, limits: {} };
  const annotations = {
    [fakeNodeAnnotations.behaviour]: behaviour,
    ...(sidecar === undefined ? {} : { [fakeNodeAnnotations.sidecar]: sidecar }),
  };
  return {
    ...jobSettings,
    namespace,
    pod: podSettings.parse({ ...fakeNodeToleration, resources: small, annotations, ...pod }),
    ...job,
  };
}

/** A run of a new bot. */
export function newRun(over: Partial<LaunchSpec> = {}): LaunchSpec {
  const botId = randomUUID();
  return { ...launchSpec, botId, teamId: randomUUID(), name: `bot-${botId}-1`, ...over };
}
