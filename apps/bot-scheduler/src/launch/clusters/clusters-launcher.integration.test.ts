import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { freePort, waitFor } from '@rapporteur/testbed';
import { startFakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import type { FakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import { openTestLauncher } from '../../testing/fake-kubernetes/open-launcher.ts';
import { launchSpec } from '../../testing/launch-spec.ts';
import { describeLauncher } from '../../testing/launcher-conformance.ts';
import { LaunchPostponed } from '../launcher.ts';
import type { BotLauncher, ObservedRun } from '../launcher.ts';
import { createClustersLauncher } from './clusters-launcher.ts';
import type { Cluster, ClustersLauncherOptions } from './clusters-launcher.ts';

let one: FakeCluster;
let two: FakeCluster;

type Over = Partial<Omit<Cluster, 'launcher'> & { url: string }>;

function open(overs: readonly [Over, Over] = [{}, {}], more: Partial<ClustersLauncherOptions> = {}): BotLauncher {
  const clusters = [one, two].map(({ url }, index) => ({
    name: ['one', 'two'][index]!,
    weight: 1,
    drain: false,
    ...overs[index],
    launcher: openTestLauncher({ url: overs[index]?.url ?? url }),
  }));
  return createClustersLauncher({ clusters, clock: systemClock, logger: createLogger('test', 'silent'), ...more });
}

const holderOf = (run: string): FakeCluster | undefined => [one, two].find((each) => each.store.find('Job', run));
const isRunning = (run: string): boolean => [one, two].some((each) => each.podOf(run)?.status['phase'] === 'Running');

describeLauncher('clusters', async () => {
  [one, two] = [await startFakeCluster(), await startFakeCluster()];
  return {
    open: (behaviour) => {
      for (const each of [one, two]) each.behaviour = behaviour;
      return open();
    },
    killFromOutside: async (run) => holderOf(run)?.endPod(run, { exitCode: 137, reason: 'Error' }),
    anythingLeft: async (run) => isRunning(run),
    begun: async (run) => void (await waitFor(() => isRunning(run), { what: 'the pod to run' })),
    close: async () => void (await Promise.all([one.close(), two.close()])),
  };
});

describe('over two clusters', () => {
  let launcher: BotLauncher;
  const opened: BotLauncher[] = [];
  const start = async (...given: Parameters<typeof open>): Promise<void> => {
    launcher = open(...given);
    opened.push(launcher);
    await waitFor(() => launcher.observe(), { what: 'the first lists' });
  };
  beforeEach(async () => {
    [one, two] = [await startFakeCluster(), await startFakeCluster()];
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await Promise.all([one.close(), two.close()]);
  });
  let number = 0;
  const launch = async (): Promise<string> => {
    number += 1;
    const name = `bot-${number}-1`;
    launcher.launchSlots();
    await launcher.launch({ ...launchSpec, name, botId: `${number}` });
    return name;
  };
  const jobs = () => [one, two].map(({ store }) => store.list('Job').length);
  const shown = (name: string, what: Partial<ObservedRun>): Promise<ObservedRun> =>
    waitFor(
      async () =>
        (await launcher.observe()).find(
          (run) =>
            run.name === name && Object.entries(what).every(([key, value]) => run[key as keyof ObservedRun] === value),
        ),
      { what: `${name} to be ${JSON.stringify(what)}` },
    );
  const clusterCalled = (name: string) => launcher.clusters?.().find((each) => each.name === name);
  const reachable = (name: string, expected: boolean) =>
    waitFor(() => clusterCalled(name)?.reachable === expected, { what: `${name} to be reachable: ${expected}` });

  test('runs are distributed by weight, whatever was launched before a restart', async () => {
    await start([{ weight: 3 }, {}]);
    for (let run = 0; run < 4; run += 1) await launch();
    await start([{ weight: 3 }, {}]);
    for (let run = 0; run < 4; run += 1) await launch();
    expect(jobs()).toEqual([6, 2]);
    await launcher.observe();
    expect(launcher.clusters?.()).toMatchObject([
      { name: 'one', weight: 3, drain: false, reachable: true, runs: 6, refusal: null },
      { name: 'two', weight: 1, runs: 2 },
    ]);
    expect(launcher.pace().perSecond).toBe(40);
  });

  test.each([
    ['its API refuses Jobs', { status: 403, message: 'forbidden' }],
    ['its API limits the rate', { status: 429, message: 'too many requests' }],
  ])('where %s, the other cluster takes the same launch', async (_why, fault) => {
    await start();
    one.failNext('POST jobs', fault);
    await launch();
    expect(jobs()).toEqual([0, 1]);
  });

  test('a launch that no cluster takes is postponed, and is an obstacle once none is left', async () => {
    await start();
    one.failNext('POST jobs', { status: 403, message: 'forbidden' });
    two.failNext('POST jobs', { status: 429, message: 'too many requests' });
    await expect(launch()).rejects.toThrow(LaunchPostponed);
    expect(launcher.refusal()).toEqual({ cause: 'api-refused', message: 'forbidden' });
    expect(clusterCalled('two')?.refusal).toEqual({ cause: 'api-unavailable', message: 'too many requests' });
  });

  test('clusters of which none responds are an obstacle', async () => {
    await start();
    await Promise.all([one.close(), two.close()]);
    await waitFor(() => launcher.refusal()?.cause === 'api-unavailable', { what: 'the obstacle' });
    expect(clusterCalled('two')?.refusal?.cause).toBe('api-unavailable');
    await Promise.all([one.start(), two.start()]);
  });

  test('a cluster that refuses pods gets no more while another has room, and is no obstacle to starts', async () => {
    one.refusesPods = 'exceeded quota: bots, requested: pods=1, used: pods=5, limited: pods=5';
    await start();
    const refused = await launch();
    await waitFor(() => clusterCalled('one')?.refusal?.cause === 'quota-exceeded', { what: 'the refusal' });
    expect(launcher.refusal()).toBeNull();
    await shown(refused, { state: 'pending' });
    for (let run = 0; run < 3; run += 1) await launch();
    expect(jobs()).toEqual([1, 3]);
    expect(await launcher.withdraw(refused)).toBe(true);
    expect(jobs()).toEqual([0, 3]);
  });

  test('a cluster that does not respond to a launch gets no other until it does', async () => {
    await start([{ weight: 100 }, {}], { responseMs: 200 });
    const gate = Promise.withResolvers<void>();
    one.held = gate.promise;
    const overdue = await launch();
    await launch();
    await waitFor(() => two.store.list('Job').length === 1, { what: 'the second launch' });
    expect(jobs()).toEqual([0, 1]);
    gate.resolve();
    await shown(overdue, { state: 'running' });
    await waitFor(() => launcher.launchSlots() > 30, { what: 'both clusters to have room' });
  });

  test('runs of an unreachable cluster are unreachable, not ended; new ones go to the other; both are found when it returns', async () => {
    await start([{ weight: 100 }, {}], { lostAfterMs: 0 });
    const name = await launch();
    await shown(name, { state: 'running' });
    one.behaviour = null;
    const pending = await launch();
    await shown(pending, { state: 'pending' });
    const port = Number(new URL(one.url).port);
    await one.close();
    await reachable('one', false);
    await shown(name, { state: 'running', unreachable: true });
    await shown(pending, { state: 'pending', unreachable: true, elsewhere: true });
    await launch();
    expect(jobs()).toEqual([2, 1]);
    expect(launcher.launchSlots()).toBeGreaterThan(0);
    await expect(launcher.stop(name, { graceMs: 0 })).rejects.toThrow('The cluster one is unreachable');
    expect(await launcher.withdraw(pending)).toBe(false);
    expect(await launcher.evidence(name)).not.toBeNull();
    one.behaviour = 'stays';
    await one.start(port);
    await reachable('one', true);
    expect(await shown(name, { state: 'running' })).not.toHaveProperty('unreachable');
    await launcher.stop(name, { graceMs: 0 });
    await shown(name, { state: 'exited' });
  });

  test('a cluster that is unreachable at the start stops no other', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await start([{ url }, {}], { firstListsMs: 300 });
    await launch();
    expect(jobs()).toEqual([0, 1]);
    expect(clusterCalled('one')).toMatchObject({ reachable: false, runs: 0 });
  });

  test('a run that one cluster has no node for is wanted elsewhere while another takes runs', async () => {
    await start([{ weight: 100 }, {}]);
    one.behaviour = null;
    const name = await launch();
    await waitFor(() => one.podOf(name) !== undefined, { what: 'the pod' });
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' };
    one.store.put({ ...one.podOf(name)!, status: { phase: 'Pending', conditions: [condition] } });
    await shown(name, { state: 'pending', elsewhere: true });
    await launch();
    expect(jobs()).toEqual([1, 1]);
  });

  test('a drained cluster gets no run, and its runs are displaced', async () => {
    await start();
    const name = await launch();
    await shown(name, { state: 'running' });
    await start([{ drain: true }, {}]);
    await shown(name, { state: 'running', displaced: true });
    expect(launcher.pace().perSecond).toBe(20);
    for (let run = 0; run < 3; run += 1) await launch();
    expect(jobs()).toEqual([1, 3]);
  });
});
