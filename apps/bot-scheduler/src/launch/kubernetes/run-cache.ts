import type { V1Job, V1Pod } from '@kubernetes/client-node';
import { classifyRun } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';
import type { ObservedRun } from '../launcher.ts';

interface Entry extends RunObjects {
  readonly jobDeleted: boolean;
  readonly jobSeenAtMs: number;
  readonly forgotten: boolean;
}

export interface RunCacheOptions {
  readonly now: () => number;
  /** Called once for each run that ended. */
  readonly onEnded: (run: ObservedRun) => void;
  /** Called once for each run that started, with the time since its Job was created. */
  readonly onStarted: (latencyMs: number) => void;
}

const jobNameLabel = 'batch.kubernetes.io/job-name';

/** What list and watch said about Jobs and their pods, joined by run. Keeps only what decisions need. */
export class RunCache {
  readonly #entries = new Map<string, Entry>();
  readonly #started = new Set<string>();
  readonly #options: RunCacheOptions;

  constructor(options: RunCacheOptions) {
    this.#options = options;
  }

  putJob(job: V1Job, deleted: boolean): void {
    const name = job.metadata?.name ?? '';
    this.#put(name, { job: trimJob(job), jobDeleted: deleted, jobSeenAtMs: this.#options.now() });
  }

  putPod(pod: V1Pod, deleted: boolean): void {
    const name = pod.metadata?.labels?.[jobNameLabel];
    if (name !== undefined) this.#put(name, { pod: trimPod(pod), podDeleted: deleted });
  }

  /** Jobs that a complete list, begun at `listedAtMs`, does not hold any more. */
  keepJobs(names: ReadonlySet<string>, listedAtMs: number): void {
    for (const [name, entry] of this.#entries) {
      const known = entry.job !== null && !entry.jobDeleted && entry.jobSeenAtMs < listedAtMs;
      if (known && !names.has(name)) this.#put(name, { jobDeleted: true });
    }
  }

  keepPods(podNames: ReadonlySet<string>): void {
    for (const [name, { pod, podDeleted }] of this.#entries) {
      if (pod !== null && !podDeleted && !podNames.has(pod.metadata?.name ?? '')) this.#put(name, { podDeleted: true });
    }
  }

  find(name: string): { readonly objects: RunObjects; readonly run: ObservedRun } | null {
    const entry = this.#entries.get(name);
    const run = entry === undefined ? null : observed(entry);
    return entry === undefined || run === null ? null : { objects: entry, run };
  }

  runs(): ObservedRun[] {
    return [...this.#entries.values()]
      .filter(({ forgotten }) => !forgotten)
      .map(observed)
      .filter((run) => run !== null);
  }

  /** The Job stays in the cluster until its time is over; it is only shown no more. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined || observed(entry)?.state !== 'exited') return;
    this.#put(name, { forgotten: true });
  }

  #put(name: string, change: Partial<Entry>): void {
    const before = this.#entries.get(name);
    const seenAtMs = this.#options.now();
    const entry: Entry = {
      ...(before ?? { job: null, pod: null, podDeleted: false, jobDeleted: false, jobSeenAtMs: 0, forgotten: false }),
      seenAtMs,
      ...change,
    };
    const wasEnded = before !== undefined && observed(before)?.state === 'exited';
    // The time of an end without a time of its own is when it was first seen.
    const kept = wasEnded ? { ...entry, seenAtMs: before.seenAtMs } : entry;
    if (kept.forgotten && (kept.jobDeleted || kept.job === null) && (kept.podDeleted || kept.pod === null)) {
      this.#entries.delete(name);
      this.#started.delete(name);
      return;
    }
    this.#entries.set(name, kept);
    const run = observed(kept);
    if (run?.state === 'running') this.#noteStart(name, kept, run);
    if (run?.state === 'exited' && !wasEnded) this.#options.onEnded(run);
  }

  #noteStart(name: string, { job }: Entry, { startedAtMs }: ObservedRun): void {
    const createdAt = job?.metadata?.creationTimestamp;
    if (createdAt === undefined || startedAtMs === undefined || this.#started.has(name)) return;
    this.#started.add(name);
    this.#options.onStarted(startedAtMs - new Date(createdAt).getTime());
  }
}

/** A deleted Job without a pod can start nothing any more: the run is over. */
function observed({ jobDeleted, ...objects }: Entry): ObservedRun | null {
  return classifyRun(jobDeleted && objects.pod === null ? { ...objects, podDeleted: true } : objects);
}

function trimJob({ metadata, status }: V1Job): V1Job {
  const { name, labels, creationTimestamp, uid } = metadata ?? {};
  return {
    metadata: { name, labels, creationTimestamp, uid } as V1Job['metadata'],
    status: { conditions: status?.conditions } as V1Job['status'],
  } as V1Job;
}

function trimPod({ metadata, spec, status }: V1Pod): V1Pod {
  const { name, labels, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  const { phase, reason, message, conditions, containerStatuses } = status ?? {};
  return {
    metadata: { name, labels, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds },
    spec: { nodeName: spec?.nodeName, containers: [] },
    status: { phase, reason, message, conditions, containerStatuses: containerStatuses?.slice(0, 1) },
  } as V1Pod;
}
