import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryCgroup } from '../measure/cgroup.ts';
import { endWithProgram } from '../measure/leftovers.ts';

/** A limit on the memory of one bot. */
export interface Shortage {
  /** Lowers it until the kernel has killed a process of the bot. @returns epoch ms of the kill */
  press(): Promise<number>;
  remove(): Promise<void>;
}

const pressMs = 60_000;
const stepMs = 20;
/** The limit shrinks while the kernel can free unused memory; then it stays this close above the usage. */
const shrinking = 0.9;
const roomBytes = 2 ** 18;

/** @returns null where this user can make no cgroup with a limit */
export async function openShortage(pid: number): Promise<Shortage | null> {
  const group = await openMemoryCgroup(`rapporteur-bench-memory-${process.pid}-${pid}`);
  if (group === null) return null;
  await group.add(pid);
  const remove = endWithProgram(() => group.remove());
  return {
    remove: async () => void (await remove()),
    press: async () => {
      const before = await group.killed();
      try {
        for (const untilMs = Date.now() + pressMs; (await group.killed()) === before; await sleep(stepMs)) {
          if (Date.now() > untilMs) throw new Error('The kernel killed nothing although the memory was short.');
          const usedBytes = await group.usedBytes();
          // Refused below the current usage.
          await group.limit(usedBytes * shrinking).catch(() => undefined);
          await group.limit(usedBytes + roomBytes).catch(() => undefined);
        }
        return Date.now();
      } finally {
        // A restarted process has memory again, as in another pod.
        await group.limit(2 ** 40);
      }
    },
  };
}
