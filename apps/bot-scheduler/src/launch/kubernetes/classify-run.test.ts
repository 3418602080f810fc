import { describe, expect, test } from '@jest/globals';
import type { V1Job, V1Pod } from '@kubernetes/client-node';
import { classifyRun } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';

const labels = { 'rapporteur.dev/bot': 'one', 'rapporteur.dev/attempt': '2' };
const job = (status: object = {}) => ({ metadata: { name: 'bot-one-2', labels }, status }) as V1Job;
const pod = (status: object, metadata: object = {}) =>
  ({ metadata: { name: 'bot-one-2-x', labels, ...metadata }, status }) as V1Pod;
const seenAtMs = Date.UTC(2026, 0, 1);
const failed = job({ conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] });
const overdue = job({ conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] });
const classify = (over: Partial<RunObjects>) =>
  classifyRun({
    job: job(),
    pod: null,
    podDeleted: false,
    refusal: null,
    stopped: false,
    nodeLeavesMs: null,
    seenAtMs,
    ...over,
  });
const ended = (exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error') => ({
  phase: exitCode === 0 ? 'Succeeded' : 'Failed',
  containerStatuses: [
    { name: 'bot-runner', state: { terminated: { exitCode, reason, finishedAt: '2026-01-01T12:00:00Z' } } },
  ],
});
const disrupted = (reason: string) => ({ conditions: [{ type: 'DisruptionTarget', status: 'True', reason }] });
const running = {
  phase: 'Running',
  containerStatuses: [{ name: 'bot-runner', state: { running: { startedAt: '2026-01-01T11:00:00Z' } } }],
};
const waiting = (reason: string) => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'bot-runner', state: { waiting: { reason, message: 'why' } } }],
});
const deleting = { deletionTimestamp: new Date(seenAtMs) };

describe('an end', () => {
  test.each<[string, Partial<RunObjects>, string]>([
    ['by itself', { pod: pod(ended(0)) }, 'completed'],
    ['with exit code 1', { pod: pod(ended(1)) }, 'error'],
    ['of the main process for memory', { pod: pod(ended(137, 'OOMKilled')) }, 'out-of-memory'],
    ['of a child for memory, with exit code 0', { pod: pod(ended(0, 'OOMKilled')) }, 'out-of-memory'],
    ['by SIGKILL', { pod: pod(ended(137)) }, 'killed'],
    ['by SIGTERM', { pod: pod(ended(143)) }, 'terminated'],
    ['after a deletion, with exit code 1', { pod: pod(ended(1), deleting) }, 'terminated'],
    ['by eviction, without a container status', { pod: pod({ phase: 'Failed', reason: 'Evicted' }) }, 'evicted'],
    ['at the deadline of the pod', { pod: pod({ ...ended(143), reason: 'DeadlineExceeded' }) }, 'deadline-exceeded'],
    [
      'at the deadline of the Job, pod deleted',
      { job: overdue, pod: pod(running), podDeleted: true },
      'deadline-exceeded',
    ],
    ['at the deadline of the Job, pod never seen', { job: overdue }, 'deadline-exceeded'],
    ['by preemption', { pod: pod({ ...ended(143), ...disrupted('PreemptionByScheduler') }) }, 'preempted'],
    [
      'by the eviction API',
      { pod: pod({ ...ended(1), ...disrupted('EvictionByEvictionAPI') }, deleting) },
      'terminated',
    ],
    ['by shutdown of the node', { pod: pod({ ...ended(143), reason: 'NodeShutdown' }) }, 'terminated'],
    [
      'of a pod whose node was removed',
      { pod: pod({ phase: 'Failed', ...disrupted('DeletionByPodGC') }) },
      'node-lost',
    ],
    [
      'of a pod deleted while its node is lost',
      { pod: pod({ ...running, reason: 'NodeLost' }), podDeleted: true },
      'node-lost',
    ],
    ['by a container that the kubelet lost', { pod: pod(ended(137, 'ContainerStatusUnknown')) }, 'node-lost'],
    ['before its program started', { pod: pod(ended(128, 'StartError')) }, 'start-failed'],
    ['of a pod that was deleted by force', { pod: pod(running), podDeleted: true }, 'killed'],
    ['of a Job whose pod was never seen', { job: failed }, 'killed'],
  ])('%s', (_what, objects, cause) => {
    const run = classify(objects);
    expect(run).toMatchObject({ name: 'bot-one-2', botId: 'one', attempt: 2, state: 'exited' });
    expect(run?.exit?.cause).toBe(cause);
  });

  test('has the exit code, the signal and the time of the container', () => {
    expect(classify({ pod: pod(ended(137)) })).toMatchObject({
      exit: { exitCode: null, signal: 'SIGKILL', outOfMemory: false },
      exitedAtMs: Date.UTC(2026, 0, 1, 12),
    });
    expect(classify({ pod: pod(ended(42)) })?.exit).toMatchObject({ exitCode: 42, signal: null });
  });

  test('without a time of its own has the time at which it was seen', () => {
    expect(classify({ pod: pod(running), podDeleted: true })?.exitedAtMs).toBe(seenAtMs);
  });
});

