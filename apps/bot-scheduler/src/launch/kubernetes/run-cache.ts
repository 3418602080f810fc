import type { CoreV1Event, V1ContainerStatus, V1Job, V1Node, V1Pod } from '@kubernetes/client-node';
import { admittedAtMsOf, classifyRun, isHeld, isStopped } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';
import { jobNameLabel } from './job-spec.ts';
import { leavingOf } from './leaving-nodes.ts';
import type { LeaveNodes, LeavingNode } from './leaving-nodes.ts';
import type { ObservedRun, StartObstacle } from '../launcher.ts';

interface Entry extends Omit<RunObjects, 'refusal' | 'nodeLeavesMs'> {
  readonly jobSeenAtMs: number;
  readonly forgotten: boolean;
  /** The last reported obstacle. */
  readonly reported: StartObstacle['cause'] | null;
}

export interface RunCacheOptions {
  readonly now: () => number;
  /** Which nodes runs leave; default: none. */
  readonly leaveNodes?: LeaveNodes;
  /** Called once for each run that ended. */
  readonly onEnded: (run: ObservedRun) => void;
  /** Called once for each run that started, with the time since its Job was created, or admitted by its queue. */
  readonly onStarted: (latencyMs: number) => void;
  /** Called once for each obstacle that keeps a run from starting. */
  readonly onObstacle: (run: ObservedRun, obstacle: StartObstacle) => void;
  /** Called once for each run that the cluster evicts from its node, and for each node that leaves. */
  readonly onDisplaced: () => void;
  /** Called once for each node that leaves, with the number of running runs on it. */
  readonly onLeaving?: (node: string, leaving: LeavingNode, runs: number) => void;
  /** Called for each change of a Job that its queue stopped after its run had started. */
  readonly onStopped: (name: string) => void;
  /** Called once for each run whose pod was created. */
  readonly onPod: () => void;
}

/** Events refer to any Job of the namespace and may arrive before their Job. */
const keptRefusals = 10_000;
const longestRefusal = 1_000;

/** The observed Jobs and pods, joined by run, trimmed to the fields that decisions need. */
export class RunCache {
  readonly #entries = new Map<string, Entry>();
  readonly #started = new Set<string>();
  /** Refusals by uid of the Job: a Job that is launched again has the same name. */
  readonly #refusals = new Map<string, string>();
  /** Leaving nodes by name. */
  readonly #leaving = new Map<string, LeavingNode>();
  readonly #options: RunCacheOptions;

  constructor(options: RunCacheOptions) {
    this.#options = options;
  }

