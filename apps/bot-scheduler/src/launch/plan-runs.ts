import type { RunExit } from '@rapporteur/bot-lifecycle';
import type { LeaseRow } from '../schema/run-entities.ts';
import { isRefused, isSuspended, lacksNode } from './launcher.ts';
import type { ObservedRun, StartObstacle } from './launcher.ts';

export type RunAction =
  /** The run ended, or counts as ended, and its bot does not: record the failure. */
  | {
      readonly kind: 'mark-failed';
      readonly lease: LeaseRow;
      /** Null: it is alive without renewals, or its end was not observed. */
      readonly exit: RunExit | null;
      readonly cause: FailureCause;
      readonly why: string;
    }
  /** The cluster accepted the run and refuses its pod: withdraw it, so that its bot waits in the queue. */
  | { readonly kind: 'withdraw'; readonly lease: LeaseRow; readonly obstacle: StartObstacle }
  /** It waits for a node without late runs, for too long, or one that it avoids is no longer late: launch its bot again. */
  | { readonly kind: 'requeue'; readonly lease: LeaseRow }
  /** Its node is being drained: launch another run to take its place in the meeting. */
  | { readonly kind: 'displace'; readonly lease: LeaseRow }
  /** The run is no longer needed. */
  | { readonly kind: 'stop'; readonly name: string; readonly graceMs: number }
  /** It has ended, and its bot's state reflects it. */
  | { readonly kind: 'forget'; readonly name: string };

export interface RunTiming {
  /** A runner without a renewal for longer is marked as failed. */
  readonly leaseLostAfterMs: number;
  /** A run that has not redeemed its ticket this long after its start is marked as failed. */
  readonly ticketTtlMs: number;
  /** A run that waits longer for a node or its image is marked as failed. 0: runs start when they are launched. */
  readonly startDeadlineMs: number;
  /** How long the last reports of an ended run may take to arrive. */
  readonly exitSettleMs: number;
  /**
   * Start of the gapless window in which this scheduler recorded renewals: missing renewals before it prove nothing.
   */
  readonly recordsRenewalsSinceMs: number;
  /** How long the machine of a run counts as late after its runner stated it. 0: no machine does. */
  readonly lateForMs: number;
  /** A new bot waits no longer for a machine with CPU: its meeting does not wait. */
  readonly cpuWaitMs: number;
  /** Whether another run replaces a displaced one. */
  readonly movesDisplaced: boolean;
  /** Whether this scheduler launched the run itself and would therefore observe it. */
  readonly isOwnLaunch: (runName: string) => boolean;
}

/**
 * How long a run of this scheduler may take to appear after its launch was recorded. A run of another scheduler, or of
 * one that died meanwhile, may never be observed here: it counts until its ticket expires.
 */
const appearWithinMs = 10_000;
/** Registries and nodes recover from most container start failures within this time. */
const obstacleMs = 30_000;
/** A run that exited cleanly has sent all of its reports: this is the time for applying the last ones. */
const cleanExitSettleMs = 20_000;
/** How long a runner may run after its bot has ended before it is stopped. */
const lingerMs = 30_000;
const politeMs = 5_000;

/**
 * Compares leases (desired) with runs (observed). Pure: the reconciler executes the actions in this order. Withdrawing
 * and displacing may be refused: a run that counts as failed is then marked so.
 */
export function planRuns(
  leases: readonly LeaseRow[],
  runs: readonly ObservedRun[],
  timing: RunTiming,
  nowMs: number,
): RunAction[] {
  const runOf = new Map(runs.map((run) => [run.name, run]));
  const leaseOf = new Map(leases.map((lease) => [lease.run_name, lease]));
  const late = new Set(findLateRuns(leases, runs, timing, nowMs));
  const isFree = (name: string): boolean => runOf.get(name)?.state === 'running' && !late.has(name);
  const failedRun = leases.flatMap((lease): RunAction[] => {
    const run = runOf.get(lease.run_name);
    const obstacle = run?.obstacle;
    const verdict = findFailure(lease, run, timing, nowMs);
    const failure: RunAction[] = verdict === null ? [] : [{ kind: 'mark-failed', lease, ...verdict }];
    if (lease.state === 'launching' && obstacle !== undefined && isRefused(obstacle))
      return [{ kind: 'withdraw', lease, obstacle }, ...failure];
    if (lease.state === 'launching' && lacksNode(obstacle) && run?.avoids !== undefined) {
      const waitedMs = nowMs - lease.created_at.getTime();
      const hasWaited = obstacle?.cause === 'cpu-pressure' && waitedMs >= timing.cpuWaitMs;
      // Not sooner: runs that are late by turns would keep it from ever starting.
      const mayMove = waitedMs >= timing.lateForMs && run.avoids.some(isFree);
      if (hasWaited || mayMove) return [{ kind: 'requeue', lease }];
    }
    const isDisplaced = timing.movesDisplaced && run?.state === 'running' && run.displaced === true;
    if (isDisplaced && lease.state === 'held' && lease.displaced_at === null)
      return [{ kind: 'displace', lease }, ...failure];
    return failure;
  });
  const stops = runs.flatMap((run) => planStop(run, leaseOf.get(run.name), nowMs));
  return [...failedRun, ...stops];
}

