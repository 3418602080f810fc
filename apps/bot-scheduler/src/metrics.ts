import type { Metrics } from '@rapporteur/service-runtime';

/** Something that only goes up. */
export interface Count<Labels extends Record<string, string>> {
  inc(labels: Labels, value?: number): void;
}

/** Every metric of this service beside those of its runtime. */
export interface SchedulerCounters {
  readonly reports: Count<{ outcome: string }>;
  readonly launches: Count<{ mode: string }>;
  readonly deaths: Count<{ outcome: string }>;
  readonly dueBots: Count<{ outcome: string }>;
}

export function declareCounters(metrics: Metrics): SchedulerCounters {
  return {
    reports: metrics.counter(
      'rapporteur_runner_reports_total',
      'Reports of runners, by what became of them: applied, unstorable, duplicate, gap, fenced, unknown.',
      ['outcome'],
    ),
    launches: metrics.counter('rapporteur_runs_launched_total', 'Runs started, by mode: attend, finalize.', ['mode']),
    deaths: metrics.counter(
      'rapporteur_runs_marked_failed_total',
      'Runs that ended without saying so, by what was done: launch-again, finalize, ended, nothing.',
      ['outcome'],
    ),
    dueBots: metrics.counter(
      'rapporteur_scheduled_bots_due_total',
      'Scheduled bots whose time came, by what became of them: admitted, refused, missed.',
      ['outcome'],
    ),
  };
}
