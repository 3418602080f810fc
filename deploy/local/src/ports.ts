import { readFileSync } from 'node:fs';
import net, { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Range that is searched for a free port: below those that Kubernetes and the kernel assign. */
const searched: PortRange = { first: 20_000, last: 29_999 };
/** Distance between the first ports of processes with neighbouring PIDs. */
const portsOfProcess = 32;
const kernelRangeFile = '/proc/sys/net/ipv4/ip_local_port_range';

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Preference for each part: its requested port, then the previous run's port, then any free one. */
export async function choosePorts(
  wanted: Readonly<Record<string, number>>,
  previous: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const chosen: Record<string, number> = {};
  const taken = new Set<number>();
  for (const [name, first] of Object.entries(wanted)) {
    const candidates = [first, previous[name] ?? 0].filter((port) => port !== 0 && !taken.has(port));
    chosen[name] = (await firstFree(candidates)) ?? (await freePort());
    taken.add(chosen[name]);
  }
  return chosen;
}

async function firstFree(candidates: readonly number[]): Promise<number | null> {
  for (const port of candidates) if ((await tryPort(port)) !== null) return port;
  return null;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => resolve(found));
    });
  });
}

/** The range from which the kernel assigns ports for outgoing connections, and for servers that listen on port 0. */
export function kernelPorts(): PortRange {
  const [first = 0, last = 0] = readFileSync(kernelRangeFile, 'utf8').trim().split(/\s+/).map(Number);
  return { first, last };
}

const nextPort = Symbol.for('rapporteur.next-port');
/** Jest loads modules separately for each test file and for the set-up; only a core module is shared by all. */
const ofProcess = net as { [nextPort]?: number };

/**
 * A port for a server that starts later. The kernel assigns it to no other program in the meantime, and neither this
 * process nor another one that calls this function chooses it again soon.
 */
export async function freePort(): Promise<number> {
  const count = searched.last - searched.first + 1;
  const kernel = kernelPorts();
  if (kernel.first <= searched.last && kernel.last >= searched.first) return (await tryPort(0)) ?? noPort();
  for (let attempt = 0; attempt < count; attempt += 1) {
    const place = (ofProcess[nextPort] ?? process.pid * portsOfProcess) % count;
    ofProcess[nextPort] = place + 1;
    const port = searched.first + place;
    if ((await tryPort(port)) !== null) return port;
  }
  return noPort();
}

function noPort(): never {
  throw new Error('No free port was found on 127.0.0.1.');
}
