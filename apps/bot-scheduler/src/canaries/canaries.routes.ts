import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { CanaryList } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import type { Context } from '../schema/context.ts';
import type { CanaryRunRow } from '../schema/entities.ts';
import { makeCanaryDue, findNewestRuns } from './canaries.store.ts';
import type { Canary } from './read-canaries.ts';

export interface CanaryRouteDependencies extends Pick<Context, 'database' | 'now'> {
  readonly canaries: readonly Canary[];
}

/** `internalCalls.operators.canaries` and `runCanary`. */
export function canaryRoutes(auth: InternalAuth, dependencies: CanaryRouteDependencies): Router {
  const { database, canaries, now } = dependencies;
  return Router().use(
    serveCall(auth, internalCalls.operators.canaries, () => listCanaries(database, canaries)),
    serveCall(auth, internalCalls.operators.runCanary, async ({ name }, request) => {
      addToLog(request, { canary: name });
      if (!(await makeCanaryDue(database, name, new Date(now())))) throw noSuchCanary(name, canaries);
      return { success: true as const };
    }),
  );
}

function noSuchCanary(name: string, canaries: readonly Canary[]): Failure {
  const names = canaries.map((one) => one.name).join(', ');
  return fail('NOT_FOUND', {
    message: `There is no canary called ${name}. There are: ${names || 'none; set RAPPORTEUR_CANARIES of bot-scheduler'}.`,
  });
}

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