/** Names of the running runs whose machines have no CPU for another one. */
export function findLateRuns(
  leases: readonly LeaseRow[],
  runs: readonly ObservedRun[],
  { lateForMs }: Pick<RunTiming, 'lateForMs'>,
  nowMs: number,
): string[] {
  const running = new Set(runs.filter(({ state }) => state === 'running').map(({ name }) => name));
  return leases
    .filter(({ state, late_at: at }) => state === 'held' && at !== null && nowMs - at.getTime() < lateForMs)
    .map((lease) => lease.run_name)
    .filter((name) => running.has(name));
}

export type FailureCause = 'process_ended' | 'start_failed' | 'lease_expired';

interface FailedPod {
  readonly exit: RunExit | null;
  readonly cause: FailureCause;
  readonly why: string;
}

function findFailure(
  lease: LeaseRow,
  run: ObservedRun | undefined,
  timing: RunTiming,
  nowMs: number,
): FailedPod | null {
  if (lease.state !== 'launching' && lease.state !== 'held') return null;
  if (run?.state === 'exited') {
    const settled = nowMs - Math.max(run.exitedAtMs ?? 0, timing.recordsRenewalsSinceMs) >= settleTimeMs(run, timing);
    return settled ? { exit: run.exit, cause: 'process_ended', why: 'its process ended' } : null;
  }
  if (lease.state === 'launching') return findFailedLaunch(lease, run, timing, nowMs);
  const renewedAtMs = Math.max(lease.renewed_at?.getTime() ?? 0, timing.recordsRenewalsSinceMs);
  if (nowMs - renewedAtMs < timing.leaseLostAfterMs) return null;
  const exit = run?.unreachable === true ? nodeLost : null;
  return { exit, cause: 'lease_expired', why: 'it stopped renewing its lease' };
}

const nodeLost: RunExit = { exitCode: null, signal: null, outOfMemory: false, cause: 'node-lost' };

function findFailedLaunch(
  lease: LeaseRow,
  run: ObservedRun | undefined,
  timing: RunTiming,
  nowMs: number,
): FailedPod | null {
  const waitedMs = nowMs - Math.max(lease.created_at.getTime(), run?.admittedAtMs ?? 0);
  if (run === undefined) {
    const limitMs = timing.isOwnLaunch(lease.run_name) ? appearWithinMs : timing.ticketTtlMs;
    return waitedMs >= limitMs ? { exit: null, cause: 'start_failed', why: 'its run never appeared' } : null;
  }
  if (run.state === 'pending') {
    const { obstacle } = run;
    if (isSuspended(obstacle) && !isReplacement(lease) && run.elsewhere !== true) return null;
    // A node or room may become available: it waits for the whole deadline, unless another cluster takes it.
    const blocked = obstacle !== undefined && !lacksNode(obstacle) && !isSuspended(obstacle);
    const isBrief = blocked || run.elsewhere === true;
    const limitMs = isBrief ? Math.min(obstacleMs, timing.startDeadlineMs) : timing.startDeadlineMs;
    if (waitedMs < limitMs) return null;
    const cause = obstacle?.cause ?? 'start-failed';
    return {
      exit: { exitCode: null, signal: null, outOfMemory: false, cause },
      cause: 'start_failed',
      why: `it did not start (${cause}: ${obstacle?.message ?? unknownReason(run)})`,
    };
  }
  const startedAtMs = Math.max(run.startedAtMs ?? 0, lease.created_at.getTime());
  if (nowMs - startedAtMs < timing.ticketTtlMs) return null;
  return { exit: null, cause: 'start_failed', why: 'it never requested its invocation' };
}

function unknownReason({ unreachable }: ObservedRun): string {
  return unreachable === true ? 'its cluster is unreachable' : 'no reason is known';
}

/** Whether the run replaces a displaced one, whose meeting does not wait for room in a queue. */
function isReplacement({ attempt, fencing }: LeaseRow): boolean {
  return fencing < attempt;
}

/**
 * A run that exited cleanly has sent all of its reports: they get more time to be applied. Exit code 0 of a container
 * that ran out of memory does not count as clean.
 */
function settleTimeMs(run: ObservedRun, { exitSettleMs, leaseLostAfterMs }: RunTiming): number {
  const clean = run.exit?.exitCode === 0 && !run.exit.outOfMemory;
  return clean ? Math.max(exitSettleMs, Math.min(leaseLostAfterMs, cleanExitSettleMs)) : exitSettleMs;
}

function planStop(run: ObservedRun, lease: LeaseRow | undefined, nowMs: number): RunAction[] {
  if (lease?.state === 'launching' || lease?.state === 'held') return [];
  if (run.state === 'exited') return [{ kind: 'forget', name: run.name }];
  // It is stopped once its node and its cluster respond.
  if (run.unreachable === true) return [];
  // A run without a lease can neither report nor write.
  if (lease === undefined || lease.state === 'lost') return [{ kind: 'stop', name: run.name, graceMs: 0 }];
  const overdue = nowMs - (lease.ended_at?.getTime() ?? nowMs) >= lingerMs;
  return overdue ? [{ kind: 'stop', name: run.name, graceMs: politeMs }] : [];
}
