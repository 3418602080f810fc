import type { ResourceUsage, UploadKind, UploadsByKind } from '@rapporteur/contracts';
import { memoryBytesOf, readTree } from './process-tree.ts';

const cpuEveryMs = 5_000;
/** Adding up pages costs some 50 ms: it is done when a run begins, then ever more seldom, at last once a minute. */
const memoryEvery = 12;

/**
 * What this run has used so far: processor time and memory of its process and everything under it, also of browsers that
 * died, and what it uploaded. A browser that is killed takes with it what it spent since it was last looked at.
 */
export class ResourceUsageMeter {
  readonly #rootPid: number;
  #timer: NodeJS.Timeout | null = null;
  #polls = 0;
  /** Of processes that nobody waited for: the kernel forgets them. */
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

  /** One request wrote so much to the object store. */
  uploaded(bytes: number, kind: UploadKind): void {
    const before = this.#uploads.get(kind) ?? { bytes: 0, requests: 0 };
    this.#uploads.set(kind, { bytes: before.bytes + bytes, requests: before.requests + 1 });
  }

  /** As it was when it last looked. */
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

  /** Looks now. */
  sample(): ResourceUsage {
    const tree = readTree(this.#rootPid);
    const treeMs = tree?.cpuMs ?? (this.#treeMs === null ? null : 0);
    // Time that was used stays spent: what a tree has less of now was somebody's who left it.
    if (treeMs !== null && this.#treeMs !== null) this.#forgottenMs += Math.max(0, this.#treeMs - treeMs);
    this.#treeMs = treeMs;
    if (tree && addsUpPages(this.#polls))
      this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes ?? 0, memoryBytesOf(tree.pids));
    this.#polls += 1;
    return this.resourceUsage;
  }
}

/** @param looks taken before: with the first, the second, the fourth, the eighth, and once a minute */
export function addsUpPages(polls: number): boolean {
  return polls % memoryEvery === 0 || [1, 3, 7].includes(polls);
}
