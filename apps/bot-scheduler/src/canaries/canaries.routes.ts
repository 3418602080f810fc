import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { makeCanaryDue } from './canaries.store.ts';
import type { Canary } from './read-canaries.ts';
import { listCanaries } from './list-canaries.ts';
import type { Context } from '../schema/context.ts';

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
