import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, appendFile, constants, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endChild, hasEnded } from '@rapporteur/process-identity';
import { freePort } from '@rapporteur/testbed';
import { newUser, openBucketOwner } from './s3-server.ts';
import type { S3Server, S3User } from './s3-server.ts';
import { clusterConfig, clusterKeys, monitorAddress } from './radosgw-config.ts';
import type { ClusterLayout } from './radosgw-config.ts';

const run = promisify(execFile);
const folderPrefix = 'rapporteur-radosgw-';
const commandDeadlineMs = 20_000;
const daemonList = 'daemons.txt';
/** Owns every bucket. */
const owner = 'rapporteur';

/** The Debian package of each program of the harness. `monmaptool` is part of ceph-base, a dependency of ceph-mon. */
const programs = {
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  ceph: 'ceph-common',
  'ceph-authtool': 'ceph-common',
  'radosgw-admin': 'ceph-common',
  monmaptool: 'ceph-mon',
} as const;

export interface RadosgwOptions {
  /** Default 60 000. */
  readonly deadlineMs?: number;
  /** Where the programs are; default: the search path. */
  readonly searchFolders?: readonly string[];
}

/**
 * Starts ceph-mon, a storage daemon in memory and radosgw on free loopback ports in a temporary folder; takes about
 * 10 seconds. Throws with the packages to install when a program is missing, and with the end of the daemons' logs
 * when they do not respond in time. Leftovers of runs that were killed are removed first.
 */
export async function startRadosgw(options: RadosgwOptions = {}): Promise<S3Server> {
  const located = await locatePrograms(options.searchFolders ?? (await searchPath()));
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  await writeFile(join(folder, 'owner.pid'), String(process.pid));
  const daemons: ChildProcess[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      // Killed: a clean shutdown would take radosgw several seconds.
      for (const daemon of daemons.toReversed()) await endChild(daemon, []);
      await rm(folder, { recursive: true, force: true });
    })());
  try {
    const deadline = AbortSignal.timeout(options.deadlineMs ?? 60_000);
    const user = await startCluster({ folder, daemons, deadline, located });
    const region = 'us-east-1';
    const principalOf = (name: string): string => `arn:aws:iam:::user/${name}`;
    return {
      ...openBucketOwner({ ...user, region, principals: [principalOf(owner)] }, principalOf),
      stop,
      createUser: (name) => createUser({ folder, located }, name),
    };
  } catch (error) {
    const logs = await lastLines(join(folder, 'log'));
    await stop();
    throw new Error(`radosgw did not start: ${(error as Error).message}\n${logs}`, { cause: error });
  }
}

async function createUser(
  { folder, located }: { readonly folder: string; readonly located: Programs },
  name: string,
): Promise<S3User> {
  const user = newUser();
  await run(located['radosgw-admin'], userArguments(join(folder, 'ceph.conf'), name, user), {
    timeout: commandDeadlineMs,
    killSignal: 'SIGKILL',
  });
  return user;
}

function userArguments(configFile: string, name: string, user: S3User): string[] {
  const keys = ['--access-key', user.accessKeyId, '--secret-key', user.secretAccessKey];
  return ['-c', configFile, 'user', 'create', '--uid', name, '--display-name', name, ...keys];
}

interface Starting {
  readonly folder: string;
  /** Grows while the cluster starts. */
  readonly daemons: ChildProcess[];
  readonly deadline: AbortSignal;
  readonly located: Programs;
}

