import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { startFakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import type { FakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import { openTestLauncher } from '../../testing/fake-kubernetes/open-launcher.ts';
import { launchSpec } from '../../testing/launch-spec.ts';
import { describeLauncher } from '../../testing/launcher-conformance.ts';
import { LaunchPostponed } from '../launcher.ts';
import type { ObservedRun } from '../launcher.ts';
import type { createKubernetesLauncher } from './kubernetes-launcher.ts';

type Launcher = ReturnType<typeof createKubernetesLauncher>;

let cluster: FakeCluster;

async function isRunning(run: string): Promise<boolean> {
  return cluster.podOf(run)?.status['phase'] === 'Running';
}

describeLauncher('Kubernetes', async () => {
  cluster = await startFakeCluster();
  return {
    open: (behaviour) => {
      cluster.behaviour = behaviour;
      return openTestLauncher({ url: cluster.url });
    },
    killFromOutside: async (run) => cluster.endPod(run, { exitCode: 137, reason: 'Error' }),
    anythingLeft: isRunning,
    begun: async (run) => void (await waitFor(() => isRunning(run), { what: 'the pod to run' })),
    close: () => cluster.close(),
  };
});

describe('against an API server that misbehaves', () => {
  let launcher: Launcher;
  beforeEach(async () => {
    cluster = await startFakeCluster();
    launcher = openTestLauncher({ url: cluster.url });
    await launcher.observe();
    const watches = () => cluster.requests.filter((call) => call.endsWith('?watch'));
    await waitFor(() => watches().length >= 3, { what: 'the watches to be open' });
  });
  afterEach(async () => {
    await launcher.close();
    await cluster.close();
  });
  const numbered = (number: number) => ({ ...launchSpec, name: `bot-${number}-1`, botId: `${number}` });
  const launchMany = (launches: number): Promise<unknown> =>
    Promise.all(Array.from({ length: launches }, (_, number) => launcher.launch(numbered(number))));
  const seen = (state: ObservedRun['state'], name = launchSpec.name): Promise<ObservedRun> =>
    waitFor(async () => (await launcher.observe()).find((run) => run.name === name && run.state === state), {
      what: `${name} to be ${state}`,
    });

  test('a launch whose response is lost after the Job was created is a launch', async () => {
    cluster.failNext('POST jobs', { commit: true });
    await launcher.launch(launchSpec);
    expect(cluster.store.list('Job')).toHaveLength(1);
    expect(cluster.requests.filter((call) => call === 'POST jobs')).toHaveLength(1);
    await seen('running');
  });

  test('a Job of the same name that another launch created is refused', async () => {
    await launcher.launch({ ...launchSpec, ticket: 'the ticket of another launch' });
    await expect(launcher.launch(launchSpec)).rejects.toThrow('bot-one-1 is there already');
  });

  test('a launch whose Job may exist delays the next', async () => {
    cluster.failNext('POST jobs', { commit: true });
    cluster.failNext('GET jobs', { status: 503, message: 'unavailable' });
    await launcher.launch(launchSpec);
    expect(launcher.launchSlots()).toBe(0);
    await seen('running');
    await waitFor(() => launcher.launchSlots() > 0, { what: 'launches to be allowed' });
  });

  test('nothing is launched while Jobs cannot be listed', async () => {
    cluster.failNext('GET jobs', ...Array.from({ length: 3 }, () => ({ status: 503, message: 'unavailable' })));
    cluster.dropWatches();
    await waitFor(() => launcher.launchSlots() === 0, { what: 'launches to be held back' });
    await waitFor(() => launcher.launchSlots() > 0, { what: 'launches to be allowed' });
  });

  test('a server error before anything was created is tried again', async () => {
    cluster.failNext('POST jobs', { status: 500, message: 'etcdserver: leader changed' });
    await launcher.launch(launchSpec);
    expect(cluster.store.list('Job')).toHaveLength(1);
  });

  test('a rate limit postpones the launch and holds back the next for as long as the server says', async () => {
    cluster.failNext('POST jobs', { status: 429, message: 'too many requests', retryAfterSeconds: 20 });
    await expect(launcher.launch(launchSpec)).rejects.toThrow(LaunchPostponed);
    expect(launcher.launchSlots()).toBe(0);
    expect(launcher.pace().perSecond).toBeLessThan(100);
    expect(cluster.requests.filter((call) => call === 'POST jobs')).toHaveLength(1);
  });

  test('slow creates lower the pace that lead times are computed from, and stop no launch', async () => {
    cluster.createMs = 100;
    const before = launcher.pace().perSecond;
    await launchMany(30);
    // Ten per second, seen for three seconds: two or three measurements of at least ten launches.
    expect(launcher.pace().perSecond).toBeLessThan(before - 2.5);
    await waitFor(() => launcher.launchSlots() >= 50, { what: 'launches to be allowed' });
  });

  test('requests share connections', async () => {
    await launcher.launch(launchSpec);
    const before = cluster.connections;
    for (let number = 0; number < 20; number += 1) await launcher.launch(numbered(number));
    expect(cluster.connections - before).toBeLessThan(10);
  });

  test('what happened while a watch was lost is seen, also when its history is gone', async () => {
    await launcher.launch(launchSpec);
    await seen('running');
    cluster.failNext('GET pods?watch', { status: 503, message: 'unavailable' });
    cluster.dropWatches();
    cluster.store.compact();
    cluster.endPod(launchSpec.name, { exitCode: 1, reason: 'Error' });
    cluster.store.remove('Pod', `${launchSpec.name}-abcde`);
    expect((await seen('exited')).exit?.cause).toBe('killed');
  });

  test('a 410 in the middle of a watch starts from a new list', async () => {
    await launcher.launch(launchSpec);
    await seen('running');
    const lists = () => cluster.requests.filter((call) => call === 'GET pods').length;
    const before = lists();
    cluster.expireWatches();
    await waitFor(() => lists() > before, { what: 'a new list' });
    cluster.endPod(launchSpec.name, { exitCode: 3, reason: 'Error' });
    expect((await seen('exited')).exit).toMatchObject({ exitCode: 3, cause: 'error' });
  });

  test('a pod that is taken from its node is displaced, and that is reported at once', async () => {
    await launcher.launch(launchSpec);
    expect((await seen('running')).displaced).toBeUndefined();
    let notified = 0;
    launcher.onChange(() => (notified += 1));
    const pod = cluster.podOf(launchSpec.name);
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }];
    if (pod !== undefined) cluster.store.put({ ...pod, status: { ...pod.status, conditions } });
    await waitFor(async () => (await seen('running')).displaced === true, { what: 'the run to be displaced' });
    expect(notified).toBe(1);
  });

  test('a watch that sends nothing more is replaced soon after its time', async () => {
    await launcher.close();
    launcher = openTestLauncher({ url: cluster.url, watchSeconds: 1 });
    await launcher.observe();
    await launcher.launch(launchSpec);
    await seen('running');
    cluster.stallWatches();
    cluster.endPod(launchSpec.name, { exitCode: 137, reason: 'OOMKilled' });
    expect((await seen('exited')).exit).toMatchObject({ outOfMemory: true, cause: 'out-of-memory' });
  });

  test('a list is read page by page', async () => {
    await launcher.close();
    for (let number = 1; number <= 3; number += 1) cluster.store.put(jobOf(number));
    launcher = openTestLauncher({ url: cluster.url, pageSize: 2 });
    expect(new Set((await launcher.observe()).map(({ attempt }) => attempt))).toEqual(new Set([1, 2, 3]));
  });

  test('a launch avoids the late runs of this cluster, and the run states which', async () => {
    await launcher.launch(launchSpec);
    await seen('running');
    launcher.setLateRuns([launchSpec.name, 'bot-of-another-cluster-1']);
    cluster.behaviour = null;
    await launcher.launch(numbered(2));
    expect((await seen('pending', 'bot-2-1')).avoids).toEqual([launchSpec.name]);
    launcher.setLateRuns([]);
    await launcher.launch(numbered(3));
    expect(await seen('pending', 'bot-3-1')).not.toHaveProperty('avoids');
  });

  test('runs without a place in the cluster hold back further launches', async () => {
    await launcher.close();
    cluster.behaviour = null;
    launcher = openTestLauncher({ url: cluster.url, mostUnschedulable: 1 });
    await launcher.observe();
    await launcher.launch(launchSpec);
    expect((await seen('pending')).obstacle).toBeUndefined();
    expect(launcher.launchSlots()).toBeGreaterThan(0);
    const pod = await waitFor(() => cluster.podOf(launchSpec.name), { what: 'the pod' });
    const message = '0/3 nodes are available: 3 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    cluster.store.put({ ...pod, status: { phase: 'Pending', conditions } });
    await waitFor(() => launcher.launchSlots() === 0, { what: 'launches to be held back' });
    expect((await seen('pending')).obstacle).toEqual({ cause: 'unschedulable', message });
  });
});

