import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel tells of a process and all that it started, as long as they hang together. */
export interface TreeUse {
  /** User and system time, with that of descendants that ended and were waited for. */
  readonly cpuMs: number;
  readonly pids: readonly number[];
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

/** Linux counts these times in hundredths of a second, whatever its own clock does. */
const msPerTick = 10;

/** @returns null where there is no such process, or no /proc */
export function readTree(rootPid: number): TreeUse | null {
  const children = new Map<number, Process[]>();
  let root: Process | null = null;
  for (const process of allProcesses()) {
    if (process.pid === rootPid) root = process;
    const siblings = children.get(process.parent);
    if (siblings === undefined) children.set(process.parent, [process]);
    else siblings.push(process);
  }
  if (root === null) return null;
  const found = [root];
  for (const { pid } of found) found.push(...(children.get(pid) ?? []));
  return {
    cpuMs: found.reduce((sum, { ticks }) => sum + ticks, 0) * msPerTick,
    pids: found.map(({ pid }) => pid),
  };
}

/**
 * The memory of processes, each page shared among them counted once in all. Of a process that does not show its pages
 * (a browser's sandboxed ones) only what it shares with no file is counted.
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

function allProcesses(): Process[] {
  return pidsThere().flatMap((pid) => {
    const text = read(`/proc/${pid}/stat`);
    if (text === null) return [];
    // A process's name may hold anything, so what counts stands behind its last bracket.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
    return [{ pid, parent, ticks: user + system + childrenUser + childrenSystem }];
  });
}

function pidsThere(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Null for a process that has ended, or that does not show this. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
