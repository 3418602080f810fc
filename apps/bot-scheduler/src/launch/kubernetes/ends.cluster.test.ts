import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endCodeOfFailedRun } from '@rapporteur/bot-lifecycle';
import { fakeNodeAnnotations } from '@rapporteur/cluster';
import { waitFor } from '@rapporteur/testbed';
import { newRun, openRealCluster } from '../../testing/real-cluster.ts';
import type { ClusterLauncherOptions, RealCluster } from '../../testing/real-cluster.ts';
import type { LaunchSpec, ObservedRun } from '../launcher.ts';
import type { createKubernetesLauncher } from './kubernetes-launcher.ts';

type Launcher = ReturnType<typeof createKubernetesLauncher>;

let cluster: RealCluster;
/**
 * `RECORD_ENDS=1 npm run test:cluster -- ends` writes the objects of every end here, as the fixture of the unit tests.
 */
const recorded: unknown[] = [];

beforeAll(async () => {
  cluster = await openRealCluster();
});
afterAll(async () => {
  await cluster.remove();
  if (process.env['RECORD_ENDS'] === '1')
    writeFileSync(new URL('./recorded-ends.json', import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`);
});

interface Case extends ClusterLauncherOptions {
  readonly what: string;
  readonly behaviour?: string;
  /** Called once the pod runs. */
  readonly then?: (run: LaunchSpec, launcher: Launcher) => Promise<unknown>;
  readonly cause: string;
  readonly endCode: string;
}

const pods = () => `/api/v1/namespaces/${cluster.namespace}/pods`;
const podNameOf = async (run: LaunchSpec) => (await cluster.podOf(run.name))?.metadata.name ?? '';

const cases: Case[] = [
  { what: 'exit code 0', behaviour: 'exits-with-0', cause: 'completed', endCode: 'GENERAL_ERROR' },
  { what: 'exit code 7', behaviour: 'exits-with-7', cause: 'error', endCode: 'GENERAL_ERROR' },
  { what: 'out of memory', behaviour: 'runs-out-of-memory', cause: 'out-of-memory', endCode: 'OOM_KILLED' },
  {
    what: 'a child out of memory',
    behaviour: 'child-runs-out-of-memory',
    cause: 'out-of-memory',
    endCode: 'OOM_KILLED',
  },
  { what: 'evicted by the kubelet', behaviour: 'is-evicted', cause: 'evicted', endCode: 'FORCE_KILLED' },
  {
    what: 'a container that cannot start',
    behaviour: 'fails-to-start',
    cause: 'start-failed',
    endCode: 'GENERAL_ERROR',
  },
  { what: 'SIGKILL', then: (run) => cluster.kill(run.name, 137), cause: 'killed', endCode: 'FORCE_KILLED' },
  {
    what: 'the deadline of the pod',
    job: { runDeadlineSeconds: 1 },
    cause: 'deadline-exceeded',
    endCode: 'SIGTERM',
  },
  {
    what: 'kubectl delete pod',
    then: async (run) => cluster.client.request('DELETE', `${pods()}/${await podNameOf(run)}`),
    cause: 'terminated',
    endCode: 'SIGTERM',
  },
  {
    what: 'kubectl delete job',
    then: async (run) =>
      cluster.client.request(
        'DELETE',
        `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/${run.name}?propagationPolicy=Background`,
      ),
    cause: 'terminated',
    endCode: 'SIGTERM',
  },
  {
    what: 'kubectl drain (the eviction API)',
    then: async (run) => {
      const name = await podNameOf(run);
      const metadata = { name, namespace: cluster.namespace };
      return cluster.client.request('POST', `${pods()}/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata,
      });
    },
    cause: 'terminated',
    endCode: 'SIGTERM',
  },
];

test.each(cases)('$what is seen as $cause', async ({ behaviour = 'stays', then, cause, endCode, what, ...over }) => {
  const launcher = cluster.open(behaviour, over);
  const run = newRun();
  try {
    await launcher.observe();
    await launcher.launch(run);
    if (then !== undefined) {
      await cluster.running(run.name);
      await then(run, launcher);
    }
    const ended = await exited(launcher, run);
    expect(ended.exit?.cause).toBe(cause);
    expect(endCodeOfFailedRun(ended.exit)).toBe(endCode);
    expect((await launcher.evidence(run.name))?.status['pod']).toContain(run.name);
    recorded.push({ what, objects: launcher.objectsOf(run.name), cause, endCode });
  } finally {
    await launcher.close();
  }
});

test('a preempted bot is seen as preempted', async () => {
  for (const [name, value] of Object.entries({ low: 1, high: 1_000 })) {
    await cluster.client
      .request('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
        metadata: { name: `${cluster.namespace}-${name}` },
        value,
      })
      .catch(() => undefined);
  }
  const large = { ...(await cluster.ownNodes(1)), resources: { requests: { cpu: '63' }, limits: {} } };
  const low = cluster.open('stays', { pod: { ...large, priorityClassName: `${cluster.namespace}-low` } });
  const high = cluster.open('stays', { pod: { ...large, priorityClassName: `${cluster.namespace}-high` } });
  const [victim, winner] = [newRun(), newRun()];
  try {
    await low.observe();
    await low.launch(victim);
    await cluster.running(victim.name);
    await high.launch(winner);
    const ended = await exited(low, victim);
    expect(ended.exit?.cause).toBe('preempted');
    recorded.push({ what: 'preemption', objects: low.objectsOf(ended.name), cause: 'preempted', endCode: 'SIGTERM' });
  } finally {
    for (const run of [victim, winner]) await low.stop(run.name, { graceMs: 0 });
    await low.close();
    await high.close();
  }
});

