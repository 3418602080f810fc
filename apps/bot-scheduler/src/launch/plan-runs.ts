import type { RunExit } from '@rapporteur/bot-lifecycle';
import type { LeaseRow } from '../schema/rows.ts';
import { isRefused } from './launcher.ts';
import type { ObservedRun, StartObstacle } from './launcher.ts';

export type RunAction =
  /** The run is over, or must count as over, and its bot does not know: write its end. */
  | {
      readonly kind: 'mark-failed';
      readonly lease: LeaseRow;
      /** null: it lives but is silent, or nobody saw how it ended. */
      readonly exit: RunExit | null;
      readonly cause: FailureCause;
      readonly why: string;
    }
  /** The cluster accepted the run and refuses its pod: take it back, so that its bot waits in the queue. */
  | { readonly kind: 'withdraw'; readonly lease: LeaseRow; readonly obstacle: StartObstacle }
  /** Its node goes, and its meeting goes on: have another run take its place. */
  | { readonly kind: 'displace'; readonly lease: LeaseRow }
  /** Nobody needs this run any more. */
  | { readonly kind: 'stop'; readonly name: string; readonly graceMs: number }
  /** It has ended and its bot knows. */
  | { readonly kind: 'forget'; readonly name: string };

export interface RunTiming {
  /** A runner that was not heard for longer is dead. */
  readonly leaseLostAfterMs: number;
  /** A run that has not redeemed its ticket so long after it started never will. */
  readonly ticketTtlMs: number;
  /** A run that waits for a place, or for its image, longer than this is given up. 0: runs start when they are launched. */
  readonly startDeadlineMs: number;
  /** How long the last reports of an ended run may take to arrive. */
  readonly exitSettleMs: number;
  /** Since when this scheduler could record renewals without a gap: silence before that proves nothing. */
  readonly hearingSinceMs: number;
  /** Whether another run takes the place of a displaced one. */
  readonly movesDisplaced: boolean;
  /** Whether this scheduler launched the run itself, so that it would see it if it were there. */
  readonly isOwnLaunch: (runName: string) => boolean;
}

/**
 * How long a run of this scheduler may need to appear after its launch was written down. One of another scheduler may never
 * be seen here: it counts until its ticket is worth nothing, and so does that of a scheduler that died in between.
 */
const appearWithinMs = 10_000;
/** Registries and nodes recover from most failures to start a container within this time. */
const obstacleMs = 30_000;
/** A run that ended cleanly has sent all it had to say: its last reports have this long to be applied. */
const cleanExitSettleMs = 20_000;
/** A runner whose bot has ended tidies up and goes; one that does not is helped. */
const lingerMs = 30_000;
const politeMs = 5_000;

/** Compares the leases (wanted) with the runs that are there (observed). Pure: the reconciler does what it says. */
export function planRuns(
  leases: readonly LeaseRow[],
  runs: readonly ObservedRun[],
  timing: RunTiming,
  nowMs: number,
): RunAction[] {
  const runOf = new Map(runs.map((run) => [run.name, run]));
  const leaseOf = new Map(leases.map((lease) => [lease.run_name, lease]));
  const failedRun = leases.flatMap((lease): RunAction[] => {
    const run = runOf.get(lease.run_name);
    const obstacle = run?.obstacle;
    if (lease.state === 'launching' && obstacle !== undefined && isRefused(obstacle))
      return [{ kind: 'withdraw', lease, obstacle }];
    const isDisplaced = timing.movesDisplaced && run?.state === 'running' && run.displaced === true;
    if (isDisplaced && lease.state === 'held' && lease.displaced_at === null) return [{ kind: 'displace', lease }];
    const verdict = findFailure(lease, run, timing, nowMs);
    return verdict === null ? [] : [{ kind: 'mark-failed', lease, ...verdict }];
  });
  const stops = runs.flatMap((run) => planStop(run, leaseOf.get(run.name), nowMs));
  return [...failedRun, ...stops];
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
    const settled = nowMs - Math.max(run.exitedAtMs ?? 0, timing.hearingSinceMs) >= settleTimeMs(run, timing);
    return settled ? { exit: run.exit, cause: 'process_ended', why: 'its process ended' } : null;
  }
  if (lease.state === 'launching') return findFailedLaunch(lease, run, timing, nowMs);
  const heardAtMs = Math.max(lease.renewed_at?.getTime() ?? 0, timing.hearingSinceMs);
  if (nowMs - heardAtMs < timing.leaseLostAfterMs) return null;
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
  const waitedMs = nowMs - lease.created_at.getTime();
  if (run === undefined) {
    const limitMs = timing.isOwnLaunch(lease.run_name) ? appearWithinMs : timing.ticketTtlMs;
    return waitedMs >= limitMs ? { exit: null, cause: 'start_failed', why: 'its run never appeared' } : null;
  }
  if (run.state === 'pending') {
    const { obstacle } = run;
    // A place may come free, or a node be added: that is worth the whole deadline.
    const blocked = obstacle !== undefined && obstacle.cause !== 'unschedulable';
    const limitMs = blocked ? Math.min(obstacleMs, timing.startDeadlineMs) : timing.startDeadlineMs;
    if (waitedMs < limitMs) return null;
    const cause = obstacle?.cause ?? 'start-failed';
    return {
      exit: { exitCode: null, signal: null, outOfMemory: false, cause },
      cause: 'start_failed',
      why: `it did not start (${cause}: ${obstacle?.message ?? 'no reason is known'})`,
    };
  }
  const startedAtMs = Math.max(run.startedAtMs ?? 0, lease.created_at.getTime());
  if (nowMs - startedAtMs < timing.ticketTtlMs) return null;
  return { exit: null, cause: 'start_failed', why: 'it never requested its invocation' };
}

/**
 * A run that ended cleanly has sent all it had to say: its last reports get more time. Exit code 0 of a container that ran out
 * of memory says nothing.
 */
function settleTimeMs(run: ObservedRun, { exitSettleMs, leaseLostAfterMs }: RunTiming): number {
  const clean = run.exit?.exitCode === 0 && !run.exit.outOfMemory;
  return clean ? Math.max(exitSettleMs, Math.min(leaseLostAfterMs, cleanExitSettleMs)) : exitSettleMs;
}

function planStop(run: ObservedRun, lease: LeaseRow | undefined, nowMs: number): RunAction[] {
  if (lease?.state === 'launching' || lease?.state === 'held') return [];
  if (run.state === 'exited') return [{ kind: 'forget', name: run.name }];
  // A run that no lease stands for can report nothing and write nothing: it is only in the way.
  if (lease === undefined || lease.state === 'lost') return [{ kind: 'stop', name: run.name, graceMs: 0 }];
  const overdue = nowMs - (lease.ended_at?.getTime() ?? nowMs) >= lingerMs;
  return overdue ? [{ kind: 'stop', name: run.name, graceMs: politeMs }] : [];
}