describe('a run that has not ended', () => {
  test('is pending until its container runs', () => {
    expect(classify({})).toMatchObject({ state: 'pending', exit: null });
    expect(classify({ pod: pod({ phase: 'Pending' }) })?.obstacle).toBeUndefined();
  });

  test.each([
    ['ErrImageNeverPull', 'image-pull-failed'],
    ['ImagePullBackOff', 'image-pull-failed'],
    ['CreateContainerError', 'start-failed'],
    ['ContainerCreating', undefined],
  ])('and waits with %s has the obstacle %s', (reason, cause) => {
    expect(classify({ pod: pod(waiting(reason)) })?.obstacle?.cause).toBe(cause);
  });

  test('runs on while its pod is only being deleted, also when its Job has failed', () => {
    expect(classify({ job: overdue, pod: pod(running, deleting) })?.state).toBe('running');
  });

  test('is unreachable when its node stopped reporting, and may still live', () => {
    const lost = classify({ pod: pod({ ...running, ...disrupted('DeletionByTaintManager') }, deleting) });
    expect(lost).toMatchObject({ state: 'running', unreachable: true, startedAtMs: Date.UTC(2026, 0, 1, 11) });
  });
});

describe('a pod with more than one container', () => {
  const proxy = { name: 'a-proxy', state: { running: { startedAt: '2026-01-01T11:00:00Z' } } };
  const bot = (state: object) => ({ name: 'bot-runner', state });
  const both = (state: object, phase = 'Running') => [
    pod({ phase, containerStatuses: [proxy, bot(state)] }),
    pod({ phase, containerStatuses: [bot(state), proxy] }),
    pod({ phase, containerStatuses: [bot(state)], initContainerStatuses: [proxy] }),
  ];
  const endOf = (exitCode: number, reason: string) => ({
    terminated: { exitCode, reason, finishedAt: '2026-01-01T12:00:00Z' },
  });

  test.each([
    [0, 'Completed', 'completed'],
    [137, 'OOMKilled', 'out-of-memory'],
    [7, 'Error', 'error'],
  ])('ends with exit code %s (%s) of the bot while the others run: %s', (exitCode, reason, cause) => {
    for (const sidecar of both(endOf(exitCode, reason)))
      expect(classify({ pod: sidecar })).toMatchObject({ state: 'exited', exit: { cause } });
  });

  test('keeps the obstacle of the bot, and has that of a container that is started before it', () => {
    const noImage = { waiting: { reason: 'ImagePullBackOff', message: 'why' } };
    for (const sidecar of both(noImage, 'Pending'))
      expect(classify({ pod: sidecar })?.obstacle).toEqual({
        cause: 'image-pull-failed',
        message: 'ImagePullBackOff: why',
      });
    const first = { ...proxy, state: noImage };
    const waits = bot({ waiting: { reason: 'PodInitializing' } });
    const blocked = pod({ phase: 'Pending', containerStatuses: [waits], initContainerStatuses: [first] });
    expect(classify({ pod: blocked })?.obstacle).toEqual({
      cause: 'image-pull-failed',
      message: 'container a-proxy: ImagePullBackOff: why',
    });
  });

  test('runs once the bot runs, though a sidecar cannot start', () => {
    const first = { ...proxy, state: { waiting: { reason: 'ImagePullBackOff' } } };
    const started = bot({ running: { startedAt: '2026-01-01T11:00:00Z' } });
    expect(classify({ pod: pod({ phase: 'Pending', containerStatuses: [first, started] }) })?.state).toBe('running');
  });
});

