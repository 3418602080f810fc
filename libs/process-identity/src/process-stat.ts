import { readdirSync, readFileSync } from 'node:fs';

/** The content of a line of /proc/<pid>/stat. */
export interface ProcessStat {
  readonly name: string;
  /** One letter; `Z`: zombie. */
  readonly state: string;
  readonly parent: number;
  /** User and system time of its own. */
  readonly cpuMs: number;
  /** The same of its children that ended and were waited for, theirs included. */
  readonly endedCpuMs: number;
  /** When it was started, in clock ticks since boot. */
  readonly startTicks: string;
}

/** Linux counts these times in hundredths of a second, independent of its own clock. */
const msPerTick = 10;

/** @returns null when it is no such line, or cut off */
export function parseStat(text: string): ProcessStat | null {
  // The name is in parentheses and may have any characters.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state, parent] = fields;
  const startTicks = fields[19];
  if (end < 0 || state === undefined || parent === undefined || startTicks === undefined) return null;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state,
    parent: Number(parent),
    cpuMs: (user + system) * msPerTick,
    endedCpuMs: (endedUser + endedSystem) * msPerTick,
    startTicks,
  };
}

/** Null when no such process is there. */
export function readStat(pid: number): ProcessStat | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

/** The figures of all processes on this machine; none where there is no /proc. */
export function readAllStats(): (ProcessStat & { readonly pid: number })[] {
  return pidsNow().flatMap((pid) => {
    const stat = readStat(pid);
    return stat === null ? [] : [{ pid, ...stat }];
  });
}

function pidsNow(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Those processes that are `root` or descend from it, the root first. */
export function treeBelow<T extends { readonly pid: number; readonly parent: number }>(
  root: number,
  all: readonly T[],
): T[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** CPU time of processes: their own, and that of their ended children. */
export function sumCpuMs(processes: readonly Pick<ProcessStat, 'cpuMs' | 'endedCpuMs'>[]): number {
  return processes.reduce((sum, { cpuMs, endedCpuMs }) => sum + cpuMs + endedCpuMs, 0);
}
