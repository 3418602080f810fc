import { constants } from 'node:os';
import type { V1ContainerStatus, V1Job, V1Pod } from '@kubernetes/client-node';
import type { RunEndCause, RunExit } from '@rapporteur/bot-lifecycle';
import type { ObservedRun, StartObstacle } from '../launcher.ts';
import { isQuotaMessage } from './api-errors.ts';
import { avoidedRunsOf, containerName, jobNameLabel, labels, queueLabel } from './job-spec.ts';

/** The last observed state of one run. */
export interface RunObjects {
  readonly job: V1Job | null;
  /** The newest observed state of its pod, also after its deletion. */
  readonly pod: V1Pod | null;
  /** True when the pod was deleted: `pod` is its final state. */
  readonly podDeleted: boolean;
  /** Why the pod of this Job was not created, as the API server reports it; null: unknown. */
  readonly refusal: string | null;
  /** Whether its queue suspended the Job after its container had started, also after the deletion of the Job. */
  readonly stopped: boolean;
  /** Since when its node is leaving; null: its node stays, is unknown, or is not observed. */
  readonly nodeLeavesMs: number | null;
  /** When this end was first observed, for objects without a time. */
  readonly seenAtMs: number;
}

const imageReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
]);
const startReasons = new Set([
  'CreateContainerError',
  'CreateContainerConfigError',
  'RunContainerError',
  'CrashLoopBackOff',
]);
const failedStarts = new Set(['StartError', 'ContainerCannotRun']);

/** Classifies a run by its Job and pod; null when neither belongs to a bot. Pure. */
export function classifyRun(objects: RunObjects): ObservedRun | null {
  const meta = objects.job?.metadata ?? objects.pod?.metadata;
  const name = objects.job?.metadata?.name ?? objects.pod?.metadata?.labels?.[jobNameLabel];
  const botId = meta?.labels?.[labels.bot];
  const attempt = Number(meta?.labels?.[labels.attempt]);
  if (name === undefined || botId === undefined || !Number.isInteger(attempt)) return null;
  const run = { name, botId, attempt, exit: null, exitedAtMs: null } as const;
  if (isHeld(objects)) return { ...run, state: 'pending', obstacle: obstacleOfQueue(objects.job) };
  if (hasEnded(objects)) return { ...run, state: 'exited', exit: exitOf(objects), exitedAtMs: exitedAtMs(objects) };
  const { pod } = objects;
  const container = pod === null ? undefined : containerOf(pod);
  const startedAt = container?.state?.running?.startedAt;
  // The pod of a running container stays Pending while one of its sidecars cannot start.
  if (pod === null || startedAt === undefined) {
    const avoids = avoidedRunsOf(objects.job);
    const obstacle = pod === null ? obstacleOfRefusal(objects.refusal) : obstacleOf(pod, avoids.length > 0);
    const admittedAtMs = admittedAtMsOf(objects.job);
    return {
      ...run,
      state: 'pending',
      ...(obstacle === null ? {} : { obstacle }),
      ...(admittedAtMs === undefined ? {} : { admittedAtMs }),
      ...(avoids.length === 0 ? {} : { avoids }),
    };
  }
  const unreachable = isUnreachable(pod);
  const displaced = objects.stopped || disruptionOf(pod) !== undefined || isLeft(pod, objects.nodeLeavesMs);
  return {
    ...run,
    state: 'running',
    startedAtMs: timeOf(startedAt),
    ...(unreachable ? { unreachable } : {}),
    ...(displaced ? { displaced } : {}),
  };
}

/** Whether its queue keeps the run from starting: its pod does not exist, or is removed before its container started. */
export function isHeld({ job, pod }: Pick<RunObjects, 'job' | 'pod'>): boolean {
  return isSuspendedJob(job) && finishOf(job) === null && !hasStarted(pod);
}

/** Whether its queue stops a run whose container has started. */
export function isStopped({ job, pod }: Pick<RunObjects, 'job' | 'pod'>): boolean {
  return isSuspendedJob(job) && hasStarted(pod);
}

function isSuspendedJob(job: V1Job | null): boolean {
  return job?.spec?.suspend === true;
}

function hasStarted(pod: V1Pod | null): boolean {
  const { running, terminated } = (pod === null ? undefined : containerOf(pod)?.state) ?? {};
  return running !== undefined || terminated !== undefined;
}

/** When its queue admitted a Job that was suspended; undefined: it was not. */
export function admittedAtMsOf(job: V1Job | null): number | undefined {
  const resumed = job?.status?.conditions?.find(({ type, status }) => type === 'Suspended' && status === 'False');
  return timeOf(resumed?.lastTransitionTime);
}

function obstacleOfQueue(job: V1Job | null): StartObstacle {
  const queue = job?.metadata?.labels?.[queueLabel];
  const message = queue === undefined ? 'The Job is suspended.' : `The queue ${queue} has not admitted the Job.`;
  return { cause: 'suspended', message };
}

/**
 * The end of the bot's container is the end of the run, even while sidecars run. A pod that is being deleted still
 * runs; a Job without a pod has ended when its controller reports it.
 */
function hasEnded({ job, pod, podDeleted }: RunObjects): boolean {
  if (pod !== null && (isTerminal(pod) || containerOf(pod)?.state?.terminated !== undefined)) return true;
  if (pod !== null && !podDeleted) return false;
  return podDeleted || finishOf(job) !== null;
}

