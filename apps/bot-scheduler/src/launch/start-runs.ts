import { runsWantedSubject } from '@rapporteur/contracts';
import type { Bus } from '@rapporteur/event-bus';
import type { Logger } from '@rapporteur/service-runtime';
import { endDueGrants } from '../lifecycle/end-grants.ts';
import type { GrantEndDependencies } from '../lifecycle/end-grants.ts';
import type { Context } from '../schema/context.ts';
import type { BotLauncher } from './launcher.ts';
import { createReconciler } from './reconcile.ts';
import type { ReconcileDependencies } from './reconcile.ts';

interface RunDependencies
  extends Pick<Context, 'service' | 'config' | 'now'>, Omit<ReconcileDependencies, 'onEnded' | 'settings'> {
  readonly bus: Pick<Bus, 'onNotification'>;
  readonly endGrants: GrantEndDependencies['endGrants'];
}

/** Time to store the results of runs, in addition to their drain time. */
const afterDrainMs = 10_000;
/** Renewals that must state no lateness before new bots start again. */
const lateForRenewals = 5;
/** Minimum pause between two polls for waiting bots, however many are created. */
const runPollPauseMs = 250;

/** Launches and supervises runs until the service stops; then they drain, while their reports are still applied. */
export function startRuns(dependencies: RunDependencies): void {
  const { service, config, launcher, bus, logger } = dependencies;
  const grantEnds = service.repeat({
    what: 'Ending upload grants',
    everyMs: config.dataMaintenanceMs,
    work: () => endDueGrants(dependencies),
  });
  const reconciler = createReconciler({
    ...dependencies,
    onEnded: () => grantEnds.notify(),
    settings: {
      ...config,
      startDeadlineMs: config.launcher === 'kubernetes' ? config.kubernetesStartDeadlineMs : 0,
      lateForMs: config.waitsForCpu ? lateForRenewals * config.leaseRenewMs : 0,
      // Half of the time in which a cluster may add a node.
      cpuWaitMs: config.launcher === 'kubernetes' ? config.kubernetesStartDeadlineMs / 2 : config.cpuWaitMs,
    },
  });
  service.onStop('run stops', () => reconciler.settle());
  const sweep = service.repeat({
    what: 'Reconciling runs',
    everyMs: config.sweepMs,
    restMs: runPollPauseMs,
    work: async () => {
      // Waiting bots are launched as fast as the launcher allows, not once per sweep.
      if (await reconciler.round()) sweep.notify();
    },
  });
  launcher.onChange(() => sweep.notify());
  // Runs that outlive this replica are supervised by the others, or after its next start.
  if (!launcher.runsOutliveScheduler)
    service.onStop('running bots', () => drainRuns(launcher, config.drainMs, logger), config.drainMs + afterDrainMs);
  const wanted = bus.onNotification(runsWantedSubject, () => sweep.notify());
  service.onStop('launching', async () => {
    await wanted.stop();
    await reconciler.stopLaunching();
  });
}

/**
 * Requests every run to leave its meeting and save, and waits; after `drainMs` the rest is killed. A killed run's
 * recording so far is in storage, and the next start of the scheduler finalizes it.
 */
async function drainRuns(launcher: BotLauncher, drainMs: number, logger: Logger): Promise<void> {
  const running = (await launcher.observe()).filter((run) => run.state === 'running');
  if (running.length === 0) return;
  logger.info({ runs: running.length, drainMs }, 'Requesting every running bot to leave and save.');
  const results = await Promise.allSettled(running.map((run) => launcher.stop(run.name, { graceMs: drainMs })));
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected')
      logger.error({ err: result.reason, run: running[index]?.name }, 'A bot could not be ended.');
  }
}
