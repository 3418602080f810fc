import type { Spent } from '@rapporteur/contracts';
import { memoryBytesOf, readTree } from './process-tree.ts';

const cpuEveryMs = 5_000;
/** Adding up pages costs some 50 ms: it is done when a run begins, then ever more seldom, at last once a minute. */
const memoryEvery = 12;

/**
 * What this run has spent so far: processor time and memory of its process and everything under it, also of browsers that
 * died, and what it uploaded. A browser that is killed takes with it what it spent since it was last looked at.
 */
export class SpentMeter {
  readonly #rootPid: number;
  #timer: NodeJS.Timeout | null = null;
  #looks = 0;
  /** Of processes that nobody waited for: the kernel forgets them. */
  #forgottenMs = 0;
  #treeMs: number | null = null;
  #peakMemoryBytes: number | null = null;
  #uploadedBytes = 0;

  constructor(rootPid: number = process.pid) {
    this.#rootPid = rootPid;
  }

  start(): void {
    this.look();
    this.#timer ??= setInterval(() => this.look(), cpuEveryMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  uploaded(bytes: number): void {
    this.#uploadedBytes += bytes;
  }

  /** As it was when it last looked. */
  get spent(): Spent {
    return {
      cpuMs: this.#treeMs === null ? null : this.#forgottenMs + this.#treeMs,
      peakMemoryBytes: this.#peakMemoryBytes,
      uploadedBytes: this.#uploadedBytes,
    };
  }

  /** Looks now. */
  look(): Spent {
    const tree = readTree(this.#rootPid);
    const treeMs = tree?.cpuMs ?? (this.#treeMs === null ? null : 0);
    // Time that was spent stays spent: what a tree has less of now was somebody's who left it.
    if (treeMs !== null && this.#treeMs !== null) this.#forgottenMs += Math.max(0, this.#treeMs - treeMs);
    this.#treeMs = treeMs;
    if (tree && addsUpPages(this.#looks))
      this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes ?? 0, memoryBytesOf(tree.pids));
    this.#looks += 1;
    return this.spent;
  }
}

/** @param looks taken before: with the first, the second, the fourth, the eighth, and once a minute */
export function addsUpPages(looks: number): boolean {
  return looks % memoryEvery === 0 || [1, 3, 7].includes(looks);
}
