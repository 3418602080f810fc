import type { Executor } from '@rapporteur/database';
import type { Metrics } from '@rapporteur/service-runtime';
import type { SchedulerCounters } from '../metrics.ts';
import type { CanaryRunRow } from '../schema/canary-entities.ts';
import { findNewestRuns } from './canaries.store.ts';

const runsCounted = 10;

/** Reads the gauges of canaries from the database when they are scraped. */
export function collectCanaryGauges(
  metrics: Metrics,
  database: Executor,
  { canaryFailures, canaryLate }: Pick<SchedulerCounters, 'canaryFailures' | 'canaryLate'>,
): void {
  metrics.collect('canaries', [canaryFailures, canaryLate], async () => {
    const runs = (await findNewestRuns(database, runsCounted)).filter(
      ({ outcome }) => (outcome ?? 'skipped') !== 'skipped',
    );
    canaryFailures.reset();
    canaryLate.reset();
    for (const own of Map.groupBy(runs, ({ canary }) => canary).values()) {
      const [newest] = own;
      if (newest === undefined) continue;
      const { canary, platform, outcome, failed_step: step } = newest;
      canaryLate.set({ canary, platform }, outcome === 'warning' ? 1 : 0);
      if (step === null) continue;
      canaryFailures.set({ canary, platform, step, element: failedElementOf(newest) ?? 'none' }, failuresInARow(own));
    }
  });
}

/** Of runs, the newest first: how many failed at the step of the newest. */
export function failuresInARow(runs: readonly Pick<CanaryRunRow, 'failed_step'>[]): number {
  const step = runs[0]?.failed_step ?? null;
  if (step === null) return 0;
  const other = runs.findIndex(({ failed_step }) => failed_step !== step);
  return other === -1 ? runs.length : other;
}

/** The element of the page pack that decided the failed step. */
export function failedElementOf({ failed_step, result }: Pick<CanaryRunRow, 'failed_step' | 'result'>): string | null {
  return result?.steps.find(({ step }) => step === failed_step)?.element ?? null;
}
