import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endChild, runProgram, untilReady } from '@rapporteur/process-identity';
import { nodeAddresses } from '../certificates.ts';

/** One node: its addresses, its folder, and the command that enters its namespaces. */
export interface NodePlace {
  readonly name: string;
  /** The address of the node, on the bridge of its pods. */
  readonly address: string;
  readonly podNetwork: string;
  readonly folder: string;
  /** Path below each hierarchy of cgroups. */
  readonly cgroup: string;
  /** Before each program of the node; empty for the namespaces of the tests. */
  readonly enter: readonly string[];
}

export const bridge = 'pods0';
/** The network of the pods of both nodes. */
export const clusterNetwork = '10.244.0.0/16';
const link = 'link0';
const commandDeadlineMs = 30_000;
/** Folders outside that of the node into which its programs write. They are empty and end with the namespaces. */
const hiddenFolders = ['/run/netns', '/run/containerd', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers'];

export async function run(program: string, ...args: readonly string[]): Promise<void> {
  await runProgram({ program, arguments: args, deadlineMs: commandDeadlineMs });
}

/** Name of the second node's folder and cgroup, below those of the first. */
export const secondNode = 'node-2';

export interface NodeNetwork {
  readonly places: readonly [NodePlace, NodePlace];
  /** Ends the namespaces of the second node. */
  stop(): Promise<void>;
}

/**
 * The network of two nodes. The first is in the namespaces of the caller; the second has a network and a mount namespace
 * of its own, and one link to the first. Pods of both reach each other.
 */
export async function prepareNetwork(folder: string): Promise<NodeNetwork> {
  const first = placeOf(folder, 0, []);
  mkdirSync(first.folder);
  await run('bash', '-c', prepareCommands(first));
  await run('ip', 'route', 'add', 'default', 'dev', bridge);
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 localhost api.rapporteur.localhost files.rapporteur.localhost\n');
  await run('mount', '--bind', hosts, '/etc/hosts');
  // Namespaces last as long as this process.
  const holder = spawn('unshare', ['--mount', '--net', 'bash', '-c', 'echo unshared; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): Promise<void> => endChild(holder);
  try {
    const unshared = new Promise((resolve) => holder.stdout.once('data', resolve));
    await untilReady(holder, unshared, { name: 'unshare', deadlineMs: commandDeadlineMs });
    const second = placeOf(folder, 1, ['nsenter', `--target=${holder.pid}`, '--net', '--mount']);
    mkdirSync(second.folder);
    await inPlace(second, 'bash', '-c', prepareCommands(second));
    await connect(first, second, String(holder.pid));
    return { places: [first, second], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function placeOf(folder: string, index: 0 | 1, enter: readonly string[]): NodePlace {
  const name = `node-${index + 1}`;
  const cgroup = basename(folder);
  return {
    name,
    address: nodeAddresses[index],
    podNetwork: `10.244.${index}.0/24`,
    folder: join(folder, name),
    cgroup: index === 0 ? cgroup : `${cgroup}/${secondNode}`,
    enter,
  };
}

async function inPlace({ enter }: NodePlace, ...command: readonly string[]): Promise<void> {
  const [program = '', ...args] = [...enter, ...command];
  await run(program, ...args);
}

function prepareCommands({ address }: NodePlace): string {
  return [
    'set -e',
    'ip link set lo up',
    `ip link add ${bridge} type bridge`,
    `ip addr add ${address}/24 dev ${bridge}`,
    `ip link set ${bridge} up`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    'echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables',
    ...hiddenFolders.map((hidden) => `mkdir -p ${hidden} && mount -t tmpfs tmpfs ${hidden}`),
  ].join('\n');
}

/** `network`: the process whose network namespace is that of the second node. */
async function connect(first: NodePlace, second: NodePlace, network: string): Promise<void> {
  await run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', link, 'netns', network);
  // The link has no addresses: each end answers for those of its node.
  const through = (to: string, via: NodePlace, from: NodePlace): string[] => {
    return ['route', 'add', to, 'via', via.address, 'dev', link, 'onlink', 'src', from.address];
  };
  for (const place of [first, second]) await inPlace(place, 'ip', 'link', 'set', link, 'up');
  await inPlace(first, 'ip', ...through(second.podNetwork, second, first));
  await inPlace(second, 'ip', ...through('default', first, second));
}
