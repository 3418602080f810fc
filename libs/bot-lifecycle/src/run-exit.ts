import type { EndCode } from './end-reasons.ts';

/** Why a run ended, where the launcher has better evidence than the exit code. */
export const runEndCauses = [
  'completed',
  'error',
  'out-of-memory',
  'evicted',
  'preempted',
  'deadline-exceeded',
  'node-lost',
  'terminated',
  'killed',
  'image-pull-failed',
  'suspended',
  'unschedulable',
  'cpu-pressure',
  'quota-exceeded',
  'pod-refused',
  'api-refused',
  'api-unavailable',
  'start-failed',
] as const;
export type RunEndCause = (typeof runEndCauses)[number];

/** The end of a runner's process or pod, as observed by the launcher. */
export interface RunExit {
  /** Null when it ended by a signal, or was not observed. */
  readonly exitCode: number | null;
  /** Signal name such as SIGKILL; null: none, or not observed. */
  readonly signal: string | null;
  readonly outOfMemory: boolean;
  /** Absent when exit code and signal are all that is known. */
  readonly cause?: RunEndCause;
}

const killedBySigkill = 128 + 9;
const endedBySigterm = 128 + 15;

/** Causes that take precedence over the exit code. A preempted or expired pod gets SIGTERM and its grace period. */
const codeOfCause: Partial<Record<RunEndCause, EndCode>> = {
  'out-of-memory': 'OOM_KILLED',
  evicted: 'FORCE_KILLED',
  preempted: 'SIGTERM',
  'deadline-exceeded': 'SIGTERM',
  'node-lost': 'FORCE_KILLED',
  terminated: 'SIGTERM',
  killed: 'FORCE_KILLED',
  'image-pull-failed': 'GENERAL_ERROR',
  suspended: 'GENERAL_ERROR',
  unschedulable: 'GENERAL_ERROR',
  'cpu-pressure': 'GENERAL_ERROR',
  'quota-exceeded': 'GENERAL_ERROR',
  'pod-refused': 'GENERAL_ERROR',
  'api-refused': 'GENERAL_ERROR',
  'api-unavailable': 'GENERAL_ERROR',
  'start-failed': 'GENERAL_ERROR',
};

/**
 * The end reason of a run that ended without a report. `null`: no exit was observed, or the run no longer responds and
 * is about to be killed. A runner that ends by itself reports first, so a missing report means a forced end.
 */
export function endCodeOfFailedRun(exit: RunExit | null): EndCode {
  if (exit === null) return 'FORCE_KILLED';
  const decided = exit.cause === undefined ? undefined : codeOfCause[exit.cause];
  if (decided !== undefined) return decided;
  if (exit.outOfMemory) return 'OOM_KILLED';
  if (exit.signal === 'SIGTERM' || exit.exitCode === endedBySigterm) return 'SIGTERM';
  if (exit.signal === 'SIGKILL' || exit.exitCode === killedBySigkill) return 'FORCE_KILLED';
  if (exit.signal === null && exit.exitCode === null) return 'FORCE_KILLED';
  return 'GENERAL_ERROR';
}
