import type { CanaryList } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { CanaryRunRow } from '../schema/canary-entities.ts';
import { findNewestRuns } from './canaries.store.ts';
import type { Canary } from './read-canaries.ts';

const runsShown = 20;

/** The configured canaries with their newest runs, for operators. */
export async function listCanaries(executor: Executor, canaries: readonly Canary[]): Promise<CanaryList> {
  const due = await executor.query<{ name: string; due_at: Date }>('select name, due_at from canaries');
  const runs = await findNewestRuns(executor, runsShown + 1);
  return {
    canaries: canaries.map(({ name, platform, interval_seconds }) => {
      const own = runs.filter(({ canary }) => canary === name);
      const ended = own.filter(({ ended_at }) => ended_at !== null);
      return {
        name,
        platform,
        interval_seconds,
        next_run_at: (due.find((one) => one.name === name)?.due_at ?? new Date(0)).toISOString(),
        running: ended.length < own.length,
        runs: ended.slice(0, runsShown).map(describeRun),
      };
    }),
  };
}

const describeRun = ({ bot_id, started_at, ended_at, outcome, failed_step, result }: CanaryRunRow) => ({
  bot_id,
  started_at: started_at.toISOString(),
  ended_at: ended_at?.toISOString() ?? null,
  outcome,
  failed_step,
  result,
});
