import { readFileSync } from 'node:fs';
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

/**
 * Memory of the processes, with shared pages counted once. For a process with unreadable pages (a browser's sandboxed
 * ones) only memory that it shares with no file is counted.
 */
export function memoryBytesOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (kilobytesIn(pid, 'smaps_rollup', 'Pss') ?? anonymous(pid)) * 1_024, 0);
}

function anonymous(pid: number): number {
  return kilobytesIn(pid, 'status', 'RssAnon') ?? 0;
}

function kilobytesIn(pid: number, file: string, name: string): number | null {
  const text = read(`/proc/${pid}/${file}`);
  const found = text === null ? null : new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  return found ? Number(found[1]) : null;
}

/** Null for a process that has ended, or whose figures are unreadable. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
