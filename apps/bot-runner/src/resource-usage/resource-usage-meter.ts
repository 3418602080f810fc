import type { ResourceUsage, UploadKind, UploadsByKind } from '@rapporteur/contracts';
import { memoryBytesOf, readAllStats, sumCpuMs, treeBelow } from '@rapporteur/process-identity';

const cpuEveryMs = 5_000;
/** Memory is summed page by page, in some 50 ms: at the start of a run, then at growing intervals up to a minute. */
const memoryEvery = 12;

/**
 * The resource usage of this run so far: CPU time and memory of its process tree, including browsers that exited, and
 * uploaded bytes. The usage of a killed browser since the last sample is lost.
 */
export class ResourceUsageMeter {
  readonly #rootPid: number;
  #timer: NodeJS.Timeout | null = null;
  #polls = 0;
  /** CPU time of processes that were not waited for: the kernel drops it. */
  #forgottenMs = 0;
  #treeMs: number | null = null;
  #peakMemoryBytes: number | null = null;
  readonly #uploads = new Map<UploadKind, { bytes: number; requests: number }>();

  constructor(rootPid: number = process.pid) {
    this.#rootPid = rootPid;
  }

  start(): void {
    this.sample();
    this.#timer ??= setInterval(() => this.sample(), cpuEveryMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Counts the bytes of one request to the object store. */
  uploaded(bytes: number, kind: UploadKind): void {
    const before = this.#uploads.get(kind) ?? { bytes: 0, requests: 0 };
    this.#uploads.set(kind, { bytes: before.bytes + bytes, requests: before.requests + 1 });
  }

  /** As of the last sample. */
  get resourceUsage(): ResourceUsage {
    const uploads = [...this.#uploads.values()];
    return {
      cpuMs: this.#treeMs === null ? null : this.#forgottenMs + this.#treeMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      uploadedBytes: uploads.reduce((sum, { bytes }) => sum + bytes, 0),
      uploadRequests: uploads.reduce((sum, { requests }) => sum + requests, 0),
      uploads: Object.fromEntries(this.#uploads) as UploadsByKind,
    };
  }

  /** Samples now. */
  sample(): ResourceUsage {
    const tree = readTree(this.#rootPid);
    const treeMs = tree?.cpuMs ?? (this.#treeMs === null ? null : 0);
    // Used time stays counted: a decrease is the time of a process that left the tree.
    if (treeMs !== null && this.#treeMs !== null) this.#forgottenMs += Math.max(0, this.#treeMs - treeMs);
    this.#treeMs = treeMs;
    if (tree && addsUpPages(this.#polls))
      this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes ?? 0, memoryBytesOf(tree.pids));
    this.#polls += 1;
    return this.resourceUsage;
  }
}

/** @param polls number of earlier samples: true for the first, second, fourth and eighth sample, and once a minute */
export function addsUpPages(polls: number): boolean {
  return polls % memoryEvery === 0 || [1, 3, 7].includes(polls);
}

/** Kernel figures of a process and all its descendants, as long as the tree is connected. */
interface TreeUse {
  /** User and system time, including descendants that ended and were waited for. */
  readonly cpuMs: number;
  readonly pids: readonly number[];
}

/** @returns null where there is no such process, or no /proc */
export function readTree(rootPid: number): TreeUse | null {
  const tree = treeBelow(rootPid, readAllStats());
  return tree.length === 0 ? null : { cpuMs: sumCpuMs(tree), pids: tree.map(({ pid }) => pid) };
}
