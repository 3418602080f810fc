import type { V1Job, V1Pod } from '@kubernetes/client-node';
import { lastLines } from '../last-lines.ts';
import type { RunEvidence } from '../launcher.ts';
import { containerOf } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';

const longestMessage = 500;

/**
 * The part of a pod's status that explains its end. `log` contains the container's last lines, if they could be read.
 */
export function evidenceOf(
  { job, pod, podDeleted }: Pick<RunObjects, 'job' | 'pod' | 'podDeleted'>,
  log: string | null,
): RunEvidence {
  const terminated = pod === null ? undefined : containerOf(pod)?.state?.terminated;
  return {
    status: {
      pod: pod?.metadata?.name ?? null,
      node: pod?.spec?.nodeName ?? null,
      podDeleted,
      deletionTimestamp: textOf(pod?.metadata?.deletionTimestamp),
      phase: pod?.status?.phase ?? null,
      reason: pod?.status?.reason ?? null,
      message: cut(pod?.status?.message),
      container:
        terminated === undefined
          ? null
          : {
              exitCode: terminated.exitCode,
              reason: terminated.reason ?? null,
              startedAt: textOf(terminated.startedAt),
            },
      podConditions: conditionsOf(pod),
      jobConditions: conditionsOf(job),
    },
    lastLogLines: lastLines(log ?? terminated?.message ?? ''),
  };
}

function conditionsOf(object: V1Pod | V1Job | null): unknown[] {
  return (object?.status?.conditions ?? [])
    .filter(({ reason, message }) => reason !== undefined || message !== undefined)
    .map(({ type, status, reason, message }) => ({ type, status, reason: reason ?? null, message: cut(message) }));
}

/** Objects from a watch carry times as strings, those from a call as dates. */
function textOf(time: Date | string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function cut(message: string | undefined): string | null {
  return message === undefined ? null : message.slice(0, longestMessage);
}
