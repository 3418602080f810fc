import { readdir, readFile } from 'node:fs/promises';
import { parseStat, treeBelow } from '@rapporteur/process-identity';
import type { ProcessStat } from '@rapporteur/process-identity';

export interface TreeProcess extends Pick<ProcessStat, 'parent' | 'cpuMs' | 'endedCpuMs'> {
  readonly pid: number;
  /** `node`, `Xvfb`, `ffmpeg` and so on; of a browser what the process is for: `browser`, `renderer`, `gpu-process`. */
  readonly kind: string;
}

/** A process and its current descendants. Reads without blocking: the sender of frames may share this process. */
export async function processTree(root: number): Promise<TreeProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return treeBelow(root, await readProcesses(pids));
}

/** Those of them that live now. */
export async function readProcesses(pids: readonly number[]): Promise<TreeProcess[]> {
  return (await Promise.all(pids.map(readProcess))).filter((one) => one !== null);
}

/** Proportional share of memory in MB: shared pages are divided by their users. */
export interface MemoryShare {
  readonly pssMb: number;
  /** Its anonymous part. Pages of programs count for less while others run the same program; these do not. */
  readonly ownMb: number;
}

/** Nothing when the process is gone. */
export async function memoryOf(pid: number): Promise<MemoryShare> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const mb = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1_024;
  return { pssMb: mb('Pss'), ownMb: mb('Pss_Anon') + mb('Pss_Shmem') };
}

/** Whether it still runs or not. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function readProcess(pid: number): Promise<TreeProcess | null> {
  try {
    const stat = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (stat === null) return null;
    const { name, parent, cpuMs, endedCpuMs } = stat;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, parent, cpuMs, endedCpuMs, kind: kindOf(name, command) };
  } catch {
    return null;
  }
}

function kindOf(name: string, command: string): string {
  const [program = ''] = command.split('\0');
  if (!/chrom/i.test(program)) return name === 'MainThread' ? 'node' : name;
  return /--type=([a-z-]+)/.exec(command)?.[1] ?? (/crashpad/.test(program) ? 'crashpad' : 'browser');
}
