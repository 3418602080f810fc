import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Which port each part wants first; the previous run's port comes next, then any free one. */
export async function choosePorts(
  wanted: Readonly<Record<string, number>>,
  previous: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const chosen: Record<string, number> = {};
  const taken = new Set<number>();
  for (const [name, first] of Object.entries(wanted)) {
    const candidates = [first, previous[name] ?? 0].filter((port) => port !== 0 && !taken.has(port));
    chosen[name] = (await firstFree(candidates)) ?? (await anyFree(taken));
    taken.add(chosen[name]);
  }
  return chosen;
}

async function firstFree(candidates: readonly number[]): Promise<number | null> {
  for (const port of candidates) if ((await tryPort(port)) !== null) return port;
  return null;
}

async function anyFree(taken: ReadonlySet<number>): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = await tryPort(0);
    if (port !== null && !taken.has(port)) return port;
  }
  throw new Error('No free port was found on 127.0.0.1.');
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

/** A port that is free right now. */
export function freePort(): Promise<number> {
  return anyFree(new Set());
}
