import { degradationSteps } from '@rapporteur/contracts';
import type { Metrics } from '@rapporteur/service-runtime';
import { startObstacles } from '@rapporteur/bot-lifecycle';
import { findPending, readQueue } from '../launch/capacity.ts';
import type { BotLauncher } from '../launch/launcher.ts';
import { launchRefusals } from '../metrics.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { Context } from '../schema/context.ts';

export interface GaugeDependencies extends Pick<Context, 'database' | 'now'> {
  readonly gauges: Pick<
    SchedulerCounters,
    | 'bots'
    | 'degraded'
    | 'queued'
    | 'oldestQueued'
    | 'slotsUsed'
    | 'slots'
    | 'notStarted'
    | 'launchesRefused'
    | 'clusterRuns'
    | 'clustersReachable'
  >;
  readonly launcher: Pick<BotLauncher, 'observe' | 'clusters' | 'refusal'>;
  readonly maxConcurrentBots: number;
}

/** Reads the gauges of the deployment from the database and the launcher when they are scraped. */
export function collectGauges(metrics: Metrics, dependencies: GaugeDependencies): void {
  const { database, launcher, gauges, maxConcurrentBots, now } = dependencies;
  const { bots, queued, oldestQueued, slotsUsed, slots, notStarted, launchesRefused, clusterRuns, clustersReachable } =
    gauges;
  slots.set({}, maxConcurrentBots);
  metrics.collect('bots', [bots, gauges.degraded, queued, oldestQueued, slotsUsed], async () => {
    const at = new Date(now());
    const counts = await database.query<{ phase: string; platform: string; count: number }>(
      `select phase, meeting_platform as platform, count(*)::int as count from bots where ended_at is null group by 1, 2`,
    );
    const steps = await database.query<{ step: string; count: number }>(
      `select degraded as step, count(*)::int as count from bots where phase = 'recording' and degraded is not null group by 1`,
    );
    for (const step of degradationSteps)
      gauges.degraded.set({ step }, steps.find((one) => one.step === step)?.count ?? 0);
    const queue = await readQueue(database, at);
    bots.reset();
    for (const { phase, platform, count } of counts) bots.set({ phase, platform }, count);
    queued.set({}, queue.queued);
    slotsUsed.set({}, queue.used);
    const oldestMs = queue.oldest === null ? 0 : at.getTime() - queue.oldest.getTime();
    oldestQueued.set({}, oldestMs / 1_000);
  });
  metrics.collect('runs', [notStarted, launchesRefused, clusterRuns, clustersReachable], async () => {
    const refusal = launcher.refusal()?.cause;
    for (const cause of launchRefusals) launchesRefused.set({ cause }, cause === refusal ? 1 : 0);
    const pending = await findPending(launcher);
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
