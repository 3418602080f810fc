import { readAllStats, readStat, sumCpuMs, treeBelow } from '@rapporteur/process-identity';

/** User and system time of a process so far, in ms; 0 when it is gone. */
export function cpuMsOf(pid: number): number {
  return readStat(pid)?.cpuMs ?? 0;
}

/** The same for a process and everything it started, ended children included. */
export function treeCpuMsOf(pid: number): number {
  return sumCpuMs(treeBelow(pid, readAllStats()));
}
