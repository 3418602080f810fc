import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { newRun, openRealCluster } from '../../testing/real-cluster.ts';
import type { RealCluster } from '../../testing/real-cluster.ts';
import type { ObservedRun } from '../launcher.ts';
import type { createKubernetesLauncher } from './kubernetes-launcher.ts';

let cluster: RealCluster;
let launcher: ReturnType<typeof createKubernetesLauncher>;

beforeAll(async () => {
  cluster = await openRealCluster();
});
afterAll(() => cluster.remove());
beforeEach(() => {
  launcher = cluster.open('stays');
});
afterEach(() => launcher.close());

const place = () => `/api/v1/namespaces/${cluster.namespace}`;
const obstacleOf = (name: string): Promise<NonNullable<ObservedRun['obstacle']>> =>
  waitFor(async () => (await launcher.observe()).find((run) => run.name === name)?.obstacle, { what: 'an obstacle' });
const jobs = async (): Promise<number> => {
  const path = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`;
  return (await cluster.client.request<{ items: unknown[] }>('GET', path)).items.length;
};

test('a quota on pods lets few Jobs through, and bots start within 5 s once it has room', async () => {
  const spec = { hard: { pods: '5' } };
  const used = async () =>
    (await cluster.client.request<{ status: { hard?: object } }>('GET', `${place()}/resourcequotas/five`)).status.hard;
  await cluster.client.request('POST', `${place()}/resourcequotas`, { metadata: { name: 'five' }, spec });
  await waitFor(used, { what: 'the quota to count' });
  await launcher.observe();
  const waiting = Array.from({ length: 60 }, () => newRun());
  let mostJobs = 0;
  /** One round of the reconciler: refused runs wait again, and as many are launched as the launcher allows. */
  const round = async (): Promise<ObservedRun[]> => {
    for (const { name, botId, obstacle } of await launcher.observe())
      if (obstacle !== undefined && (await launcher.withdraw(name))) waiting.unshift(newRun({ name, botId }));
    for (const run of waiting.splice(0, launcher.launchSlots())) await launcher.launch(run);
    mostJobs = Math.max(mostJobs, await jobs());
    return (await launcher.observe()).filter(({ state }) => state === 'running');
  };
  const refused = async () => (await round()).length === 5 && launcher.refusal()?.cause === 'quota-exceeded';
  await waitFor(refused, { what: 'five bots to run' });
  expect(launcher.refusal()?.message).toContain('exceeded quota: five');
  for (let rounds = 0; rounds < 5; rounds += 1) await round();
  expect(mostJobs).toBeLessThanOrEqual(30);
  await cluster.client.request('PATCH', `${place()}/resourcequotas/five`, { spec: { hard: { pods: '60' } } });
  const changedAtMs = performance.now();
  await waitFor(async () => (await round()).length === 60, { what: 'all bots to run' });
  process.stdout.write(
    `all 60 bots run ${Math.round(performance.now() - changedAtMs)} ms after the quota was raised\n`,
  );
  expect(launcher.refusal()).toBeNull();
  for (const { name } of await launcher.observe()) await launcher.stop(name, { graceMs: 0 });
  await cluster.client.request('DELETE', `${place()}/resourcequotas/five`);
}, 180_000);

describe('a bot whose pod is refused', () => {
  test('by a LimitRange states it, and so does the launcher', async () => {
    const limits = [{ type: 'Container', max: { cpu: '50m' } }];
    await cluster.client.request('POST', `${place()}/limitranges`, { metadata: { name: 'small' }, spec: { limits } });
    await launcher.observe();
    const run = newRun();
    await launcher.launch(run);
    const obstacle = await obstacleOf(run.name);
    await cluster.client.request('DELETE', `${place()}/limitranges/small`);
    expect(obstacle).toMatchObject({ cause: 'pod-refused', message: expect.stringContaining('50m') });
    expect(launcher.refusal()?.cause).toBe('pod-refused');
    expect(await waitFor(() => launcher.withdraw(run.name), { what: 'the run to be withdrawn' })).toBe(true);
  });

  test('by an admission webhook states that', async () => {
    const hook = {
      metadata: { name: `deny-${cluster.namespace}` },
      webhooks: [
        {
          name: 'deny.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/deny' },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': cluster.namespace } },
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    };
    const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await cluster.client.request('POST', hooks, hook);
    try {
      await launcher.observe();
      const run = newRun();
      await launcher.launch(run);
      expect(await obstacleOf(run.name)).toMatchObject({
        cause: 'pod-refused',
        message: expect.stringContaining('deny.example.com'),
      });
      expect(await waitFor(() => launcher.withdraw(run.name), { what: 'the run to be withdrawn' })).toBe(true);
    } finally {
      await cluster.client.request('DELETE', `${hooks}/${hook.metadata.name}`);
    }
  });
});

test('a policy that refuses Jobs is stated in its words, and allows no further launch meanwhile', async () => {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const metadata = { name: `no-jobs-${cluster.namespace}` };
  const rule = { operations: ['CREATE'], apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'] };
  await cluster.client.request('POST', policies, {
    metadata,
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'false', message: 'no bots today' }],
    },
  });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': cluster.namespace } };
  await cluster.client.request('POST', `${policies.replace(/policies$/, 'policybindings')}`, {
    metadata,
    spec: { policyName: metadata.name, validationActions: ['Deny'], matchResources: { namespaceSelector } },
  });
  await launcher.observe();
  const refusal = () =>
    launcher.launch(newRun()).then(
      () => null,
      (error: unknown) => error,
    );
  try {
    // The policy applies once the API server has compiled it.
    expect(await waitFor(refusal, { what: 'the policy to refuse' })).toMatchObject({
      name: 'LaunchPostponed',
      obstacle: { cause: 'api-refused', message: expect.stringContaining('no bots today') },
    });
    expect(launcher.refusal()?.cause).toBe('api-refused');
    expect(launcher.launchSlots()).toBe(0);
  } finally {
    await cluster.client.request('DELETE', `${policies.replace(/policies$/, 'policybindings')}/${metadata.name}`);
    await cluster.client.request('DELETE', `${policies}/${metadata.name}`);
  }
  await waitFor(async () => (await refusal()) === null, { what: 'a launch to be accepted', timeoutMs: 60_000 });
});

test('a bot with a sidecar that runs on ends with its own container, and its Job is finished', async () => {
  await launcher.close();
  launcher = cluster.open('exits-with-0', { sidecar: 'proxy' });
  await launcher.observe();
  const run = newRun();
  await launcher.launch(run);
  const find = async () =>
    (await launcher.observe()).find(({ name, state }) => name === run.name && state === 'exited');
  expect((await waitFor(find, { what: 'the end' })).exit?.cause).toBe('completed');
  expect((await cluster.podOf(run.name))?.status?.phase).toBe('Running');
  await launcher.forget(run.name);
  const job = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/${run.name}`;
  const finished = async () =>
    (await cluster.client.request<{ status: { conditions?: { type: string }[] } }>('GET', job)).status.conditions?.find(
      ({ type }) => type === 'Complete' || type === 'Failed',
    );
  expect(await waitFor(finished, { what: 'the Job to be finished' })).toBeDefined();
});