describe('pods that the API server refuses', () => {
  const quota = 'exceeded quota: bots, requested: pods=1, used: pods=5, limited: pods=5';
  let launcher: Launcher;
  beforeEach(async () => {
    cluster = await startFakeCluster();
    launcher = openTestLauncher({ url: cluster.url });
    await launcher.observe();
  });
  afterEach(async () => {
    await launcher.close();
    await cluster.close();
  });
  const numbered = (number: number) => ({ ...launchSpec, name: `bot-${number}-1`, botId: `${number}` });
  const obstacleOf = (name: string) =>
    waitFor(async () => (await launcher.observe()).find((run) => run.name === name)?.obstacle, { what: 'an obstacle' });

  test('keep further launches back, and are withdrawn so that they can be launched again by the same name', async () => {
    cluster.refusesPods = quota;
    let notified = 0;
    launcher.onChange(() => (notified += 1));
    await launcher.launch(launchSpec);
    expect(await obstacleOf(launchSpec.name)).toMatchObject({
      cause: 'quota-exceeded',
      message: expect.stringContaining(quota),
    });
    expect(launcher.launchSlots()).toBe(0);
    expect(launcher.refusal()?.cause).toBe('quota-exceeded');
    expect(notified).toBe(1);
    expect(await launcher.withdraw(launchSpec.name)).toBe(true);
    expect(await launcher.observe()).toEqual([]);
    cluster.refusesPods = null;
    await launcher.launch({ ...launchSpec, ticket: 'of the next launch' });
    await waitFor(async () => (await launcher.observe())[0]?.state === 'running', { what: 'the run' });
    expect(launcher.refusal()).toBeNull();
    expect(notified).toBe(2);
  });

  test('are distinguished from those of a quota when another rule refuses them', async () => {
    cluster.refusesPods = 'admission webhook "policy.example" denied the request: no bots here';
    await launcher.launch(launchSpec);
    expect((await obstacleOf(launchSpec.name))?.cause).toBe('pod-refused');
  });

  test('are not withdrawn once their Job has changed: its pod may have been created', async () => {
    cluster.refusesPods = quota;
    await launcher.launch(launchSpec);
    await obstacleOf(launchSpec.name);
    cluster.stallWatches();
    const job = cluster.store.find('Job', launchSpec.name);
    if (job !== undefined) cluster.store.put({ ...job, status: { active: 1 } });
    expect(await launcher.withdraw(launchSpec.name)).toBe(false);
    expect(cluster.store.list('Job')).toHaveLength(1);
  });

  test('are few, however many bots wait: Jobs without a pod are limited', async () => {
    cluster.refusesPods = quota;
    for (let number = 0; number < 60 && launcher.launchSlots() > 0; number += 1)
      await launcher.launch(numbered(number));
    expect(cluster.store.list('Job').length).toBeLessThanOrEqual(20);
  });
});

