import { beforeEach, expect, test } from '@jest/globals';
import type { V1Job, V1Pod } from '@kubernetes/client-node';
import { RunCache } from './run-cache.ts';

const labels = { 'rapporteur.dev/bot': 'one', 'rapporteur.dev/attempt': '1' };
const job = (suspend: boolean) =>
  ({ metadata: { name: 'bot-one-1', uid: 'a', labels }, spec: { suspend } }) as unknown as V1Job;
const pod = (name: string, { runs = false, isDeleted = false } = {}) =>
  ({
    metadata: {
      name,
      labels: { ...labels, 'batch.kubernetes.io/job-name': 'bot-one-1' },
      ...(isDeleted ? { deletionTimestamp: new Date(0) } : {}),
    },
    status: {
      containerStatuses: [{ name: 'bot-runner', state: runs ? { running: { startedAt: new Date(0) } } : {} }],
    },
  }) as unknown as V1Pod;

let stopped: string[] = [];
let ended: string[] = [];
let cache: RunCache;
const state = () => cache.find('bot-one-1')?.run.state;

beforeEach(() => {
  stopped = [];
  ended = [];
  cache = new RunCache({
    now: () => 0,
    onEnded: ({ name }) => void ended.push(name),
    onStarted: () => undefined,
    onObstacle: () => undefined,
    onDisplaced: () => undefined,
    onStopped: (name) => void stopped.push(name),
    onPod: () => undefined,
  });
  cache.putJob(job(true), false);
});

test('a Job that its queue holds is not one whose pod the cluster may refuse', () => {
  expect(cache.withoutPod()).toBe(0);
  cache.putJob(job(false), false);
  expect(cache.withoutPod()).toBe(1);
});

test('a run whose queue takes its admission back before it started waits again, and runs in its next pod', () => {
  cache.putJob(job(false), false);
  cache.putPod(pod('first'), false);
  cache.putJob(job(true), false);
  cache.putPod(pod('first', { isDeleted: true }), true);
  expect(state()).toBe('pending');
  cache.putJob(job(false), false);
  cache.putPod(pod('second', { runs: true }), false);
  cache.putPod(pod('first', { isDeleted: true }), true);
  expect(state()).toBe('running');
  expect({ stopped, ended }).toEqual({ stopped: [], ended: [] });
});

test('a run whose queue stops it is displaced to its end, also after its Job is deleted', () => {
  cache.putJob(job(false), false);
  cache.putPod(pod('first', { runs: true }), false);
  expect(cache.find('bot-one-1')?.run.displaced).toBeUndefined();
  cache.putJob(job(true), false);
  expect(stopped).toEqual(['bot-one-1']);
  cache.putJob(job(true), true);
  cache.putPod(pod('first', { runs: true, isDeleted: true }), false);
  expect(cache.find('bot-one-1')?.run).toMatchObject({ state: 'running', displaced: true });
  expect(stopped).toHaveLength(1);
  cache.putPod(pod('first', { runs: true, isDeleted: true }), true);
  expect(ended).toEqual(['bot-one-1']);
});