  putJob(job: V1Job, deleted: boolean): void {
    const name = job.metadata?.name ?? '';
    if (!deleted) this.#put(name, { job: trimJob(job), jobSeenAtMs: this.#options.now() });
    else if (this.#entries.get(name)?.job?.metadata?.uid === job.metadata?.uid) this.#dropJob(name);
  }

  /** An event of a failed pod creation for a Job. */
  putRefusal({ involvedObject: { name = '', uid = '' }, message = '' }: CoreV1Event, deleted: boolean): void {
    this.#refusals.delete(uid);
    if (deleted) return;
    this.#refusals.set(uid, message.replace(/^Error creating: /, '').slice(0, longestRefusal));
    const oldest = this.#refusals.keys().next();
    if (this.#refusals.size > keptRefusals && oldest.done !== true) this.#refusals.delete(oldest.value);
    if (this.#entries.get(name)?.job?.metadata?.uid === uid) this.#put(name, {});
  }

  putPod(pod: V1Pod, deleted: boolean): void {
    const name = pod.metadata?.labels?.[jobNameLabel];
    if (name === undefined) return;
    const current = this.#entries.get(name)?.pod?.metadata?.name;
    // A Job that is resumed has another pod: the end of the earlier one is not the end of the run.
    const isEnding = deleted || pod.metadata?.deletionTimestamp !== undefined;
    if (isEnding && current !== undefined && current !== pod.metadata?.name) return;
    this.#put(name, { pod: trimPod(pod), podDeleted: deleted });
  }

  putNode(node: V1Node, deleted: boolean): void {
    const name = node.metadata?.name ?? '';
    const before = this.#leaving.get(name);
    const leaving = deleted ? null : leavingOf(node, this.#options.leaveNodes ?? 'never', this.#options.now());
    if (leaving === null) return void this.#leaving.delete(name);
    if (before !== undefined) return;
    this.#leaving.set(name, leaving);
    const left = [...this.#entries.values()].filter(
      (entry) => entry.pod?.spec?.nodeName === name && this.#observed(entry)?.displaced === true,
    );
    this.#options.onLeaving?.(name, leaving, left.length);
    if (left.length > 0) this.#options.onDisplaced();
  }

  keepNodes(names: ReadonlySet<string>): void {
    for (const name of this.#leaving.keys()) if (!names.has(name)) this.#leaving.delete(name);
  }

  /** Drops Jobs that are missing in a complete list begun at `listedAtMs`. */
  keepJobs(names: ReadonlySet<string>, listedAtMs: number): void {
    for (const [name, entry] of this.#entries) {
      const known = entry.job !== null && entry.jobSeenAtMs < listedAtMs;
      if (known && !names.has(name)) this.#dropJob(name);
    }
  }

  keepPods(podNames: ReadonlySet<string>): void {
    for (const [name, { pod, podDeleted }] of this.#entries) {
      if (pod !== null && !podDeleted && !podNames.has(pod.metadata?.name ?? '')) this.#put(name, { podDeleted: true });
    }
  }

  find(name: string): { readonly objects: RunObjects; readonly run: ObservedRun } | null {
    const entry = this.#entries.get(name);
    const run = entry === undefined ? null : this.#observed(entry);
    return entry === undefined || run === null ? null : { objects: this.#objectsOf(entry), run };
  }

  runs(): ObservedRun[] {
    return [...this.#entries.values()]
      .filter(({ forgotten }) => !forgotten)
      .map((entry) => this.#observed(entry))
      .filter((run) => run !== null);
  }

  /** Runs whose Job exists and whose pod does not, although the Job may start. */
  withoutPod(): number {
    return [...this.#entries.values()].filter(
      ({ job, pod, forgotten }) => !forgotten && job !== null && pod === null && !isHeld({ job, pod }),
    ).length;
  }

  /** The Job stays in the cluster until its TTL; it is only hidden. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#observed(entry)?.state !== 'exited') return;
    this.#put(name, { forgotten: true });
  }

  #put(name: string, change: Partial<Entry>): void {
    const before = this.#entries.get(name);
    const seenAtMs = this.#options.now();
    const changed: Entry = { ...(before ?? newEntry), seenAtMs, ...change };
    // The pod of a run that is held is removed before it started: its Job starts another one later.
    const entry = changed.podDeleted && isHeld(changed) ? { ...changed, pod: null, podDeleted: false } : changed;
    const wasEnded = before !== undefined && this.#observed(before)?.state === 'exited';
    // An end without a time has the time of its first observation.
    const stopped = entry.stopped || isStopped(entry);
    const kept = { ...entry, stopped, seenAtMs: wasEnded ? before.seenAtMs : entry.seenAtMs };
    if (kept.forgotten && kept.job === null && (kept.podDeleted || kept.pod === null)) return this.#delete(name);
    const run = this.#observed(kept);
    const obstacle = run?.obstacle ?? null;
    this.#entries.set(name, { ...kept, reported: obstacle?.cause ?? null });
    if (kept.pod !== null && (before?.pod ?? null) === null) this.#options.onPod();
    if (run !== null && obstacle !== null && obstacle.cause !== kept.reported) this.#options.onObstacle(run, obstacle);
    const wasDisplaced = before !== undefined && this.#observed(before)?.displaced === true;
    if (kept.stopped && kept.job !== null) this.#options.onStopped(name);
    if (run?.displaced === true && !wasDisplaced) this.#options.onDisplaced();
    if (run?.state === 'running') this.#noteStart(name, kept, run);
    if (run?.state === 'exited' && !wasEnded) this.#options.onEnded(run);
  }

  /** A deleted Job without a pod can start nothing and has no evidence. */
  #dropJob(name: string): void {
    if (this.#entries.get(name)?.pod === null) this.#delete(name);
    else this.#put(name, { job: null });
  }

  #delete(name: string): void {
    this.#entries.delete(name);
    this.#started.delete(name);
  }

  #observed(entry: Entry): ObservedRun | null {
    return classifyRun(this.#objectsOf(entry));
  }

  #objectsOf({ job, pod, podDeleted, stopped, seenAtMs }: Entry): RunObjects {
    return {
      job,
      pod,
      podDeleted,
      stopped,
      seenAtMs,
      refusal: this.#refusals.get(job?.metadata?.uid ?? '') ?? null,
      nodeLeavesMs: this.#leaving.get(pod?.spec?.nodeName ?? '')?.sinceMs ?? null,
    };
  }

  #noteStart(name: string, { job }: Entry, { startedAtMs }: ObservedRun): void {
    const createdAt = job?.metadata?.creationTimestamp;
    if (createdAt === undefined || startedAtMs === undefined || this.#started.has(name)) return;
    this.#started.add(name);
    this.#options.onStarted(startedAtMs - (admittedAtMsOf(job) ?? new Date(createdAt).getTime()));
  }
}

const newEntry = {
  job: null,
  pod: null,
  podDeleted: false,
  stopped: false,
  jobSeenAtMs: 0,
  forgotten: false,
  reported: null,
};

function trimJob({ metadata, spec, status }: V1Job): V1Job {
  const { name, labels, creationTimestamp, uid, resourceVersion } = metadata ?? {};
  return {
    metadata: { name, labels, creationTimestamp, uid, resourceVersion } as V1Job['metadata'],
    spec: { suspend: spec?.suspend, template: { spec: { affinity: spec?.template?.spec?.affinity } } } as V1Job['spec'],
    status: { conditions: status?.conditions } as V1Job['status'],
  } as V1Job;
}

function trimPod({ metadata, spec, status }: V1Pod): V1Pod {
  const { name, labels, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  const { phase, reason, message, conditions, containerStatuses, initContainerStatuses } = status ?? {};
  return {
    metadata: { name, labels, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds },
    spec: { nodeName: spec?.nodeName, containers: [] },
    status: {
      phase,
      reason,
      message,
      conditions,
      containerStatuses: containerStatuses?.map(trimContainer),
      initContainerStatuses: initContainerStatuses?.map(trimContainer),
    },
  } as V1Pod;
}

function trimContainer({ name, state }: V1ContainerStatus): V1ContainerStatus {
  return { name, state } as V1ContainerStatus;
}
