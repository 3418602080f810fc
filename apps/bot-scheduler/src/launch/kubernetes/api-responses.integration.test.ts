import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { startFakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import type { FakeCluster } from '../../testing/fake-kubernetes/cluster.ts';
import { openTestLauncher } from '../../testing/fake-kubernetes/open-launcher.ts';
import { launchSpec } from '../../testing/launch-spec.ts';
import { LaunchPostponed } from '../launcher.ts';
import type { ObservedRun, StartObstacle } from '../launcher.ts';

let cluster: FakeCluster;
let launcher: ReturnType<typeof openTestLauncher>;

beforeEach(async () => {
  cluster = await startFakeCluster();
  launcher = openTestLauncher({ url: cluster.url });
  await launcher.observe();
});
afterEach(async () => {
  await launcher.close();
  await cluster.close();
});

const posts = () => cluster.requests.filter((call) => call === 'POST jobs').length;
const seen = (state: ObservedRun['state']) =>
  waitFor(async () => (await launcher.observe()).find((run) => run.state === state), { what: `a run to be ${state}` });

/** Responses in which the API server says that a request changed nothing, and what they mean for launches. */
const responses: readonly [status: number, cause: StartObstacle['cause'], message: string][] = [
  [400, 'api-refused', 'Job in version "v1" cannot be handled as a Job: strict decoding error: unknown field "spec.x"'],
  [401, 'api-refused', 'Unauthorized'],
  [403, 'api-refused', 'jobs.batch is forbidden: User "system:serviceaccount:x:y" cannot create resource "jobs"'],
  [
    403,
    'api-refused',
    'admission webhook "validation.gatekeeper.sh" denied the request: [no-jobs] Jobs are not allowed',
  ],
  [403, 'api-refused', 'unable to create new content in namespace bots because it is being terminated'],
  [403, 'quota-exceeded', 'jobs.batch "x" is forbidden: exceeded quota: bots, requested: count/jobs.batch=1, used: 5'],
  [404, 'api-refused', 'namespaces "bots" not found'],
  [410, 'api-unavailable', 'the server does not keep this version'],
  [413, 'api-refused', 'Request entity too large: limit is 3145728'],
  [
    422,
    'api-refused',
    "Job.batch is invalid: ValidatingAdmissionPolicy 'no-jobs' denied request: failed expression: false",
  ],
  [429, 'api-unavailable', 'too many requests'],
];

describe.each(responses)('a Job that is refused with %i (%s: %s)', (status, cause, message) => {
  test('is postponed with the words of the cluster; launches pause, and one is tried after each pause', async () => {
    cluster.lasting.set('POST jobs', { status, message });
    const refused = await launcher.launch(launchSpec).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LaunchPostponed);
    expect(refused).toMatchObject({ obstacle: { cause, message } });
    expect(launcher.refusal()).toEqual({ cause, message });
    expect(launcher.launchSlots()).toBe(0);
    expect(posts()).toBe(1);
    if (cause === 'api-refused') {
      const slots = await waitFor(() => launcher.launchSlots(), { what: 'the next launch to be allowed' });
      expect(slots).toBe(1);
      cluster.lasting.clear();
      await launcher.launch({ ...launchSpec, ticket: 'of the next launch' });
      await seen('running');
      expect(launcher.refusal()).toBeNull();
    }
  });
});

describe('a Job of which it is unknown whether it was created', () => {
  test.each([
    [408, 'request timeout'],
    [409, 'Operation cannot be fulfilled on resourcequotas "bots": the object has been modified'],
    [500, 'Internal error occurred: failed calling webhook "mutate.kyverno.svc": connection refused'],
    [502, 'bad gateway'],
    [503, 'apiserver is shutting down'],
    [504, 'request did not complete within the allotted timeout'],
  ])('%i is tried again where it was not, three times, then postponed', async (status, message) => {
    cluster.failNext('POST jobs', { status, message });
    await launcher.launch(launchSpec);
    expect(cluster.store.list('Job')).toHaveLength(1);
    cluster.lasting.set('POST jobs', { status, message });
    const refused = await launcher.launch({ ...launchSpec, name: 'bot-two-1' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'LaunchPostponed', obstacle: { cause: 'api-unavailable', message } });
    expect(posts()).toBe(2 + 3);
  });
});

describe.each([
  ['jobs', 401, 'Unauthorized', 'api-refused'],
  ['jobs', 403, 'jobs.batch is forbidden: User "x" cannot list resource "jobs"', 'api-refused'],
  ['jobs', 404, 'the server could not find the requested resource', 'api-refused'],
  ['pods', 403, 'pods is forbidden: User "x" cannot list resource "pods"', 'api-refused'],
  ['pods', 410, 'The provided continue parameter is too old', 'api-unavailable'],
  ['pods', 429, 'too many requests', 'api-unavailable'],
  ['jobs', 500, 'etcdserver: request timed out', 'api-unavailable'],
  ['pods', 503, 'apiserver is shutting down', 'api-unavailable'],
] as const)('a list of %s that is answered with %i', (what, status, message, cause) => {
  test('stops launches with this reason, and they go on soon after it', async () => {
    cluster.lasting.set(`GET ${what}`, { status, message });
    cluster.dropWatches();
    await waitFor(() => launcher.refusal() !== null, { what: 'a reason' });
    await waitFor(() => launcher.refusal()?.message === message, { what: 'the reason of the list' });
    expect(launcher.refusal()?.cause).toBe(cause);
    expect(launcher.launchSlots()).toBe(0);
    cluster.lasting.clear();
    await waitFor(() => launcher.launchSlots() > 0, { what: 'launches to be allowed', timeoutMs: 20_000 });
    expect(launcher.refusal()).toBeNull();
  });
});

test('an API server that is away is an obstacle, in the words of the connection', async () => {
  const port = Number(new URL(cluster.url).port);
  await cluster.close();
  await waitFor(() => launcher.refusal()?.cause === 'api-unavailable', { what: 'a reason' });
  await waitFor(() => launcher.refusal()?.message.includes('ECONNREFUSED') === true, { what: 'its words' });
  await cluster.start(port);
  await waitFor(() => launcher.launchSlots() > 0, { what: 'launches to be allowed', timeoutMs: 20_000 });
});

describe.each(['events'])('a list of %s that is refused', (what) => {
  test('stops no launch', async () => {
    cluster.lasting.set(`GET ${what}`, { status: 403, message: 'forbidden' });
    cluster.dropWatches();
    await waitFor(() => launcher.launchSlots() > 0, { what: 'launches to be allowed' });
    await launcher.launch(launchSpec);
    await seen('running');
    await waitFor(() => launcher.refusal() === null, { what: 'the dropped watches to be open again' });
  });
});

describe('a deletion', () => {
  const running = async (): Promise<void> => {
    await launcher.launch(launchSpec);
    await seen('running');
  };

  test.each([401, 403, 422, 429, 500, 503])(
    'that is answered with %i is an error, and succeeds later',
    async (status) => {
      await running();
      cluster.failNext('DELETE pods', { status, message: 'no, not now' });
      await expect(launcher.stop(launchSpec.name, { graceMs: 0 })).rejects.toThrow(
        status === 401 ? 'Unauthorized' : 'not now',
      );
      await launcher.stop(launchSpec.name, { graceMs: 0 });
      await seen('exited');
    },
  );

  test('of a pod that is gone is done', async () => {
    await running();
    cluster.failNext('DELETE pods', { status: 404, message: 'not found' });
    cluster.endPod(launchSpec.name, { exitCode: 0 });
    await launcher.stop(launchSpec.name, { graceMs: 0 });
  });
});
