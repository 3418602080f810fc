import { fakeNodeAnnotations, fakeNodeToleration } from '@rapporteur/cluster';
import { connectBus } from '@rapporteur/event-bus';
import { LightRunners } from './light-runner.ts';
import { PodRunners } from './pod-runners.ts';
import { openRealCluster } from './real-cluster.ts';
import type { RealCluster } from './real-cluster.ts';
import { prepareSchedulerProcess } from './scheduler-process.ts';
import type { SchedulerProcess } from './scheduler-process.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The whole scheduler as its own process on a real control plane, whose pods are runners without a browser. */
export interface ClusterScheduler {
  readonly scheduler: SchedulerProcess;
  readonly cluster: RealCluster;
  readonly pods: PodRunners;
  readonly runners: LightRunners;
  remove(): Promise<void>;
}

export async function openClusterScheduler(over: Record<string, string> = {}): Promise<ClusterScheduler> {
  const cluster = await openRealCluster();
  const scheduler = await prepareSchedulerProcess({
    LAUNCHER: 'kubernetes',
    KUBERNETES_CONFIG_FILE: process.env['KUBECONFIG'] ?? '',
    KUBERNETES_NAMESPACE: cluster.namespace,
    KUBERNETES_IMAGE: 'registry.example/bot-runner:1',
    KUBERNETES_INSTANCE: cluster.namespace,
    KUBERNETES_POD: JSON.stringify({
      ...fakeNodeToleration,
      resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: {} },
      // It ends as its runner does, also after a deletion.
      annotations: { [fakeNodeAnnotations.behaviour]: 'stays-deaf-to-signals' },
    }),
    KUBERNETES_CREATES_PER_SECOND: '100',
    MAX_CONCURRENT_BOTS: '20000',
    TICKET_TTL_MS: '60000',
    LEASE_RENEW_MS: '3000',
    LEASE_LOST_AFTER_MS: '90000',
    ...over,
  });
  const runners = new LightRunners((url) => connectBus({ url, name: 'runners', logger: quiet }));
  const pods = new PodRunners(cluster.client, cluster.namespace, (run) => runners.run(run));
  return {
    scheduler,
    cluster,
    pods,
    runners,
    remove: async () => {
      await pods.stop();
      await runners.close();
      await scheduler.remove();
      await cluster.remove();
    },
  };
}