describe('a node that is leaving', () => {
  let launcher: Launcher;
  beforeEach(async () => {
    cluster = await startFakeCluster();
    launcher = openTestLauncher({ url: cluster.url, leaveNodes: 'cordoned' });
  });
  afterEach(async () => {
    await launcher.close();
    await cluster.close();
  });
  const cordon = (unschedulable: boolean) =>
    cluster.store.put({ kind: 'Node', metadata: { name: 'node-1' }, spec: { unschedulable }, status: {} });
  const running = (name: string) =>
    waitFor(async () => (await launcher.observe()).find((run) => run.name === name && run.state === 'running'), {
      what: `${name} to run`,
    });
  const next = { ...launchSpec, name: 'bot-one-2', attempt: 2 };

  test('displaces its runs at once, and not those that were placed on it later', async () => {
    cordon(false);
    await launcher.launch(launchSpec);
    expect((await running(launchSpec.name)).displaced).toBeUndefined();
    let notified = 0;
    launcher.onChange(() => (notified += 1));
    cordon(true);
    await waitFor(async () => (await running(launchSpec.name)).displaced === true, { what: 'the run to be displaced' });
    expect(notified).toBe(1);
    await launcher.launch(next);
    expect((await running(next.name)).displaced).toBeUndefined();
    cordon(false);
    await waitFor(async () => (await running(launchSpec.name)).displaced === undefined, { what: 'the run to stay' });
  });

  test('displaces nothing without the right to read nodes, and launches go on', async () => {
    const forbidden = { status: 403, message: 'nodes is forbidden: User cannot list resource' };
    cluster.failNext('GET nodes', ...Array.from({ length: 100 }, () => forbidden));
    cordon(true);
    await launcher.launch(launchSpec);
    expect((await running(launchSpec.name)).displaced).toBeUndefined();
    expect(launcher.launchSlots()).toBeGreaterThan(0);
  });
});

