import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { prepareImages } from './images.ts';
import { requireNodeMachine } from './requirements.ts';
import { provideBinaries, provideHelm, provideNodeBinaries } from '../binaries.ts';

const cgroups = '/sys/fs/cgroup';
const folderVariable = 'RAPPORTEUR_NODE_FOLDER';

/** The folder of this full node; null outside its namespaces. Its name is that of its cgroup. */
export function nodeFolder(): string | null {
  return process.env[folderVariable] ?? null;
}

/**
 * Runs a command in network, mount and process namespaces of its own, with everything that `startFullNode` needs.
 * Nothing outlives it: the processes, mounts, interfaces and firewall rules end with their namespaces, cgroups and
 * files are removed. Returns the exit code; throws MissingPrerequisite.
 */
export async function runInNodeNamespaces(
  command: readonly string[],
  { imagesTag, say }: { readonly imagesTag: string | undefined; readonly say: (text: string) => void },
): Promise<number> {
  requireNodeMachine(say);
  await provideBinaries(say);
  await provideNodeBinaries(say);
  await provideHelm(say);
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-node-'));
  const tmp = join(folder, 'tmp');
  mkdirSync(tmp, { mode: 0o1777 });
  try {
    prepareImages(join(folder, 'images'), imagesTag, say);
    makeCgroup(basename(folder));
    // The shell collects ended processes of the namespace.
    const script = 'ip link set lo up && "$@"; exit $?';
    const child = spawn(
      'unshare',
      ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', script, 'bash', ...command],
      { stdio: 'inherit', env: { ...process.env, [folderVariable]: folder, TMPDIR: tmp } },
    );
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, forward);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    removeCgroup(basename(folder));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
  }
}

/** One folder per hierarchy of version 1, or the one of version 2. */
function hierarchies(): string[] {
  if (existsSync(join(cgroups, 'cgroup.controllers'))) return [cgroups];
  const entries = readdirSync(cgroups, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(cgroups, name));
}

function makeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) {
    if (hierarchy === cgroups) writeFileSync(join(cgroups, 'cgroup.subtree_control'), '+cpu +cpuset +memory +pids +io');
    mkdirSync(join(hierarchy, name), { recursive: true });
  }
}

function removeCgroup(name: string): void {
  for (const hierarchy of hierarchies()) removeEmptyFolders(join(hierarchy, name));
}

function removeEmptyFolders(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  rmdirSync(folder);
}

/** SIGKILL for every process below the folders of this name in the cgroup of a full node. */
export function killProcesses(cgroup: string, folderName: string): void {
  const [hierarchy = cgroups] = hierarchies().filter((folder) => existsSync(join(folder, cgroup)));
  const entries = readdirSync(join(hierarchy, cgroup), { recursive: true, withFileTypes: true });
  const files = entries.filter(({ name, parentPath }) => name === 'cgroup.procs' && parentPath.includes(folderName));
  const pids = files.flatMap(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8').trim().split('\n'));
  for (const pid of pids.map(Number).filter((one) => one > 0)) killIfThere(pid);
}

/** The processes of a container end with its first one. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
