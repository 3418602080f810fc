import type { RunExit, StartObstacleCause } from '@rapporteur/bot-lifecycle';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { StartPace } from '../scheduled/lead-time.ts';
import type { BotRow, RunMode } from '../schema/rows.ts';

/** What a launcher needs to start one run. Everything else the runner learns for its ticket. */
export interface LaunchSpec {
  /** Unique per bot and attempt; a second launch of the same name is refused. */
  readonly name: string;
  readonly botId: string;
  readonly teamId: string;
  readonly attempt: number;
  readonly mode: RunMode;
  readonly platform: BotRow['meeting_platform'];
  readonly recordingMode: RunnerConfiguration['recording_mode'];
  readonly ticket: string;
}

/** Why a launched run has not started: the cluster refuses it or has no place for it, or its container cannot be made. */
export interface StartObstacle {
  readonly cause: StartObstacleCause;
  /** The words of the cluster, for operators. */
  readonly message: string;
}

/** One run as the machine or cluster sees it. */
export interface ObservedRun {
  readonly name: string;
  readonly botId: string;
  readonly attempt: number;
  /** pending: accepted, but its program does not run yet. */
  readonly state: 'pending' | 'running' | 'exited';
  /** Of a pending run, where one is known. */
  readonly obstacle?: StartObstacle;
  /** True while the node of a running run is not heard: the run may live or not, only its lease can tell. */
  readonly unreachable?: boolean;
  /** True when the cluster takes the run from its node: a drain, a taint, a shutdown, a pod of higher priority. */
  readonly displaced?: boolean;
  /** Epoch ms; absent where the launcher does not distinguish launch and start. */
  readonly startedAtMs?: number;
  /** How it ended; null while it runs. */
  readonly exit: RunExit | null;
  /** Epoch ms; null while it runs. */
  readonly exitedAtMs: number | null;
}

/** What is kept of an ended run for the people who look into it. */
export interface RunEvidence {
  /** The status of the pod, or whatever the launcher knows of the process. */
  readonly status: Readonly<Record<string, unknown>>;
  /** At most 20 lines, 4,000 characters in all. */
  readonly lastLogLines: readonly string[];
}

/** A launch that was refused for now, before anything was created: quota, rate limit, or an API server that is away. */
export class LaunchPostponed extends Error {
  override readonly name = 'LaunchPostponed';
}

/** Whether a run with this obstacle is withdrawn: nothing of it exists yet, and the cluster accepts it once there is room. */
export function isRefused(obstacle: StartObstacle | undefined): boolean {
  return obstacle?.cause === 'quota-exceeded' || obstacle?.cause === 'pod-refused';
}

/** Starts and ends runs, and sees the ones it started even after the scheduler itself was restarted. */
export interface BotLauncher {
  /** False: runs end with this scheduler, which drains them when it stops. True: they outlive it, and other replicas see them. */
  readonly runsOutliveScheduler: boolean;
  /** How fast runs can be started at present. */
  pace(): StartPace;
  /** How many launches may begin now. 0: the machine or cluster takes none at the moment. */
  launchSlots(): number;
  /** Why the cluster refuses launches at present; null: it does not. */
  refusal(): StartObstacle | null;
  /**
   * Resolves when the run exists. Rejects when it does not: then there is nothing to observe under its name. Rejects with
   * LaunchPostponed when the same launch may succeed later.
   */
  launch(spec: LaunchSpec): Promise<void>;
  /**
   * Removes a run that the cluster refuses, so that it can be launched again under the same name. False: it has started
   * meanwhile, or is gone.
   */
  withdraw(name: string): Promise<boolean>;
  /** Every run that was launched and not yet forgotten, also from before a restart. Rejects while they cannot be seen. */
  observe(): Promise<ObservedRun[]>;
  /** What is left of a run that ended, or null. Never rejects. */
  evidence(name: string): Promise<RunEvidence | null>;
  /**
   * Ends a run: a polite signal, `graceMs` of patience, then force (0: force at once). Resolves when nothing of it runs
   * any more; rejects when it cannot be ended. Safe for a run that ended already or is not known.
   */
  stop(name: string, options: { readonly graceMs: number }): Promise<void>;
  /** Drops the memory of a run that has ended: it is observed no more. A run that lives is kept. */
  forget(name: string): Promise<void>;
  /** Called soon after a run ended, was refused, may be launched again, or is displaced. Returns the way to stop listening. */
  onChange(listener: () => void): () => void;
  /** Lets go of timers and listeners; runs live on. */
  close(): Promise<void>;
}
