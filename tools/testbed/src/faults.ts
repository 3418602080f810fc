import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAllStats } from '@rapporteur/process-identity';
import { seeded } from '@rapporteur/simulator/seeded';

/** A row of a campaign: `times` faults of a kind, each of a target, and how long one lasts at least and at most. */
export interface FaultRow<Kind extends string = string, Target extends string = string> {
  readonly kind: Kind;
  readonly times: number;
  /** Every target gets a fault before one gets another; rows with the same list share this order. */
  readonly targets: readonly Target[];
  readonly lastsMs?: readonly [least: number, most: number];
}

export interface PlannedFault<Kind extends string = string, Target extends string = string> {
  readonly kind: Kind;
  readonly target: Target;
  /** After the end of the fault before it. */
  readonly pauseMs: number;
  readonly lastsMs: number;
}

/** The faults of a campaign, in sampled order. Pure: the same parameters give the same plan. */
export function planFaults<Kind extends string, Target extends string>(
  rows: readonly FaultRow<Kind, Target>[],
  { seed, pauseMs }: { readonly seed: number; readonly pauseMs: readonly [least: number, most: number] },
): PlannedFault<Kind, Target>[] {
  const random = seeded(seed);
  const between = ([least, most]: readonly [number, number]): number => Math.round(least + random() * (most - least));
  const shuffled = <Item>(items: readonly Item[]): Item[] =>
    items
      .map((item) => ({ item, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item);
  const left = new Map<readonly Target[], Target[]>();
  const nextOf = (targets: readonly Target[]): Target => {
    const turn = left.get(targets) ?? [];
    if (turn.length === 0) turn.push(...shuffled(targets));
    left.set(targets, turn);
    return turn.pop() as Target;
  };
  const places = shuffled(rows.flatMap((row) => Array.from({ length: row.times }, () => row)));
  return places.map(({ kind, targets, lastsMs = [0, 0] }) => ({
    kind,
    target: nextOf(targets),
    pauseMs: between(pauseMs),
    lastsMs: between(lastsMs),
  }));
}

/** Sequences that may run concurrently: a target, and the connections `target>server` of it, are in only one of them. */
export function inSequences<Fault extends PlannedFault>(faults: readonly Fault[], atOnce: number): Fault[][] {
  const clientOf = ({ target }: Fault): string => target.split('>')[0] ?? '';
  const clients = [...new Set(faults.map(clientOf))];
  return Array.from({ length: atOnce }, (_, index) =>
    faults.filter((fault) => clients.indexOf(clientOf(fault)) % atOnce === index),
  );
}

/** Injects faults one after the other. @param inject resolves at the end of its fault, before the next pause */
export async function injectFaults<Fault extends PlannedFault>(
  faults: readonly Fault[],
  inject: (fault: Fault) => Promise<void> | void,
): Promise<void> {
  for (const fault of faults) {
    await sleep(fault.pauseMs);
    await inject(fault);
  }
}

/** A process that has ended needs no signal. */
export function signalProcesses(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Suspends processes, as a machine without CPU time would. @returns resumes them */
export function freezeProcesses(pids: readonly number[]): () => void {
  signalProcesses(pids, 'SIGSTOP');
  return () => signalProcesses(pids, 'SIGCONT');
}

/** PostgreSQL has a process per connection, bot-scheduler a process per runner. */
export function childrenOf(pid: number): number[] {
  return readAllStats().flatMap((stat) => (stat.parent === pid ? [stat.pid] : []));
}

/** A TCP proxy on loopback in front of a server that can make it unresponsive. */
export interface FreezingProxy {
  /** The target's address, through the proxy. */
  readonly url: string;
  /** Nothing passes and nothing closes, new connections included, until `thaw`; nothing is lost. */
  freeze(): void;
  /** Closes every connection, and each new one until `thaw`: pending operations have an unknown outcome. */
  sever(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  let severed = false;
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (frozen) from.pause();
  };
  const gate = createServer((near) => {
    if (severed) {
      near.on('error', () => undefined).destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    forward(near, far);
    forward(far, near);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const url = new URL(target);
  url.port = String((gate.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    sever: () => {
      severed = true;
      for (const socket of sockets) socket.destroy();
    },
    thaw: () => {
      frozen = false;
      severed = false;
      for (const socket of sockets) socket.resume();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, 'close');
    },
  };
}
