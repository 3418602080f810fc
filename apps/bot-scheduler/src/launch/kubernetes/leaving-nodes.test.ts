import { describe, expect, test } from '@jest/globals';
import type { V1Node } from '@kubernetes/client-node';
import { leavingOf } from './leaving-nodes.ts';

const seenAtMs = Date.UTC(2026, 0, 1, 12);
const cordonedAt = '2026-01-01T11:59:00Z';
const shutdown = { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'node is shutting down' };
const tainted = (key: string, over: object = {}) =>
  ({ spec: { taints: [{ key, effect: 'NoSchedule', ...over }] } }) as V1Node;
const cordoned = { spec: { unschedulable: true, taints: [] } } as V1Node;

describe('a node is left', () => {
  test.each<[string, V1Node, string, number]>([
    ['by a taint of Karpenter', tainted('karpenter.sh/disrupted'), 'karpenter.sh/disrupted', seenAtMs],
    [
      'by a taint of cluster-autoscaler, with its time',
      tainted('DeletionCandidateOfClusterAutoscaler', { value: '1767265200', effect: 'PreferNoSchedule' }),
      'DeletionCandidateOfClusterAutoscaler',
      1_767_265_200_000,
    ],
    [
      'by an empty value',
      tainted('ToBeDeletedByClusterAutoscaler', { value: '' }),
      'ToBeDeletedByClusterAutoscaler',
      seenAtMs,
    ],
    ['at its shutdown', { status: { conditions: [shutdown] } } as V1Node, 'shutdown', seenAtMs],
    ['when it is deleted', { metadata: { deletionTimestamp: new Date(seenAtMs) } }, 'deleted', seenAtMs],
  ])('%s', (_what, node, reason, sinceMs) => {
    expect(leavingOf(node, 'tainted', seenAtMs)).toEqual({ reason, sinceMs });
    expect(leavingOf(node, 'cordoned', seenAtMs)).toEqual({ reason, sinceMs });
    expect(leavingOf(node, 'never', seenAtMs)).toBeNull();
  });

  test('after a cordon only if that is configured', () => {
    const timed = tainted('node.kubernetes.io/unschedulable', { timeAdded: cordonedAt });
    expect(leavingOf(timed, 'tainted', seenAtMs)).toBeNull();
    expect(leavingOf(timed, 'cordoned', seenAtMs)).toEqual({ reason: 'cordoned', sinceMs: Date.parse(cordonedAt) });
    expect(leavingOf(cordoned, 'tainted', seenAtMs)).toBeNull();
    expect(leavingOf(cordoned, 'cordoned', seenAtMs)).toEqual({ reason: 'cordoned', sinceMs: seenAtMs });
  });
});

test('other taints and conditions do not matter', () => {
  const notReady = { ...shutdown, message: 'container runtime is down' };
  const nodes = [tainted('dedicated', { value: 'bots' }), { status: { conditions: [notReady] } } as V1Node, {}];
  for (const node of nodes) expect(leavingOf(node, 'cordoned', seenAtMs)).toBeNull();
});