test.each([
  ['pods "x" is forbidden: exceeded quota: bots', 'quota-exceeded'],
  ['admission webhook "policy.example" denied the request', 'pod-refused'],
])('a Job whose pod is refused with %s has the obstacle %s', (refusal, cause) => {
  expect(classify({ refusal })).toMatchObject({ state: 'pending', obstacle: { cause, message: refusal } });
});

test('a pod has no node for lack of CPU where those with room are the ones that its Job avoids', () => {
  const values = ['bot-two-1'];
  const labelSelector = { matchExpressions: [{ key: 'batch.kubernetes.io/job-name', operator: 'In', values }] };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector }] };
  const spec = { template: { spec: { affinity: { podAntiAffinity } } } };
  const avoiding = { metadata: job().metadata, spec } as unknown as V1Job;
  const waitsFor = (message: string, of: V1Job) => {
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    return classify({ job: of, pod: pod({ phase: 'Pending', conditions: [condition] }) });
  };
  const excluded = "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match pod anti-affinity rules.";
  expect(waitsFor(excluded, avoiding)).toMatchObject({ obstacle: { cause: 'cpu-pressure' }, avoids: values });
  expect(waitsFor('0/2 nodes are available: 2 Insufficient cpu.', avoiding)?.obstacle?.cause).toBe('unschedulable');
  expect(waitsFor(excluded, job())).toMatchObject({ obstacle: { cause: 'unschedulable' } });
});

describe('a Job that a queue of the cluster suspends', () => {
  const queue = { 'kueue.x-k8s.io/queue-name': 'bots' };
  const suspendedWith = (status: object) =>
    ({
      metadata: { name: 'bot-one-2', labels: { ...labels, ...queue } },
      spec: { suspend: true },
      status,
    }) as unknown as V1Job;
  const suspended = suspendedWith({});
  const waits = {
    state: 'pending',
    obstacle: { cause: 'suspended', message: 'The queue bots has not admitted the Job.' },
  };

  test('waits, without a pod and with one that has not started', () => {
    expect(classify({ job: suspended })).toMatchObject(waits);
    for (const podDeleted of [false, true])
      expect(classify({ job: suspended, pod: pod({ phase: 'Pending' }, deleting), podDeleted })).toMatchObject(waits);
  });

  test('has waited since its admission for nothing but its pod', () => {
    const lastTransitionTime = '2026-01-01T10:00:00Z';
    const resumed = job({ conditions: [{ type: 'Suspended', status: 'False', lastTransitionTime }] });
    expect(classify({ job: resumed })).toMatchObject({
      state: 'pending',
      admittedAtMs: Date.parse(lastTransitionTime),
    });
    expect(classify({})).not.toHaveProperty('admittedAtMs');
  });

  test('is displaced once it was started, until it ends', () => {
    const jobless = pod(running, { ...deleting, labels: { ...labels, 'batch.kubernetes.io/job-name': 'bot-one-2' } });
    expect(classify({ job: null, stopped: true, pod: jobless })).toMatchObject({ displaced: true });
    expect(classify({ job: suspended, stopped: true, pod: pod(ended(143), deleting) })).toMatchObject({
      state: 'exited',
      exit: { cause: 'terminated' },
    });
  });

  test('has ended when its controller says so', () => {
    expect(classify({ job: suspendedWith({ conditions: overdue.status?.conditions }) })?.state).toBe('exited');
  });
});

test('a Job without our labels is ignored', () => {
  expect(classify({ job: { metadata: { name: 'migrate', labels: {} } } as V1Job })).toBe(null);
});
