import { setTimeout as sleep } from 'node:timers/promises';
import { sumCpuMs } from '@rapporteur/process-identity';
import { openCpuCgroup } from './cgroup.ts';
import type { Cgroup } from './cgroup.ts';
import type { TreeProcess } from './process-tree.ts';
import { killNow, memoryOf, processTree, readProcesses } from './process-tree.ts';
import type { Sample } from './slope.ts';

export interface MemorySample {
  /** Epoch ms. */
  readonly atMs: number;
  /** MB of each kind of process: its proportional share, and its anonymous memory. */
  readonly byKind: Readonly<Record<string, number>>;
  readonly ownByKind: Readonly<Record<string, number>>;
}

const sampleEveryMs = 1_000;

/** The cost of one tree of processes. Read its CPU time while it runs; where there are cgroups, also afterwards. */
export class CostMeter {
  readonly #root: number;
  readonly #cgroup: Cgroup | null;
  readonly #stopped = new AbortController();
  readonly #sampling: Promise<void>;
  readonly samples: MemorySample[] = [];

  private constructor(root: number, cgroup: Cgroup | null) {
    this.#root = root;
    this.#cgroup = cgroup;
    this.#sampling = this.#sample();
  }

  /** Call right after the process was started: earlier children are not in the cgroup. */
  static async begin(pid: number): Promise<CostMeter> {
    const cgroup = await openCpuCgroup(`rapporteur-bench-${process.pid}-${pid}`);
    await cgroup?.add(pid);
    return new CostMeter(pid, cgroup);
  }

  /** `cgroup` counts everything; `proc` misses processes that ended without being waited for. */
  get source(): 'cgroup' | 'proc' {
    return this.#cgroup === null ? 'proc' : 'cgroup';
  }

  async cpuMs(): Promise<number> {
    return this.#cgroup === null ? sumCpuMs(await processTree(this.#root)) : await this.#cgroup.cpuMs();
  }

  /** Of the processes that live now, by what they are for. */
  async cpuMsByKind(): Promise<Record<string, number>> {
    const byKind: Record<string, number> = {};
    for (const { kind, cpuMs } of await this.#processes()) byKind[kind] = (byKind[kind] ?? 0) + cpuMs;
    return byKind;
  }

  async #processes(): Promise<TreeProcess[]> {
    return await (this.#cgroup === null ? processTree(this.#root) : this.#cgroup.pids().then(readProcesses));
  }

  /** MB of the whole tree, sampled each second. */
  totals({ fromMs = 0, untilMs = Infinity } = {}): Sample[] {
    return this.samples
      .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
      .map(({ atMs, byKind }) => ({ at: atMs, value: Object.values(byKind).reduce((sum, one) => sum + one, 0) }));
  }

  /** After the tree has ended: kills orphaned processes of it. Safe twice. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#sampling;
    for (const pid of (await this.#cgroup?.pids().catch(() => [])) ?? []) killNow(pid);
    await this.#cgroup?.remove();
  }

  async #sample(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const tree = await this.#processes();
      const sizes = await Promise.all(tree.map(({ pid }) => memoryOf(pid)));
      const byKind: Record<string, number> = {};
      const ownByKind: Record<string, number> = {};
      for (const [index, { kind }] of tree.entries()) {
        byKind[kind] = (byKind[kind] ?? 0) + (sizes[index]?.pssMb ?? 0);
        ownByKind[kind] = (ownByKind[kind] ?? 0) + (sizes[index]?.ownMb ?? 0);
      }
      this.samples.push({ atMs: Date.now(), byKind, ownByKind });
      await sleep(sampleEveryMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
  }
}