export const isTerminal = ({ status }: V1Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

function finishOf(job: V1Job | null) {
  const finished = job?.status?.conditions?.find(
    ({ type, status }) => status === 'True' && (type === 'Failed' || type === 'Complete'),
  );
  return finished ?? null;
}

function exitOf(objects: RunObjects): RunExit {
  const terminated = objects.pod === null ? undefined : containerOf(objects.pod)?.state?.terminated;
  const cause = causeOf(objects);
  const outOfMemory = cause === 'out-of-memory';
  const exitCode = terminated?.exitCode ?? null;
  const signal = exitCode === null || exitCode <= 128 ? null : signalName(exitCode - 128);
  return { exitCode: signal === null ? exitCode : null, signal, outOfMemory, cause };
}

function signalName(number: number): string | null {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}

/** The reason is read first: a container whose child was OOM-killed may exit 0, and an evicted one with any code. */
function causeOf(objects: RunObjects): RunEndCause {
  const { pod } = objects;
  const jobReason = finishOf(objects.job)?.reason;
  if (pod === null) return jobReason === 'DeadlineExceeded' ? 'deadline-exceeded' : 'killed';
  const terminated = containerOf(pod)?.state?.terminated;
  if (terminated?.reason === 'OOMKilled') return 'out-of-memory';
  const podCause = causeOfPod(pod);
  if (podCause !== null) return podCause;
  if (jobReason === 'DeadlineExceeded') return 'deadline-exceeded';
  if (terminated === undefined) return isUnreachable(pod) ? 'node-lost' : 'killed';
  return causeOfExit(pod, terminated.exitCode, terminated.reason);
}

function causeOfPod(pod: V1Pod): RunEndCause | null {
  switch (pod.status?.reason) {
    case 'Evicted':
      return 'evicted';
    case 'DeadlineExceeded':
      return 'deadline-exceeded';
    case 'Preempting':
      return 'preempted';
    case 'NodeShutdown':
    case 'Terminated':
    case 'Shutdown':
      return 'terminated';
    default:
      return causeOfDisruption(disruptionOf(pod));
  }
}

function causeOfDisruption(reason: string | undefined): RunEndCause | null {
  switch (reason) {
    case 'PreemptionByScheduler':
      return 'preempted';
    case 'DeletionByPodGC':
      return 'node-lost';
    case 'TerminationByKubelet':
      return 'evicted';
    default:
      return null;
  }
}

function causeOfExit(pod: V1Pod, exitCode: number, reason: string | undefined): RunEndCause {
  if (reason === 'ContainerStatusUnknown') return 'node-lost';
  if (reason !== undefined && failedStarts.has(reason)) return 'start-failed';
  if (exitCode === 0) return 'completed';
  if (exitCode === 128 + constants.signals.SIGKILL) return 'killed';
  const requested = pod.metadata?.deletionTimestamp !== undefined || exitCode === 128 + constants.signals.SIGTERM;
  return requested ? 'terminated' : 'error';
}

/** kube-scheduler's words for a node that is excluded by what the pod is to avoid. */
const avoidedMessage = "didn't match pod anti-affinity rules";

function obstacleOf(pod: V1Pod, avoidsRuns: boolean): StartObstacle | null {
  const unscheduled = pod.status?.conditions?.find(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );
  if (unscheduled !== undefined) {
    const { message = '' } = unscheduled;
    return { cause: avoidsRuns && message.includes(avoidedMessage) ? 'cpu-pressure' : 'unschedulable', message };
  }
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  return [...containerStatuses, ...initContainerStatuses].map(obstacleOfContainer).find(isPresent) ?? null;
}

/** Another container can prevent the bot from starting too: a native sidecar, or one whose image is missing. */
function obstacleOfContainer({ name, state }: V1ContainerStatus): StartObstacle | null {
  const { reason, message: words = '' } = state?.waiting ?? {};
  if (reason === undefined) return null;
  const message = `${name === containerName ? '' : `container ${name}: `}${reason}: ${words}`;
  if (imageReasons.has(reason)) return { cause: 'image-pull-failed', message };
  return startReasons.has(reason) ? { cause: 'start-failed', message } : null;
}

const isPresent = <T>(value: T | null): value is T => value !== null;

function obstacleOfRefusal(refusal: string | null): StartObstacle | null {
  if (refusal === null) return null;
  return { cause: isQuotaMessage(refusal) ? 'quota-exceeded' : 'pod-refused', message: refusal };
}

/** Set by the node lifecycle controller when the node stopped reporting. */
function isUnreachable(pod: V1Pod): boolean {
  return pod.status?.reason === 'NodeLost' || disruptionOf(pod) === 'DeletionByTaintManager';
}

/** A pod that tolerates the taint, or was placed in spite of it, is not moved again. */
function isLeft({ metadata }: V1Pod, nodeLeavesMs: number | null): boolean {
  return nodeLeavesMs !== null && (timeOf(metadata?.creationTimestamp) ?? nodeLeavesMs) < nodeLeavesMs;
}

function disruptionOf(pod: V1Pod): string | undefined {
  return pod.status?.conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True')?.reason;
}

/** The bot's container: others are injected before or after it. */
export function containerOf(pod: V1Pod): V1ContainerStatus | undefined {
  return pod.status?.containerStatuses?.find(({ name }) => name === containerName);
}

function exitedAtMs({ job, pod, seenAtMs }: RunObjects): number {
  const finishedAt = pod === null ? undefined : containerOf(pod)?.state?.terminated?.finishedAt;
  return timeOf(finishedAt ?? finishOf(job)?.lastTransitionTime) ?? seenAtMs;
}

/** Objects from a watch carry times as strings, those from a call as dates. */
function timeOf(time: Date | string): number;
function timeOf(time: Date | string | undefined): number | undefined;
function timeOf(time: Date | string | undefined): number | undefined {
  const ms = time === undefined ? Number.NaN : new Date(time).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}