async function startCluster({ folder, daemons, deadline, located }: Starting) {
  const [first, second, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  const layout: ClusterLayout = {
    folder,
    fsid: randomUUID(),
    monitorPorts: [first ?? 0, second ?? 0],
    gatewayPort: gatewayPort ?? 0,
  };
  const configFile = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(join(folder, name));
  await writeFile(configFile, clusterConfig(layout));
  const command = (program: keyof typeof programs, ...parameters: string[]) =>
    run(located[program], parameters, { timeout: commandDeadlineMs, killSignal: 'SIGKILL', signal: deadline });
  const start = async (program: keyof typeof programs, ...parameters: string[]) => {
    const daemon = spawn(located[program], ['-c', configFile, ...parameters, '-f'], { stdio: 'ignore' });
    daemons.push(daemon);
    await appendFile(join(folder, daemonList), `${daemon.pid}\n`);
  };

  await makeKeysAndMap(layout, command);
  await command('ceph-mon', '-c', configFile, '-i', 'a', '--mkfs', '--monmap', join(folder, 'monmap'));
  await start('ceph-mon', '-i', 'a');
  const storageId = randomUUID();
  await command('ceph', '-c', configFile, 'osd', 'new', storageId);
  await command('ceph-osd', '-c', configFile, '-i', '0', '--mkfs', '--osd-uuid', storageId);
  await start('ceph-osd', '-i', '0');
  const user = newUser();
  await command('radosgw-admin', ...userArguments(configFile, owner, user));
  await start('radosgw', '-n', 'client.rgw');
  const endpoint = `http://127.0.0.1:${layout.gatewayPort}`;
  await untilResponding(endpoint, daemons, deadline);
  return { endpoint, ...user };
}

async function makeKeysAndMap(
  layout: ClusterLayout,
  command: (program: keyof typeof programs, ...parameters: string[]) => Promise<unknown>,
): Promise<void> {
  const keyring = join(layout.folder, 'keyring');
  await command('ceph-authtool', '--create-keyring', keyring);
  for (const { name, capabilities } of clusterKeys) {
    await command('ceph-authtool', keyring, '--gen-key', '-n', name, ...capabilities);
  }
  const address = monitorAddress(layout);
  await command('monmaptool', '--create', '--fsid', layout.fsid, '--addv', 'a', address, join(layout.folder, 'monmap'));
}

async function untilResponding(endpoint: string, daemons: readonly ChildProcess[], deadline: AbortSignal) {
  for (;;) {
    deadline.throwIfAborted();
    const dead = daemons.find(hasEnded);
    if (dead !== undefined) throw new Error(`${dead.spawnfile} ended with code ${dead.exitCode ?? dead.signalCode}.`);
    const response = await fetch(endpoint, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await sleep(100);
  }
}

/** Where each program is. */
type Programs = Readonly<Record<keyof typeof programs, string>>;

async function locatePrograms(searchFolders: readonly string[]): Promise<Programs> {
  const found: Record<string, string> = {};
  for (const program of Object.keys(programs)) {
    for (const path of searchFolders.map((folder) => join(folder, program))) {
      if (program in found || !(await isRunnable(path))) continue;
      found[program] = path;
    }
  }
  const missing = Object.keys(programs).filter((program) => !(program in found));
  if (missing.length === 0) return found as Programs;
  throw new Error(
    `The S3 tests need ${missing.join(', ')}, which this machine does not have. Install the Debian packages: ` +
      `apt-get install -y --no-install-recommends ${[...new Set(Object.values(programs))].join(' ')}`,
  );
}

function isRunnable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The search path of this process, as its own children see it. */
async function searchPath(): Promise<string[]> {
  const { stdout } = await run('/bin/sh', ['-c', 'printf %s "$PATH"'], { timeout: commandDeadlineMs });
  return stdout.split(delimiter).filter((folder) => folder !== '');
}

/** A killed run leaves its folder and its daemons; both are removed once the owning process has ended. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const folder = join(tmpdir(), name);
    const owner = Number(await readFile(join(folder, 'owner.pid'), 'utf8').catch(() => '0'));
    if (owner === 0 || isAlive(owner)) continue;
    const pids = await readFile(join(folder, daemonList), 'utf8').catch(() => '');
    for (const pid of pids.trim().split('\n').map(Number)) {
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (pid > 0 && commandLine.includes(folder)) process.kill(pid, 'SIGKILL');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function lastLines(folder: string): Promise<string> {
  const parts: string[] = [];
  for (const file of await readdir(folder).catch(() => [])) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    parts.push(`--- ${file}`, ...text.trimEnd().split('\n').slice(-8));
  }
  return parts.join('\n');
}
