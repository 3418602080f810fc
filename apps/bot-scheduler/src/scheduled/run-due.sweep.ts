import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { SchedulerCounters } from '../metrics.ts';
import { startSweep } from '../sweep.ts';
import { runDue } from './run-due.ts';
import type { DueParts, DueSettings } from './run-due.ts';

export interface RunningDueParts extends DueParts {
  readonly settings: DueSettings & { readonly sweepMs: number };
  readonly counters: Pick<SchedulerCounters, 'dueBots'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the bots of schedules that are due, again and again. */
export function startRunningDue(parts: RunningDueParts): Repetition {
  const { counters, settings, clock, logger } = parts;
  const work = async (): Promise<void> => {
    const outcome = await runDue(parts);
    for (const kind of ['admitted', 'refused', 'missed'] as const) {
      if (outcome[kind] > 0) counters.dueBots.inc({ outcome: kind }, outcome[kind]);
    }
    if (outcome.admitted + outcome.refused + outcome.missed > 0) logger.info(outcome, 'Scheduled bots were due.');
  };
  return startSweep({ what: 'Sending scheduled bots', everyMs: settings.sweepMs, work, clock, logger });
}
