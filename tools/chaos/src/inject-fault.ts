import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import { childrenOf, freezeProcesses, planFaults, signalProcesses, startFreezingProxy } from '@rapporteur/testbed';
import type { FreezingProxy, PlannedFault } from '@rapporteur/testbed';

export const services = [
  'api-gateway',
  'bot-scheduler',
  'storage-config',
  'delivery',
  'sso-idp',
  'calendar-sync',
  'transcriber',
] as const;
/** Everything that can be killed or frozen. */
const targets = [...services, 'nats', 'postgres'] as const;
export type Target = (typeof targets)[number];

/** Every connection to a server whose network may fail: `client>server`. */
const links = [
  ...services.map((name) => `${name}>postgres` as const),
  ...services.filter((name) => name !== 'storage-config').map((name) => `${name}>nats` as const),
  'bot-runner>nats',
] as const;
type Link = (typeof links)[number];

/** `wipe`: NATS is killed and its JetStream store deleted. A killed service is restarted at once. */
export type ProcessFault = PlannedFault<'kill' | 'freeze' | 'wipe', Target>;
/** `stall`: traffic is delayed and then passes. `cut`: connections break, and new ones are refused. */
type LinkFault = PlannedFault<'stall' | 'cut', Link>;
export type Fault = ProcessFault | LinkFault;

export interface ChaosOptions {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  readonly wipes: number;
  /** Half of them stall a link, half cut it. */
  readonly networkFaults: number;
  /** The limit of a freeze, a stall and a cut. */
  readonly longestFreezeMs: number;
}

/** The faults of a campaign, in order. Pure: the same parameters give the same plan. */
export function planChaos(options: ChaosOptions): Fault[] {
  const { seed, kills, freezes, wipes, networkFaults, longestFreezeMs } = options;
  const away = [0, 3_000] as const;
  const frozen = [1_000, Math.max(1_000, longestFreezeMs)] as const;
  const rows = [
    { kind: 'kill', times: kills, targets, lastsMs: away },
    { kind: 'freeze', times: freezes, targets, lastsMs: frozen },
    { kind: 'wipe', times: wipes, targets: ['nats'], lastsMs: away },
    { kind: 'stall', times: Math.ceil(networkFaults / 2), targets: links, lastsMs: frozen },
    { kind: 'cut', times: Math.floor(networkFaults / 2), targets: links, lastsMs: frozen },
  ] as const;
  // A row's targets fit its kind.
  return planFaults<Fault['kind'], Fault['target']>(rows, { seed, pauseMs: [200, 3_000] }) as Fault[];
}

/** The network between the clients of PostgreSQL and NATS and these servers: one proxy per client and server. */
export interface Links {
  /** The address of `server` for `client` only. */
  reach(client: string, server: 'postgres' | 'nats', address: string): Promise<string>;
  /** @throws Error when no client uses this link */
  proxyOf(link: Link): FreezingProxy;
  stop(): Promise<void>;
}

export function createLinks(): Links {
  const proxies = new Map<string, FreezingProxy>();
  return {
    reach: async (client, server, address) => {
      const proxy = await startFreezingProxy(address);
      proxies.set(`${client}>${server}`, proxy);
      return proxy.url;
    },
    proxyOf: (link) => {
      const proxy = proxies.get(link);
      if (proxy === undefined) throw new Error(`Nothing connects through ${link}.`);
      return proxy;
    },
    stop: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
    },
  };
}

const isLinkFault = (fault: Fault): fault is LinkFault => fault.kind === 'stall' || fault.kind === 'cut';

/** Injects one fault into a running stack; resolves at its end, which is not the end of the recovery. */
export async function injectFault(
  { stack, links: network }: { readonly stack: RunningStack; readonly links: Links },
  fault: Fault,
): Promise<void> {
  if (!isLinkFault(fault)) return injectProcessFault(stack, fault);
  const proxy = network.proxyOf(fault.target);
  if (fault.kind === 'stall') proxy.freeze();
  else proxy.sever();
  try {
    await sleep(fault.lastsMs);
  } finally {
    proxy.thaw();
  }
}

/** As `injectFault`, for a fault of a process. */
export async function injectProcessFault(stack: RunningStack, { kind, target, lastsMs }: ProcessFault): Promise<void> {
  if (kind !== 'freeze' && (target === 'nats' || target === 'postgres')) {
    const server = stack.servers[target];
    await server.kill();
    if (kind === 'wipe') rmSync(join(stack.dataFolder.nats, 'store'), { recursive: true, force: true });
    await sleep(lastsMs);
    await server.start();
    return;
  }
  const pid = stack.pidOf(target);
  if (pid === undefined) throw new Error(`${target} does not run.`);
  if (kind === 'kill') {
    signalProcesses([pid], 'SIGKILL');
    return;
  }
  // The children of bot-scheduler are runners, which are not part of the service.
  const resume = freezeProcesses(target === 'postgres' ? [pid, ...childrenOf(pid)] : [pid]);
  try {
    await sleep(lastsMs);
  } finally {
    resume();
  }
}
