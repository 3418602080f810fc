import type { Executor } from '@rapporteur/database';
import type { StartPace } from '../scheduled/lead-time.ts';
import type { BotLauncher } from './launcher.ts';

export interface CapacityDependencies {
  readonly database: Executor;
  readonly launcher: Pick<BotLauncher, 'observe' | 'pace'>;
  readonly maxConcurrentBots: number;
  readonly now: () => number;
}

/** What an operator needs to know when bots wait. Counts are of the deployment, the pace is of the replica that answers. */
export interface Capacity {
  /** Bots that may run at the same time. */
  readonly limit: number;
  /** Bots that have been launched and have not ended. */
  readonly used: number;
  readonly free: number;
  /** Bots that are due and wait for a launch. */
  readonly queued: number;
  /** Age of the oldest of them; null: none waits. */
  readonly oldestQueuedSeconds: number | null;
  /** Launched, and not started yet. */
  readonly pending: number;
  /** Pending, and the cluster has no node for them. */
  readonly unschedulable: number;
  /** Null: nothing limits it. */
  readonly launchesPerSecond: number | null;
  /** Time from launch to start that 95 of 100 runs stay below; null: not known yet. */
  readonly startSeconds: number | null;
  /** When a bot that is created now can expect to start; null: not before another one ends. */
  readonly expectedPickupSeconds: number | null;
}

/** What decides when the next bots start. */
export interface StartConditions extends StartPace {
  readonly free: number;
  /** Bots that were launched and have no node. */
  readonly unschedulable: number;
}

/** How long a bot with so many others before it waits for its start; null: until another one ends. Pure. */
export function expectedPickupMs(
  botsBefore: number,
  { free, unschedulable, perSecond, startLatencyMs }: StartConditions,
): number | null {
  if (botsBefore >= free || unschedulable > 0) return null;
  return (botsBefore / perSecond) * 1_000 + (startLatencyMs ?? 0);
}

/** @throws Error when the launcher cannot observe its runs at present */
export async function readStartConditions({
  database,
  launcher,
  maxConcurrentBots,
}: Omit<CapacityDependencies, 'now'>): Promise<StartConditions & { readonly used: number; readonly pending: number }> {
  const [counts] = await database.query<{ used: number }>(
    `select count(*)::int as used from leases where state in ('launching', 'held')`,
  );
  const used = counts?.used ?? 0;
  const pending = (await launcher.observe()).filter(({ state }) => state === 'pending');
  return {
    ...launcher.pace(),
    used,
    free: Math.max(0, maxConcurrentBots - used),
    pending: pending.length,
    unschedulable: pending.filter(({ obstacle }) => obstacle?.cause === 'unschedulable').length,
  };
}

export async function readCapacity(dependencies: CapacityDependencies): Promise<Capacity> {
  const { database, maxConcurrentBots, now } = dependencies;
  const at = new Date(now());
  const [counts] = await database.query<{ queued: number; oldest: Date | null }>(
    'select count(*)::int as queued, min(due_at) as oldest from bots where wants_run is not null and due_at <= $1',
    [at],
  );
  const { queued = 0, oldest = null } = counts ?? {};
  const conditions = await readStartConditions(dependencies);
  const { used, free, pending, unschedulable, perSecond, startLatencyMs } = conditions;
  const pickupMs = expectedPickupMs(queued, conditions);
  return {
    limit: maxConcurrentBots,
    used,
    free,
    queued,
    oldestQueuedSeconds: oldest === null ? null : secondsOf(at.getTime() - oldest.getTime()),
    pending,
    unschedulable,
    launchesPerSecond: Number.isFinite(perSecond) ? Math.round(perSecond * 10) / 10 : null,
    startSeconds: startLatencyMs === null ? null : secondsOf(startLatencyMs),
    expectedPickupSeconds: pickupMs === null ? null : secondsOf(pickupMs),
  };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;
