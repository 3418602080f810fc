import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeNodeAnnotations, fakeNodeToleration } from '@rapporteur/cluster';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { startFakeCluster } from './fake-kubernetes/cluster.ts';
import type { FakeCluster } from './fake-kubernetes/cluster.ts';
import { fakeKubeconfig } from './fake-kubernetes/fake-kubeconfig.ts';
import { runPods } from './fake-kubernetes/run-pods.ts';
import { LightRunners } from './light-runner.ts';
import { PodRunners } from './pod-runners.ts';
import { openRealCluster } from './real-cluster.ts';
import type { RealCluster } from './real-cluster.ts';
import { prepareSchedulerProcess } from './scheduler-process.ts';
import type { SchedulerProcess } from './scheduler-process.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The scheduler as a separate process; each pod of its Jobs is a runner without a browser. */
export interface JobScheduler {
  readonly scheduler: SchedulerProcess;
  readonly runners: LightRunners;
  /** Number of Jobs that were created so far; none is deleted while its run lasts. */
  createdJobs(): Promise<number>;
  remove(): Promise<void>;
}

/** Everything that the runners have sent so far. */
export interface SentMessages {
  reports: number;
  renewals: number;
  /** Renewals without a response in time. */
  unanswered: number;
}

/** Runs on a real control plane. */
export interface ClusterScheduler extends JobScheduler {
  readonly sent: SentMessages;
  readonly cluster: RealCluster;
  readonly pods: PodRunners;
}

/** The value of KUBERNETES_POD of the scheduler. */
export const clusterPod = {
  ...fakeNodeToleration,
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: {} },
  // The pod ends when its runner ends, also after a deletion.
  annotations: { [fakeNodeAnnotations.behaviour]: 'stays-deaf-to-signals' },
};

const settingsOf = (kubeconfigFile: string, namespace: string): Record<string, string> => ({
  LAUNCHER: 'kubernetes',
  KUBERNETES_CONFIG_FILE: kubeconfigFile,
  KUBERNETES_NAMESPACE: namespace,
  KUBERNETES_IMAGE: 'registry.example/bot-runner:1',
  KUBERNETES_INSTANCE: namespace,
  KUBERNETES_POD: JSON.stringify(clusterPod),
  KUBERNETES_CREATES_PER_SECOND: '100',
  MAX_CONCURRENT_BOTS: '20000',
  TICKET_TTL_MS: '60000',
  LEASE_RENEW_MS: '3000',
  LEASE_LOST_AFTER_MS: '90000',
});

function openRunners(): { readonly runners: LightRunners; readonly sent: SentMessages } {
  const sent: SentMessages = { reports: 0, renewals: 0, unanswered: 0 };
  const connect = async (url: string): Promise<Bus> => {
    const bus = await connectBus({ url, name: 'runners', logger: quiet });
    const [publish, request] = [bus.publish.bind(bus), bus.request.bind(bus)];
    return Object.assign(bus, {
      publish: (...message: Parameters<Bus['publish']>) => {
        sent.reports += 1;
        return publish(...message);
      },
      request: (...message: Parameters<Bus['request']>) => {
        sent.renewals += 1;
        return request(...message).catch((error: unknown) => {
          sent.unanswered += 1;
          throw error;
        });
      },
    });
  };
  return { runners: new LightRunners(connect), sent };
}

export async function openClusterScheduler(
  over: Record<string, string> = {},
  kubeconfig = process.env['KUBECONFIG'],
): Promise<ClusterScheduler> {
  const cluster = await openRealCluster(kubeconfig);
  const settings = settingsOf(kubeconfig ?? '', cluster.namespace);
  const scheduler = await prepareSchedulerProcess({ ...settings, ...over }, { direct: true });
  const { runners, sent } = openRunners();
  const pods = new PodRunners(cluster.client, cluster.namespace, (run) => runners.run(run));
  return {
    scheduler,
    cluster,
    pods,
    runners,
    sent,
    // Not by the metrics of the API server: other tests use it at the same time.
    createdJobs: () => cluster.count('jobs'),
    remove: async () => {
      await pods.stop();
      await runners.close();
      await scheduler.remove();
      await cluster.remove();
    },
  };
}

export interface FakeClusterScheduler extends JobScheduler {
  readonly cluster: FakeCluster;
  readonly sent: SentMessages;
}

/** Runs on the fake API server, which creates `createsPerSecond` Jobs and has no other limits. */
export async function openFakeClusterScheduler(
  createsPerSecond: number,
  over: Record<string, string> = {},
): Promise<FakeClusterScheduler> {
  const cluster = await startFakeCluster();
  cluster.createMs = 1_000 / createsPerSecond;
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-fake-cluster-'));
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, fakeKubeconfig(cluster.url));
  const scheduler = await prepareSchedulerProcess({ ...settingsOf(kubeconfigFile, 'bots'), ...over }, { direct: true });
  const { runners, sent } = openRunners();
  const stop = runPods(cluster, (run) => runners.run(run));
  return {
    scheduler,
    runners,
    cluster,
    sent,
    createdJobs: async () => cluster.requests.filter((call) => call === 'POST jobs').length,
    remove: async () => {
      await stop();
      await runners.close();
      await scheduler.remove();
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
