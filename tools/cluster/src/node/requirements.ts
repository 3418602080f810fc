import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { MissingPrerequisite } from '../binaries.ts';

export const cniFolder = '/usr/lib/cni';

/** Debian packages, each with a program or file that shows that it is there. */
const packages = [
  { name: 'containerd', probe: 'containerd' },
  { name: 'runc', probe: 'runc' },
  { name: 'containernetworking-plugins', probe: join(cniFolder, 'bridge') },
  { name: 'iptables', probe: 'iptables' },
  { name: 'iproute2', probe: 'ip' },
  { name: 'buildah', probe: 'buildah' },
  { name: 'mmdebstrap', probe: 'mmdebstrap' },
];

/** Seconds to wait for another apt or dpkg of this machine. */
const waitForLock = ['-o', 'DPkg::Lock::Timeout=600'];
const aptDeadlineMs = 1_800_000;

function isPresent(probe: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [probe, ...folders.map((folder) => join(folder, probe))].some((file) => isAbsolute(file) && existsSync(file));
}

/** Installs the missing Debian packages. Throws MissingPrerequisite, saying what a full node needs. */
export function requireNodeMachine(say: (text: string) => void): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new MissingPrerequisite(
      'A full node needs Linux and root: it mounts, makes cgroups and network namespaces. As root: npm run test:cluster -- --node.',
    );
  if (!existsSync('/sys/fs/cgroup/memory') && !existsSync('/sys/fs/cgroup/cgroup.controllers'))
    throw new MissingPrerequisite(
      'A full node needs cgroups under /sys/fs/cgroup, and neither the controller "memory" of version 1 nor version 2 is mounted there.',
    );
  const missing = packages.filter(({ probe }) => !isPresent(probe)).map(({ name }) => name);
  if (missing.length === 0) return;
  say(`Installing Debian packages, once: ${missing.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', [...waitForLock, 'update', '-qq'], { stdio: 'ignore', env, timeout: aptDeadlineMs });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  const { status } = spawnSync('apt-get', [...waitForLock, ...install], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
    timeout: aptDeadlineMs,
  });
  if (status !== 0)
    throw new MissingPrerequisite(
      `A full node needs these Debian packages: ${missing.join(' ')}. apt-get did not install them.`,
    );
}
