import { readAllStats, sumCpuMs, treeBelow } from '@rapporteur/process-identity';

/** Kernel figures of a process and all its descendants, as long as the tree is connected. */
export interface TreeUse {
  /** User and system time, including descendants that ended and were waited for. */
  readonly cpuMs: number;
  readonly pids: readonly number[];
}

/** @returns null where there is no such process, or no /proc */
export function readTree(rootPid: number): TreeUse | null {
  const tree = treeBelow(rootPid, readAllStats());
  return tree.length === 0 ? null : { cpuMs: sumCpuMs(tree), pids: tree.map(({ pid }) => pid) };
}
