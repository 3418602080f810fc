import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts process time in ticks of 10 ms everywhere this runs. */
const msPerTick = 10;

/** User and system time of a process so far, in ms; its ended children's too where asked for. */
export function cpuMsOf(pid: number, { withEnded = false } = {}): number {
  const fields = statOf(pid);
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (withEnded ? (endedUser ?? 0) + (endedSystem ?? 0) : 0)) * msPerTick;
}

/** The same for a process and everything it started. */
export function treeCpuMsOf(pid: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statOf(Number(name))[1])]),
  );
  const isBelow = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && parent > 0 && (parent === pid || isBelow(parent));
  };
  return [pid, ...[...parents.keys()].filter(isBelow)].reduce((sum, one) => sum + cpuMsOf(one, { withEnded: true }), 0);
}

/** Fields of /proc/<pid>/stat behind the command, state first; empty when the process is gone. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
