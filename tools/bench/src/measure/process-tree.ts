import { readdir, readFile } from 'node:fs/promises';

export interface TreeProcess {
  readonly pid: number;
  readonly parent: number;
  /** `node`, `Xvfb`, `ffmpeg` and so on; of a browser what the process is for: `browser`, `renderer`, `gpu-process`. */
  readonly kind: string;
  /** User and system time of its own, in ms. */
  readonly cpuMs: number;
  /** The same of its children that ended and were waited for, theirs included. */
  readonly endedCpuMs: number;
}

/** Linux counts process time in ticks of 10 ms everywhere this runs. */
const msPerTick = 10;

/** A process and everything below it that lives now. Reads without blocking: what sends pictures may share this process. */
export async function processTree(root: number): Promise<TreeProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return below(root, await readProcesses(pids));
}

/** Those of them that live now. */
export async function readProcesses(pids: readonly number[]): Promise<TreeProcess[]> {
  return (await Promise.all(pids.map(readProcess))).filter((one) => one !== null);
}

/** Of some processes those that are `root` or descend from it. */
export function below<T extends { readonly pid: number; readonly parent: number }>(
  root: number,
  all: readonly T[],
): T[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** All the time a tree took: that of the living, and of the dead as their parents counted it. */
export function treeCpuMs(tree: readonly TreeProcess[]): number {
  return tree.reduce((sum, { cpuMs, endedCpuMs }) => sum + cpuMs + endedCpuMs, 0);
}

/** Proportional share of memory in MB: what is shared is divided by who shares it. 0 when the process is gone. */
export async function pssMbOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024;
}

/** Whether it still runs or not. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** One line of /proc/<pid>/stat. @returns null when it is none */
export function readStat(
  text: string,
): (Pick<TreeProcess, 'parent' | 'cpuMs' | 'endedCpuMs'> & { name: string }) | null {
  // The name stands in parentheses and may hold anything.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  if (end < 0 || fields.length < 15) return null;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    cpuMs: (user + system) * msPerTick,
    endedCpuMs: (endedUser + endedSystem) * msPerTick,
  };
}

async function readProcess(pid: number): Promise<TreeProcess | null> {
  try {
    const stat = readStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (stat === null) return null;
    const { name, ...figures } = stat;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, ...figures, kind: kindOf(name, command) };
  } catch {
    return null;
  }
}

function kindOf(name: string, command: string): string {
  const [program = ''] = command.split('\0');
  if (!/chrom/i.test(program)) return name === 'MainThread' ? 'node' : name;
  return /--type=([a-z-]+)/.exec(command)?.[1] ?? (/crashpad/.test(program) ? 'crashpad' : 'browser');
}
