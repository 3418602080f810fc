import { readdirSync, readFileSync } from 'node:fs';
import { readStat } from './process-stat.ts';

/** A process, distinguished from later ones with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat: start time in clock ticks since boot. */
  readonly startTicks: string;
}

/** Null when there is no such process, or only a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  const stat = readStat(pid);
  return stat === null || stat.state === 'Z' ? null : { pid, startTicks: stat.startTicks };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startTicks === identity.startTicks;
}

/** Sends a signal to exactly this process; false when it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every process whose environment or command line contains this text, except this one. The path of a work folder is in
 * the environment of a run and its descendants, and on the command line of its browser.
 */
export function findProcessesNaming(text: string): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const identity = identify(pid);
    if (identity !== null && (names(pid, 'environ', text) || names(pid, 'cmdline', text))) found.push(identity);
  }
  return found;
}

function names(pid: number, file: 'environ' | 'cmdline', text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/${file}`).includes(text);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}
