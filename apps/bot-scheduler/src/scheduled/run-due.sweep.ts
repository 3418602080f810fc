import type { Repetition } from '@rapporteur/service-runtime';
import type { SchedulerCounters } from '../metrics.ts';
import { startPeriodicTask } from '@rapporteur/async';
import { findDue, leadTimeMs } from './lead-time.ts';
import type { StartPace } from './lead-time.ts';
import { runDue } from './run-due.ts';
import type { DueDependencies, DueSettings } from './run-due.ts';
import type { Context } from '../schema/context.ts';

export interface RunningDueDependencies extends DueDependencies, Pick<Context, 'clock' | 'logger'> {
  readonly settings: DueSettings & { readonly sweepMs: number };
  readonly counters: Pick<SchedulerCounters, 'dueBots'>;
  /** The current start rate. */
  readonly pace: () => StartPace;
}

/** Less than the 4 minutes before the join time in which a schedule cannot be changed. */
export const longestLeadMs = 230_000;

/** Creates the bots of due schedules periodically. */
export function startRunningDue(dependencies: RunningDueDependencies): Repetition {
  const { counters, settings, clock, logger } = dependencies;
  const work = async (): Promise<void> => {
    const scheduledLeadMs = await findLead(dependencies);
    const outcome = await runDue({ ...dependencies, settings: { ...settings, scheduledLeadMs } });
    for (const kind of ['admitted', 'refused', 'missed'] as const) {
      if (outcome[kind] > 0) counters.dueBots.inc({ outcome: kind }, outcome[kind]);
    }
    if (outcome.admitted + outcome.refused + outcome.missed > 0) logger.info(outcome, 'Scheduled bots were due.');
  };
  return startPeriodicTask({ what: 'Sending scheduled bots', everyMs: settings.sweepMs, work }, { clock, logger });
}

async function findLead({ database, pace, settings, clock }: RunningDueDependencies): Promise<number> {
  const nowMs = clock.now();
  const due = await findDue(database, nowMs, longestLeadMs);
  return leadTimeMs(due, pace(), { leastMs: settings.scheduledLeadMs, mostMs: longestLeadMs }, nowMs);
}
