import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

export interface BotProcess {
  readonly pid: number;
  /** `browser` is Chromium's own first process; the others have the type of their command line. */
  readonly kind: string;
}

/** Every process below another one, Chromium's by its kind. */
export async function processesBelow(rootPid: number): Promise<BotProcess[]> {
  const all = await Promise.all((await readdir('/proc')).map(Number).filter(Boolean).map(readProcess));
  const known = all.filter((one) => one !== null);
  const below = new Set([rootPid]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { pid, parent } of known) if (below.has(parent)) below.add(pid);
  }
  below.delete(rootPid);
  return known.filter(({ pid }) => below.has(pid)).map(({ pid, command }) => ({ pid, kind: kindOf(command) }));
}

/** Kills without waiting. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Ends processes with this folder on their command line, and waits until they are gone. */
export async function endProcessesNaming(folder: string): Promise<void> {
  for (let left = await processesNaming(folder); left.length > 0; left = await processesNaming(folder)) {
    for (const pid of left) killProcess(pid);
    await setTimeout(20);
  }
}

export async function processesNaming(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_pid, index) => lines[index]?.includes(folder));
}

async function readProcess(pid: number): Promise<{ pid: number; parent: number; command: string } | null> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name is in parentheses and may contain any character.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, parent, command };
  } catch {
    return null;
  }
}

function kindOf(command: string): string {
  const kind = /--type=([a-z-]+)/.exec(command)?.[1];
  return kind ?? (/chrom/i.test(command.split('\0')[0] ?? '') ? 'browser' : 'other');
}
