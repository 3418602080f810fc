import { readdirSync, readFileSync } from 'node:fs';
import { readAllStats, readStat, sumCpuMs, treeBelow } from '@rapporteur/process-identity';

/** User and system time of a process so far, in ms; 0 when it is gone. */
export function cpuMsOf(pid: number): number {
  return readStat(pid)?.cpuMs ?? 0;
}

/** The same for a process and everything it started, ended children included. */
export function treeCpuMsOf(pid: number): number {
  return sumCpuMs(treeBelow(pid, readAllStats()));
}

/** CPU time of these processes and their descendants, to the nanosecond; of live threads. */
export function exactCpuMsOf(pids: readonly number[]): number {
  const stats = readAllStats();
  const all = new Set(pids.flatMap((pid) => treeBelow(pid, stats).map((stat) => stat.pid)));
  let nanoseconds = 0;
  for (const pid of all) {
    for (const thread of listed(`/proc/${pid}/task`)) {
      nanoseconds += Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
    }
  }
  return nanoseconds / 1e6;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended.
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '0';
  }
}
