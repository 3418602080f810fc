import type { Executor } from '@rapporteur/database';
import type { BotLauncher } from './launcher.ts';

export interface CapacityDependencies {
  readonly database: Executor;
  readonly launcher: Pick<BotLauncher, 'observe' | 'pace'>;
  readonly maxConcurrentBots: number;
  readonly now: () => number;
}

/** What an operator needs to know when bots wait. Counts are of the deployment, the pace is of the replica that responses. */
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

export async function readCapacity({
  database,
  launcher,
  maxConcurrentBots,
  now,
}: CapacityDependencies): Promise<Capacity> {
  const at = new Date(now());
  const [counts] = await database.query<{ used: number; queued: number; oldest: Date | null }>(
    `select (select count(*)::int from leases where state in ('launching', 'held')) as used, count(*)::int as queued,
       min(due_at) as oldest
     from bots where wants_run is not null and due_at <= $1`,
    [at],
  );
  const { used = 0, queued = 0, oldest = null } = counts ?? {};
  const pending = (await launcher.observe()).filter(({ state }) => state === 'pending');
  const unschedulable = pending.filter(({ obstacle }) => obstacle?.cause === 'unschedulable').length;
  const { perSecond, startLatencyMs } = launcher.pace();
  const free = Math.max(0, maxConcurrentBots - used);
  const hasPlace = queued < free && unschedulable === 0;
  return {
    limit: maxConcurrentBots,
    used,
    free,
    queued,
    oldestQueuedSeconds: oldest === null ? null : secondsOf(at.getTime() - oldest.getTime()),
    pending: pending.length,
    unschedulable,
    launchesPerSecond: Number.isFinite(perSecond) ? Math.round(perSecond * 10) / 10 : null,
    startSeconds: startLatencyMs === null ? null : secondsOf(startLatencyMs),
    expectedPickupSeconds: hasPlace ? secondsOf((queued / perSecond) * 1_000 + (startLatencyMs ?? 0)) : null,
  };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;
