import type { AttendanceEnd } from '@rapporteur/contracts';
import { readCounter } from './cgroup-counters.ts';

/** The counters of this container, in cgroups version 2 and 1. */
const counters = ['/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control'];
const message = 'The browser of the bot ran out of memory. What was recorded before is kept.';

/** Processes of this container that the kernel has killed for lack of memory; 0 without a readable counter. */
export function readMemoryKills(files: readonly string[] = counters): number {
  return readCounter('oom_kill', files);
}

/** Changes INTERNAL_ERROR to OOM_KILLED when the kernel has killed a process of the bot. */
export function withMemoryKills(
  end: AttendanceEnd,
  { before, after }: Record<'before' | 'after', number>,
): AttendanceEnd {
  return end.code === 'INTERNAL_ERROR' && after > before ? { ...end, code: 'OOM_KILLED', message } : end;
}