test('a bot on a node that is lost still counts as running, until the node is removed', async () => {
  const launcher = cluster.open('stays', {
    pod: {
      ...(await cluster.ownNodes(1)),
      tolerations: [{ key: 'fake-node', operator: 'Exists', effect: 'NoSchedule' }, ...notReadyFor(1)],
    },
  });
  const run = newRun();
  let node: string | undefined;
  try {
    await launcher.observe();
    await launcher.launch(run);
    node = (await cluster.running(run.name)).spec?.nodeName;
    await annotate(node, 'true');
    const lost = await waitFor(
      async () => (await launcher.observe()).find(({ name, unreachable }) => name === run.name && unreachable === true),
      { what: 'the node to be lost' },
    );
    expect(lost.state).toBe('running');
    await cluster.client.request('DELETE', `/api/v1/nodes/${node}`);
    expect((await exited(launcher, run)).exit?.cause).toBe('node-lost');
    recorded.push({
      what: 'a lost node',
      objects: launcher.objectsOf(run.name),
      cause: 'node-lost',
      endCode: 'FORCE_KILLED',
    });
  } finally {
    await launcher.close();
  }
}, 300_000);

test('a bot without a place is pending, and states why', async () => {
  const launcher = cluster.open('stays', { pod: { resources: { requests: { cpu: '1000' }, limits: {} } } });
  const run = newRun();
  try {
    await launcher.observe();
    await launcher.launch(run);
    const blocked = await waitFor(
      async () => (await launcher.observe()).find(({ name, obstacle }) => name === run.name && obstacle !== undefined),
      { what: 'the obstacle' },
    );
    expect(blocked).toMatchObject({ state: 'pending', obstacle: { cause: 'unschedulable' } });
    expect(blocked.obstacle?.message).toContain('Insufficient cpu');
    await launcher.stop(run.name, { graceMs: 0 });
  } finally {
    await launcher.close();
  }
});

interface Budget {
  readonly spec: { readonly minAvailable: number };
  readonly status: {
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
  };
}

test('a budget that drains wait for keeps the bots that run, and is met at any time', async () => {
  const budgets = `/apis/policy/v1/namespaces/${cluster.namespace}/poddisruptionbudgets`;
  const selector = { matchLabels: { 'app.kubernetes.io/name': 'bot-runner' } };
  const metadata = { name: 'bots' };
  await cluster.client.request('POST', budgets, { metadata, spec: { minAvailable: 1_000_000, selector } });
  const launcher = cluster.open('stays', { budget: metadata.name });
  const [first, second] = [newRun(), newRun()];
  const kept = (count: number) => async () => {
    const { spec, status } = await cluster.client.request<Budget>('GET', `${budgets}/${metadata.name}`);
    const met = spec.minAvailable === count && status.desiredHealthy === count && status.currentHealthy === count;
    return met ? status : null;
  };
  try {
    await launcher.observe();
    for (const run of [first, second]) await launcher.launch(run);
    expect(await waitFor(kept(2), { what: 'a budget of two bots' })).toMatchObject({ disruptionsAllowed: 0 });
    const name = await podNameOf(first);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: cluster.namespace } };
    await expect(cluster.client.request('POST', `${pods()}/${name}/eviction`, eviction)).rejects.toThrow('429');
    await launcher.stop(first.name, { graceMs: 0 });
    expect(await waitFor(kept(1), { what: 'a budget of one bot' })).toMatchObject({ disruptionsAllowed: 0 });
  } finally {
    await launcher.close();
    await cluster.client.request('DELETE', `${budgets}/${metadata.name}`);
  }
});

test('a quota postpones a launch', async () => {
  const spec = { hard: { 'count/jobs.batch': '0' } };
  const quotas = `/api/v1/namespaces/${cluster.namespace}/resourcequotas`;
  await cluster.client.request('POST', quotas, { metadata: { name: 'none' }, spec });
  const launcher = cluster.open('stays');
  try {
    await launcher.observe();
    const refused = async () =>
      launcher.launch(newRun()).then(
        () => null,
        (error: Error) => error,
      );
    // The quota applies once its controller has processed it.
    const error = await waitFor(refused, { what: 'the quota to refuse' });
    expect(error.name).toBe('LaunchPostponed');
    expect(launcher.launchSlots()).toBe(0);
  } finally {
    await launcher.close();
    await cluster.client.request('DELETE', `${quotas}/none`);
  }
});

function exited(launcher: Launcher, run: LaunchSpec): Promise<ObservedRun> {
  const find = async () =>
    (await launcher.observe()).find(({ name, state }) => name === run.name && state === 'exited');
  // The control plane removes the pods of a lost node after up to 60 s.
  return waitFor(find, { what: `${run.name} to end`, timeoutMs: 150_000 });
}

function notReadyFor(seconds: number) {
  return ['not-ready', 'unreachable'].map((condition) => ({
    key: `node.kubernetes.io/${condition}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: seconds,
  }));
}

async function annotate(node: string | undefined, silent: string): Promise<void> {
  const annotations = { [fakeNodeAnnotations.silent]: silent };
  await cluster.client.request('PATCH', `/api/v1/nodes/${node}`, { metadata: { annotations } });
}
