import type { RunEndCause } from './run-exit.ts';

/** Why a bot waits, for its start or on a page, as its customer reads it. */
export const delayReasons = {
  at_capacity: 'The deployment runs as many bots as it may. The bot starts when another one ends.',
  no_machine: 'No machine has room for the bot yet.',
  cpu_pressure: 'Running bots need the CPU that there is. The bot starts when a machine has enough for it.',
  quota_exceeded: 'The quota of the deployment is used up. The bot starts when there is room.',
  refused_by_cluster: 'The cluster refuses to run the bot. The operator of the deployment has to correct this.',
  cluster_unavailable: 'The cluster does not accept the bot at present. It is submitted again until the cluster does.',
  image_unavailable: 'The program of the bot cannot be loaded. The operator of the deployment has to correct this.',
  cannot_start: 'The bot cannot be started on its machine. The operator of the deployment has to correct this.',
  page_not_recognised:
    'The bot requested to join and waits on a page of the platform that it does not recognise. It stays as long as its waiting limit allows; a host may have to admit it.',
} as const;
export type DelayReason = keyof typeof delayReasons;

/** Causes for which a run cannot be launched, or does not start. */
export const startObstacles = [
  'suspended',
  'unschedulable',
  'cpu-pressure',
  'quota-exceeded',
  'pod-refused',
  'api-refused',
  'api-unavailable',
  'image-pull-failed',
  'start-failed',
] as const satisfies readonly RunEndCause[];
export type StartObstacleCause = (typeof startObstacles)[number];

const reasonOfObstacle: Record<StartObstacleCause, DelayReason> = {
  suspended: 'quota_exceeded',
  unschedulable: 'no_machine',
  'cpu-pressure': 'cpu_pressure',
  'quota-exceeded': 'quota_exceeded',
  'pod-refused': 'refused_by_cluster',
  'api-refused': 'refused_by_cluster',
  'api-unavailable': 'cluster_unavailable',
  'image-pull-failed': 'image_unavailable',
  'start-failed': 'cannot_start',
};

export function delayReasonOf(cause: StartObstacleCause): DelayReason {
  return reasonOfObstacle[cause];
}