describe('a pod with a sidecar', () => {
  const sidecar = { name: 'istio-proxy', state: { running: { startedAt: new Date().toISOString() } } };

  test('ends with the bot, and its sidecar is ended when the run is forgotten, so that its Job completes', async () => {
    cluster = await startFakeCluster();
    const launcher = openTestLauncher({ url: cluster.url });
    try {
      await launcher.observe();
      await launcher.launch(launchSpec);
      const running = await waitFor(
        () =>
          cluster.podOf(launchSpec.name)?.status['phase'] === 'Running' ? cluster.podOf(launchSpec.name) : undefined,
        { what: 'the pod' },
      );
      const bot = { name: 'bot-runner', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } };
      cluster.store.put({ ...running, status: { phase: 'Running', containerStatuses: [sidecar, bot] } });
      const ended = await waitFor(async () => (await launcher.observe()).find(({ state }) => state === 'exited'), {
        what: 'the end',
      });
      expect(ended.exit?.cause).toBe('out-of-memory');
      await launcher.forget(launchSpec.name);
      await waitFor(() => cluster.podOf(launchSpec.name) === undefined, { what: 'the pod to be removed' });
      expect(cluster.store.find('Job', launchSpec.name)?.status['conditions']).toMatchObject([{ status: 'True' }]);
    } finally {
      await launcher.close();
      await cluster.close();
    }
  });
});

function jobOf(attempt: number) {
  const spec = { template: { metadata: { labels: {} }, spec: {} } };
  const labels = { 'rapporteur.dev/bot': 'one', 'rapporteur.dev/attempt': String(attempt) };
  return { kind: 'Job' as const, metadata: { name: `bot-one-${attempt}`, labels }, spec, status: {} };
}
