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
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { imagesEnvironment, prepareImages } from './images.ts';
import { secondNode } from './node-network.ts';
import { requireNodeMachine } from './requirements.ts';
import { provideBinaries, provideHelm, provideNodeBinaries } from '../binaries.ts';

const cgroups = '/sys/fs/cgroup';
const folderVariable = 'RAPPORTEUR_NODE_FOLDER';
/** The kernel removes an ended process from its cgroup a moment after its parent knows. */
const emptyWithinMs = 30_000;

/** The folder of this full node; null outside its namespaces. Its name is that of its cgroup. */
export function nodeFolder(): string | null {
  return process.env[folderVariable] ?? null;
}

/**
 * Runs commands one after the other, each in network, mount and process namespaces of its own, with everything that
 * `startFullNode` needs. Nothing outlives a command: the processes, mounts, interfaces and firewall rules end with their
 * namespaces, cgroups and files are removed. Returns the first exit code other than 0, else 0; throws
 * MissingPrerequisite.
 */
export async function runInNodeNamespaces(
  commands: readonly (readonly string[])[],
  { imagesTag, say }: { readonly imagesTag: string | undefined; readonly say: (text: string) => void },
): Promise<number> {
  requireNodeMachine(say);
  await provideBinaries(say);
  await provideNodeBinaries(say);
  await provideHelm(say);
  const images = mkdtempSync(join(tmpdir(), 'rapporteur-images-'));
  try {
    prepareImages(images, imagesTag, say);
    const codes: number[] = [];
    for (const command of commands) codes.push(await runInNamespaces(command, images, say));
    return codes.find((code) => code !== 0) ?? 0;
  } finally {
    rmSync(images, { recursive: true, force: true });
  }
}

async function runInNamespaces(
  command: readonly string[],
  images: string,
  say: (text: string) => void,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-node-'));
  const tmp = join(folder, 'tmp');
  mkdirSync(tmp, { mode: 0o1777 });
  const cgroup = basename(folder);
  try {
    for (const name of [cgroup, join(cgroup, secondNode)]) makeCgroup(name);
    // The shell collects ended processes of the namespace.
    const script = '"$@"; exit $?';
    const child = spawn(
      'unshare',
      ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', script, 'bash', ...command],
      {
        stdio: 'inherit',
        env: { ...process.env, ...imagesEnvironment(images), [folderVariable]: folder, TMPDIR: tmp },
      },
    );
    say(`Nodes in ${folder}. A shell beside them: nsenter --target "$(pgrep --parent ${child.pid})" --all bash`);
    // unshare blocks the signals that end other programs. With it, everything in its namespaces is killed.
    const kill = (): void => void child.kill('SIGKILL');
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, kill);
    try {
      const [code] = (await once(child, 'exit')) as [number | null];
      return code ?? 1;
    } finally {
      for (const signal of signals) process.off(signal, kill);
    }
  } finally {
    await removeCgroup(cgroup);
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
    if (hierarchy === cgroups)
      writeFileSync(join(cgroups, dirname(name), 'cgroup.subtree_control'), '+cpu +cpuset +memory +pids +io');
    mkdirSync(join(hierarchy, name), { recursive: true });
  }
}

async function removeCgroup(name: string): Promise<void> {
  for (const hierarchy of hierarchies())
    for (const deadline = Date.now() + emptyWithinMs; ; await sleep(100)) {
      const error = removeEmptyFolders(join(hierarchy, name));
      if (error === null) break;
      if (Date.now() > deadline)
        throw new Error(`The cgroup ${name} of ${hierarchy} was not removed.`, { cause: error });
    }
}

/** Returns why it could not be done. */
function removeEmptyFolders(folder: string): unknown {
  if (!existsSync(folder)) return null;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).toReversed())
      if (entry.isDirectory()) rmdirSync(join(entry.parentPath, entry.name));
    rmdirSync(folder);
    return null;
  } catch (error) {
    return error;
  }
}

/** SIGKILL for every process below the folders of this name in the cgroup of a node. */
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
