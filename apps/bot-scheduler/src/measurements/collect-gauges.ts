import type { Executor } from '@rapporteur/database';
import type { Metrics } from '@rapporteur/service-runtime';
import { startObstacles } from '@rapporteur/bot-lifecycle';
import type { BotLauncher } from '../launch/launcher.ts';
import type { SchedulerCounters } from '../metrics.ts';

export interface GaugeDependencies {
  readonly database: Executor;
  readonly gauges: Pick<
    SchedulerCounters,
    'bots' | 'queued' | 'oldestQueued' | 'slotsUsed' | 'slots' | 'notStarted' | 'clusterRuns' | 'clustersReachable'
  >;
  readonly launcher: Pick<BotLauncher, 'observe' | 'clusters'>;
  readonly maxConcurrentBots: number;
  readonly now: () => number;
}

/** Reads the gauges of the deployment from the database and the launcher when they are scraped. */
export function collectGauges(metrics: Metrics, dependencies: GaugeDependencies): void {
  const { database, launcher, gauges, maxConcurrentBots, now } = dependencies;
  const { bots, queued, oldestQueued, slotsUsed, slots, notStarted, clusterRuns, clustersReachable } = gauges;
  slots.set({}, maxConcurrentBots);
  metrics.collect('bots', [bots, queued, oldestQueued, slotsUsed], async () => {
    const at = new Date(now());
    const counts = await database.query<{ phase: string; platform: string; count: number }>(
      `select phase, meeting_platform as platform, count(*)::int as count from bots where ended_at is null group by 1, 2`,
    );
    const [row] = await database.query<{ used: number; queued: number; oldest: Date | null }>(
      `select (select count(*)::int from leases where state in ('launching', 'held')) as used, count(*)::int as queued,
         min(due_at) as oldest from bots where wants_run is not null and due_at <= $1`,
      [at],
    );
    bots.reset();
    for (const { phase, platform, count } of counts) bots.set({ phase, platform }, count);
    queued.set({}, row?.queued ?? 0);
    slotsUsed.set({}, row?.used ?? 0);
    const oldestMs = row?.oldest == null ? 0 : at.getTime() - row.oldest.getTime();
    oldestQueued.set({}, oldestMs / 1_000);
  });
  metrics.collect('runs', [notStarted, clusterRuns, clustersReachable], async () => {
    const pending = (await launcher.observe()).filter(({ state }) => state === 'pending');
    for (const cause of ['none', ...startObstacles] as const)
      notStarted.set(
        { obstacle: cause },
        pending.filter(({ obstacle }) => (obstacle?.cause ?? 'none') === cause).length,
      );
    for (const { name: cluster, runs, reachable } of launcher.clusters?.() ?? []) {
      clusterRuns.set({ cluster }, runs);
      clustersReachable.set({ cluster }, reachable ? 1 : 0);
    }
  });
}
