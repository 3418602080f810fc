import type { RunExit, StartObstacleCause } from '@rapporteur/bot-lifecycle';
import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { StartPace } from '../scheduled/lead-time.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import type { RunMode } from '../schema/run-entities.ts';

/** Input of a launch. The runner gets everything else for its ticket. */
export interface LaunchSpec {
  /** Unique per bot and attempt; a second launch with the same name is refused. */
  readonly name: string;
  readonly botId: string;
  readonly teamId: string;
  readonly attempt: number;
  readonly mode: RunMode;
  /** No run of the bot has joined, and it has not waited long: it may wait for a machine with CPU. */
  readonly waitsForCpu: boolean;
  readonly platform: BotRow['meeting_platform'];
  readonly recordingMode: RunnerConfiguration['recording_mode'];
  readonly ticket: string;
}

/**
 * Why a run is not launched, or has not started: the cluster refuses it, does not respond, holds it in a queue, has no
 * node for it, or cannot create its container; or running bots get less CPU than they need.
 */
export interface StartObstacle {
  readonly cause: StartObstacleCause;
  /** The cluster's message, for operators. */
  readonly message: string;
}

/** The observed state of one run. */
export interface ObservedRun {
  readonly name: string;
  readonly botId: string;
  readonly attempt: number;
  /** pending: accepted, but its program does not run yet. */
  readonly state: 'pending' | 'running' | 'exited';
  /** For a pending run, if known. */
  readonly obstacle?: StartObstacle;
  /** Epoch ms since when the cluster lets a pending run start; absent: since its launch. */
  readonly admittedAtMs?: number;
  /** Names of the runs beside which a pending run is not to start; absent: none. */
  readonly avoids?: readonly string[];
  /**
   * True while the node of a running run, or the API of its cluster, is unreachable: the run may be alive; only its lease
   * decides.
   */
  readonly unreachable?: boolean;
  /** True for a pending run whose cluster is unreachable, or has no node for it, while another cluster takes runs. */
  readonly elsewhere?: boolean;
  /**
   * True when the cluster evicts the run (a drain, a taint, a shutdown, a pod of higher priority, its queue), or is drained
   * as a whole.
   */
  readonly displaced?: boolean;
  /** Epoch ms; absent where the launcher does not distinguish launch and start. */
  readonly startedAtMs?: number;
  /** How it ended; null while it runs. */
  readonly exit: RunExit | null;
  /** Epoch ms; null while it runs. */
  readonly exitedAtMs: number | null;
}

/** Stored evidence of an ended run, for investigation. */
export interface RunEvidence {
  /** The status of the pod, or the launcher's data about the process. */
  readonly status: Readonly<Record<string, unknown>>;
  /** At most 20 lines, 4,000 characters in all. */
  readonly lastLogLines: readonly string[];
}

/** A launch that was refused before anything was created; the same launch may succeed later. */
export class LaunchPostponed extends Error {
  override readonly name = 'LaunchPostponed';
  readonly obstacle: StartObstacle;

  constructor(obstacle: StartObstacle, options?: ErrorOptions) {
    super(obstacle.message, options);
    this.obstacle = obstacle;
  }
}

/** A launch under the name of an existing run. */
export class RunExists extends Error {
  override readonly name = 'RunExists';

  constructor(run: string, options?: ErrorOptions) {
    super(`A run called ${run} is there already.`, options);
  }
}

/** One of several clusters, as the responding replica observes it. */
export interface ClusterState {
  readonly name: string;
  readonly weight: number;
  readonly drain: boolean;
  /** Whether its API responds. */
  readonly reachable: boolean;
  /** Runs that have not ended; as last observed while it is unreachable. */
  readonly runs: number;
  readonly pending: number;
  /** Why it refuses launches; null: it does not. */
  readonly refusal: StartObstacle | null;
  readonly pace: StartPace;
}

/**
 * Whether the cluster refuses the Job or the pod of a run. Nothing of it runs: it is withdrawn, and its bot waits in the
 * queue.
 */
export function isRefused(obstacle: StartObstacle | undefined): boolean {
  return obstacle?.cause === 'quota-exceeded' || needsCorrection(obstacle);
}

/** Whether an operator has to correct this. Any other refusal ends by itself: its bots wait without a limit. */
export function needsCorrection(obstacle: StartObstacle | undefined): boolean {
  return obstacle?.cause === 'pod-refused' || obstacle?.cause === 'api-refused';
}

/** Whether the cluster has no node for a run with this obstacle: one may become free, or be added. */
export function lacksNode(obstacle: StartObstacle | undefined): boolean {
  return obstacle?.cause === 'unschedulable' || obstacle?.cause === 'cpu-pressure';
}

/**
 * Whether a run with this obstacle is held by a queue of the cluster, which admits it once there is room. It waits
 * without a limit.
 */
export function isSuspended(obstacle: StartObstacle | undefined): boolean {
  return obstacle?.cause === 'suspended';
}

/** Starts, observes and ends runs, including those launched before a restart of the scheduler. */
export interface BotLauncher {
  /**
   * False: runs end with this scheduler, which drains them when it stops. True: they outlive it, and other replicas
   * observe them.
   */
  readonly runsOutliveScheduler: boolean;
  /** The current launch rate. */
  pace(): StartPace;
  /** How many launches may begin now. 0: the machine or cluster accepts none. */
  launchSlots(): number;
  /** Why the cluster currently refuses launches; null: it does not. */
  refusal(): StartObstacle | null;
  /** Sets the running runs whose machines have no CPU for another one: no new bot starts beside them. */
  setLateRuns(names: readonly string[]): void;
  /** Absent: runs are not distributed over several clusters. */
  clusters?(): readonly ClusterState[];
  /**
   * Resolves when the run exists. Rejects when it does not; then no run has its name. Rejects with LaunchPostponed when
   * the same launch may succeed later.
   */
  launch(spec: LaunchSpec): Promise<void>;
  /**
   * Removes a run that the cluster refuses, so that it can be launched again under the same name. False: it has started
   * meanwhile, or does not exist.
   */
  withdraw(name: string): Promise<boolean>;
  /** Every launched run that was not forgotten, also from before a restart. Rejects while runs cannot be observed. */
  observe(): Promise<ObservedRun[]>;
  /** Evidence of an ended run, or null. Never rejects. */
  evidence(name: string): Promise<RunEvidence | null>;
  /**
   * Ends a run: SIGTERM, then SIGKILL after `graceMs` (0: SIGKILL at once). Resolves when the run has ended; rejects
   * when it cannot be ended. Safe for an ended or unknown run.
   */
  stop(name: string, options: { readonly graceMs: number }): Promise<void>;
  /** Drops a run that has ended: it is no longer observed. A running one is kept. */
  forget(name: string): Promise<void>;
  /**
   * Called soon after a run ended, was refused, may be launched again, or is displaced. Returns a function that removes
   * the listener.
   */
  onChange(listener: () => void): () => void;
  /** Releases timers and listeners; runs continue. */
  close(): Promise<void>;
}
