import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A group of processes that the kernel measures, and limits, together: including ended ones, and orphans. */
export interface Cgroup {
  /** Adds a process; its later children are included. */
  add(pid: number): Promise<void>;
  /** User and system time of all that ever was in it, in ms. */
  cpuMs(): Promise<number>;
  /** The processes in it. */
  pids(): Promise<number[]>;
  /** At most so many cores for all of it together; null: as many as there are. @throws where the user may not */
  limitCpu(cores: number | null): Promise<void>;
  /** Removes it once it is empty. */
  remove(): Promise<void>;
}

export interface MemoryCgroup {
  add(pid: number): Promise<void>;
  usedBytes(): Promise<number>;
  limit(bytes: number): Promise<void>;
  /** Number of its processes that the kernel has killed for lack of memory. */
  killed(): Promise<number>;
  remove(): Promise<void>;
}

const root = '/sys/fs/cgroup';
const removeTries = 50;
/** As Kubernetes sets it. */
const cpuPeriodUs = 100_000;

/** The folder where groups of a kind can be created: of cgroup version 2, or of version 1. */
interface Place {
  readonly folder: string;
  readonly version: 1 | 2;
}

/** @returns null where this user cannot create one */
export async function openCpuCgroup(name: string): Promise<Cgroup | null> {
  const made = await make(name, 'cpuacct', 'cpu.stat');
  if (made === null) return null;
  const { folder, version } = made;
  // Version 1 limits in another hierarchy than the one that counts.
  const limiting = version === 1 ? await make(name, 'cpu', '') : null;
  const groups = [common(folder), ...(limiting === null ? [] : [common(limiting.folder)])];
  return {
    add: async (pid) => void (await Promise.all(groups.map((group) => group.add(pid)))),
    remove: async () => void (await Promise.all(groups.map((group) => group.remove()))),
    limitCpu: async (cores) => {
      const quota = cores === null ? null : String(Math.round(cores * cpuPeriodUs));
      if (version === 2) return await writeFile(join(folder, 'cpu.max'), `${quota ?? 'max'} ${cpuPeriodUs}`);
      if (limiting === null) throw new Error('This user cannot create a cgroup that limits CPU.');
      await writeFile(join(limiting.folder, 'cpu.cfs_period_us'), String(cpuPeriodUs));
      await writeFile(join(limiting.folder, 'cpu.cfs_quota_us'), quota ?? '-1');
    },
    pids: async () =>
      (await readFile(join(folder, 'cgroup.procs'), 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map(Number),
    cpuMs: async () => {
      if (version === 1) return Number(await readFile(join(folder, 'cpuacct.usage'), 'utf8')) / 1e6;
      return Number(/^usage_usec (\d+)/m.exec(await readFile(join(folder, 'cpu.stat'), 'utf8'))?.[1] ?? 0) / 1e3;
    },
  };
}

/** @returns null where this user cannot create one that limits memory */
export async function openMemoryCgroup(name: string): Promise<MemoryCgroup | null> {
  const made = await make(name, 'memory', 'memory.max');
  if (made === null) return null;
  const { folder, version } = made;
  const number = async (file: string): Promise<number> => Number(await readFile(join(folder, file), 'utf8'));
  const [used, limit, events] =
    version === 1
      ? ['memory.usage_in_bytes', 'memory.limit_in_bytes', 'memory.oom_control']
      : ['memory.current', 'memory.max', 'memory.events'];
  return {
    ...common(folder),
    usedBytes: () => number(used),
    limit: (bytes) => writeFile(join(folder, limit), String(Math.round(bytes))),
    killed: async () => Number(/^oom_kill (\d+)/m.exec(await readFile(join(folder, events), 'utf8'))?.[1] ?? 0),
  };
}

function common(folder: string): Pick<Cgroup, 'add' | 'remove'> {
  return {
    add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    remove: async () => {
      // It stays busy for a moment after the end of its last process.
      for (let tries = 0; tries < removeTries; tries += 1) {
        if (
          await rmdir(folder).then(
            () => true,
            (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
          )
        )
          return;
        await sleep(100);
      }
    },
  };
}

async function make(name: string, controller: string, proof: string): Promise<Place | null> {
  const places: Place[] = [
    { folder: join(root, name), version: 2 },
    { folder: join(root, controller, name), version: 1 },
  ];
  for (const place of places) {
    // With version 1 the root is a plain folder: a folder in it is no group.
    const marker = place.version === 2 ? join(root, 'cgroup.controllers') : join(root, controller, 'cgroup.procs');
    try {
      await access(marker);
      await mkdir(place.folder);
    } catch {
      continue;
    }
    const works = await access(join(place.folder, place.version === 2 ? proof : 'cgroup.procs')).then(
      () => true,
      () => false,
    );
    if (works) return place;
    await rmdir(place.folder).catch(() => undefined);
  }
  return null;
}
