import { expect, test } from '@jest/globals';
import { podSettings } from '../kubernetes/pod-settings.ts';
import { clustersText, podSettingsOf } from './cluster-settings.ts';

const read = (value: unknown) => clustersText().safeParse(typeof value === 'string' ? value : JSON.stringify(value));
const one = { name: 'one' };

test('fills in what is left out', () => {
  expect(read([one]).data).toEqual([{ ...one, weight: 1, drain: false, pod: {} }]);
});

test.each<[unknown, string]>([
  ['[', 'the JSON value'],
  [[{ weight: 1 }], '0.name'],
  [[{ name: 'One' }], '0.name: must be'],
  [[{ ...one, kubeConfig: '/a' }], '"kubeConfig"'],
  [[{ ...one, kubeconfig: 'a' }], '0.kubeconfig: must be the absolute path'],
  [[{ ...one, namespace: 'Bots' }], '0.namespace'],
  [[{ ...one, weight: -1 }], '0.weight'],
  [[{ ...one, drain: 'yes' }], '0.drain'],
  [[{ ...one, schedulerUrl: 'bot-scheduler' }], '0.schedulerUrl'],
  [[{ ...one, busUrl: 'nats' }], '0.busUrl'],
  [[{ ...one, pod: { memory: '2Gi' } }], '"memory"'],
  [[{ ...one, pod: { memory: null } }], '"memory"'],
  [[{ ...one, pod: { sharedMemory: 'much' } }], '0.pod.sharedMemory'],
  [[{ ...one, kubeconfig: '/a' }, one], '1.name: two clusters are called one'],
  [[one, { name: 'two' }], '1.kubeconfig: is that of one'],
  [
    [
      { ...one, drain: true },
      { name: 'two', kubeconfig: '/two', weight: 0 },
    ],
    'no cluster takes new bots',
  ],
])('%j is refused with the name of what is wrong', (value, message) => {
  const { error } = read(value);
  expect(error?.issues.map((issue) => issue.message).join('\n')).toContain(message);
});

test('pod settings of a cluster replace those of the deployment by key', () => {
  const deployment = podSettings.parse({ nodeSelector: { pool: 'bots' }, sharedMemory: '1Gi', runAsUser: 1000 });
  const pod = { nodeSelector: { zone: 'a' }, runAsUser: null, sharedMemory: null };
  expect(podSettingsOf(deployment, { pod })).toEqual({
    ...deployment,
    nodeSelector: { zone: 'a' },
    runAsUser: undefined,
    sharedMemory: '512Mi',
  });
});
