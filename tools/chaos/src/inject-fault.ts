import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStack } from '@rapporteur/local-stack/stack';
import type { Links } from './links.ts';
import type { Fault, LinkFault, ProcessFault } from './plan.ts';

/** Injects one fault into a running stack; resolves at its end, which is not the end of the recovery. */
export function injectFault(
  { stack, links }: { readonly stack: RunningStack; readonly links: Links },
  fault: Fault,
): Promise<void> {
  return isLinkFault(fault) ? injectLinkFault(links, fault) : injectProcessFault(stack, fault);
}

function isLinkFault(fault: Fault): fault is LinkFault {
  return fault.kind === 'stall' || fault.kind === 'cut';
}

async function injectLinkFault(links: Links, { kind, target, lastsMs }: LinkFault): Promise<void> {
  const proxy = links.proxyOf(target);
  if (kind === 'stall') proxy.freeze();
  else proxy.sever();
  try {
    await sleep(lastsMs);
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
    signal([pid], 'SIGKILL');
    return;
  }
  // The children of bot-scheduler are runners, which are not part of the service.
  const frozen = target === 'postgres' ? [pid, ...childrenOf(pid)] : [pid];
  signal(frozen, 'SIGSTOP');
  try {
    await sleep(lastsMs);
  } finally {
    signal(frozen, 'SIGCONT');
  }
}

/** A process that has ended, or that the stack is restarting, needs no signal. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Of PostgreSQL a process per connection, of bot-scheduler a process per runner. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
