import type { Executor } from '@rapporteur/database';
import { Router } from 'express';
import type { StartPace } from '../scheduled/lead-time.ts';
import type { BotLauncher, ClusterState, ObservedRun, StartObstacle } from './launcher.ts';

export interface CapacityDependencies {
  readonly database: Executor;
  readonly launcher: Pick<BotLauncher, 'observe' | 'pace' | 'refusal' | 'clusters'>;
  readonly maxConcurrentBots: number;
  readonly now: () => number;
}

/** Why bots wait, for operators. Counts are of the deployment, the pace is of the responding replica. */
export interface Capacity extends PaceFigures {
  /** Maximum number of running bots. */
  readonly limit: number;
  /** Bots that are launched and have not ended. */
  readonly used: number;
  readonly free: number;
  /** Bots that are due and wait for a launch. */
  readonly queued: number;
  /** Since when the bot that waits longest for its start was due; null: none waits. */
  readonly oldestQueuedSeconds: number | null;
  /** Launched, not started yet. */
  readonly pending: number;
  /** Pending, and the cluster has no node for them. */
  readonly unschedulable: number;
  /** Why launched bots do not start and launches are refused, with one message per cause. */
  readonly obstacles: readonly CountedObstacle[];
  /** When a bot that is created now is expected to start; null: not before another one ends. */
  readonly expectedPickupSeconds: number | null;
  /** Absent: there is one cluster, without a name. */
  readonly clusters?: readonly ClusterCapacity[];
}

/** The figures of the responding replica. */
export interface ClusterCapacity extends Omit<ClusterState, 'pace'>, PaceFigures {}

interface PaceFigures {
  /** Null: no limit. */
  readonly launchesPerSecond: number | null;
  /** 95th percentile of the time from launch to start; null: unknown. */
  readonly startSeconds: number | null;
}

export interface CountedObstacle extends StartObstacle {
  /** Number of runs that it prevents from starting; 0: launches are probed and refused. */
  readonly runs: number;
}

/** Conditions that determine when the next bots start. */
export interface StartConditions extends StartPace {
  readonly free: number;
  readonly obstacles: readonly CountedObstacle[];
}

/** Expected wait of a bot with so many others before it; null: until another one ends. Pure. */
export function expectedPickupMs(
  botsBefore: number,
  { free, obstacles, perSecond, startLatencyMs }: StartConditions,
): number | null {
  if (botsBefore >= free || obstacles.length > 0) return null;
  return (botsBefore / perSecond) * 1_000 + (startLatencyMs ?? 0);
}

/** @throws Error when the launcher cannot observe its runs, for no known reason */
export async function readStartConditions({
  database,
  launcher,
  maxConcurrentBots,
}: Omit<CapacityDependencies, 'now'>): Promise<
  StartConditions & { readonly used: number; readonly pending: readonly ObservedRun[] }
> {
  const [counts] = await database.query<{ used: number }>(
    `select count(*)::int as used from leases where state in ('launching', 'held')`,
  );
  const used = counts?.used ?? 0;
  const pending = await findPending(launcher);
  return {
    ...launcher.pace(),
    used,
    free: Math.max(0, maxConcurrentBots - used),
    pending,
    obstacles: countObstacles(pending, launcher.refusal()),
  };
}

/** Launched runs that have not started; none while they cannot be listed: the reason is an obstacle of its own. */
export async function findPending(launcher: Pick<BotLauncher, 'observe' | 'refusal'>): Promise<ObservedRun[]> {
  const runs = await launcher.observe().catch((error: unknown) => {
    if (launcher.refusal() === null) throw error;
    return [];
  });
  return runs.filter(({ state }) => state === 'pending');
}

function countObstacles(pending: readonly ObservedRun[], refusal: StartObstacle | null): CountedObstacle[] {
  const counted = new Map<string, CountedObstacle>();
  if (refusal !== null) counted.set(refusal.cause, { ...withoutNames(refusal), runs: 0 });
  for (const { obstacle } of pending) {
    if (obstacle === undefined) continue;
    const { runs, ...known } = counted.get(obstacle.cause) ?? { ...withoutNames(obstacle), runs: 0 };
    counted.set(obstacle.cause, { ...known, runs: runs + 1 });
  }
  return [...counted.values()];
}

/** Job and pod names contain the id of a bot. */
function withoutNames({ cause, message }: StartObstacle): StartObstacle {
  return { cause, message: message.replaceAll(/\bbot-[\w-]{1,100}/g, 'bot-…').slice(0, 500) };
}

export interface Queue {
  /** Bots that are due and wait for a launch. */
  readonly queued: number;
  /**
   * Since when the bot that waits longest was due: a bot waits until a run of it begins to join, however often it is
   * launched. Null: none waits.
   */
  readonly oldest: Date | null;
  /** Runs that hold a place. */
  readonly used: number;
}

export async function readQueue(database: Executor, at: Date): Promise<Queue> {
  const [queue] = await database.query<Queue>(queueSql, [at]);
  return queue ?? { queued: 0, oldest: null, used: 0 };
}

const queueSql = `
  select count(*) filter (where wants_run is not null and due_at <= $1)::int as queued,
    min(since) filter (where since <= $1) as oldest,
    (select count(*)::int from leases where state in ('launching', 'held')) as used
  from bots, lateral (select case when phase = 'queued' then coalesce(join_at, created_at) else due_at end as since) due
  where ended_at is null and (wants_run is not null or phase = 'queued')`;

export async function readCapacity(dependencies: CapacityDependencies): Promise<Capacity> {
  const { database, launcher, maxConcurrentBots, now } = dependencies;
  const at = new Date(now());
  const { queued, oldest } = await readQueue(database, at);
  const conditions = await readStartConditions(dependencies);
  const { used, free, pending, obstacles } = conditions;
  const pickupMs = expectedPickupMs(queued, conditions);
  return {
    limit: maxConcurrentBots,
    used,
    free,
    queued,
    oldestQueuedSeconds: oldest === null ? null : secondsOf(at.getTime() - oldest.getTime()),
    pending: pending.length,
    unschedulable: obstacles.find(({ cause }) => cause === 'unschedulable')?.runs ?? 0,
    obstacles,
    ...figuresOf(conditions),
    expectedPickupSeconds: pickupMs === null ? null : secondsOf(pickupMs),
    ...(launcher.clusters === undefined ? {} : { clusters: launcher.clusters().map(capacityOf) }),
  };
}

function capacityOf({ pace, refusal, ...state }: ClusterState): ClusterCapacity {
  return { ...state, refusal: refusal === null ? null : withoutNames(refusal), ...figuresOf(pace) };
}

function figuresOf({ perSecond, startLatencyMs }: StartPace): PaceFigures {
  return {
    launchesPerSecond: Number.isFinite(perSecond) ? Math.round(perSecond * 10) / 10 : null,
    startSeconds: startLatencyMs === null ? null : secondsOf(startLatencyMs),
  };
}

const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

/** `GET /capacity` for operators, next to `/metrics`: it contains no team and no bot, and requires no token. */
export function capacityRoutes(dependencies: CapacityDependencies): Router {
  const router = Router();
  router.get('/capacity', async (_request, response) => {
    response.json(await readCapacity(dependencies));
  });
  return router;
}
