import type { V1Node, V1Taint } from '@kubernetes/client-node';

/** Which nodes bots leave before their pods are evicted. `cordoned` includes `tainted`. */
export const leaveNodes = ['never', 'tainted', 'cordoned'] as const;
export type LeaveNodes = (typeof leaveNodes)[number];

/** A node that pods are about to lose. */
export interface LeavingNode {
  /** A taint, or what the node reports. */
  readonly reason: string;
  /** Epoch ms. Pods that were created later are there on purpose. */
  readonly sinceMs: number;
}

/**
 * Taints of autoscalers, cloud providers and node agents for a node that goes. Sources: kubernetes/autoscaler
 * `utils/taints`, karpenter `apis/v1/taints.go`, aws-node-termination-handler `pkg/node`, GKE's graceful termination, and
 * the well-known taints of Kubernetes.
 */
const leavingTaints: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'DeletionCandidateOfClusterAutoscaler',
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
  'aws-node-termination-handler/spot-itn',
  'aws-node-termination-handler/scheduled-maintenance',
  'aws-node-termination-handler/asg-lifecycle-termination',
  'aws-node-termination-handler/rebalance-recommendation',
  'cloud.google.com/impending-node-termination',
  'node.cloudprovider.kubernetes.io/shutdown',
]);
const cordonTaint = 'node.kubernetes.io/unschedulable';
/** The kubelet's own words; it has no reason of its own for a graceful shutdown. */
const shutdownMessage = 'node is shutting down';

/** Null: the node stays. `seenAtMs` is the time of a sign that has no time itself. Pure. */
export function leavingOf(node: V1Node, leaves: LeaveNodes, seenAtMs: number): LeavingNode | null {
  if (leaves === 'never') return null;
  const { metadata, spec, status } = node;
  const taints = spec?.taints ?? [];
  const taint = taints.find(({ key }) => leavingTaints.has(key));
  if (taint !== undefined) return { reason: taint.key, sinceMs: addedAtMs(taint) ?? seenAtMs };
  if (metadata?.deletionTimestamp !== undefined) return { reason: 'deleted', sinceMs: seenAtMs };
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'False' && ready.message?.includes(shutdownMessage) === true)
    return { reason: 'shutdown', sinceMs: seenAtMs };
  if (leaves !== 'cordoned') return null;
  const cordon = taints.find(({ key }) => key === cordonTaint);
  if (cordon === undefined && spec?.unschedulable !== true) return null;
  return { reason: 'cordoned', sinceMs: (cordon === undefined ? null : addedAtMs(cordon)) ?? seenAtMs };
}

/** cluster-autoscaler writes the time into the value, in Unix seconds. Objects from a watch carry times as strings. */
function addedAtMs({ timeAdded, value }: V1Taint): number | null {
  const addedAt = timeAdded === undefined ? Number(value || Number.NaN) * 1_000 : new Date(timeAdded).getTime();
  return Number.isFinite(addedAt) ? addedAt : null;
}
