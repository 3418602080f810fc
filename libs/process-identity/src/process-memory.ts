import { readFileSync } from 'node:fs';

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
