import { Router } from 'express';
import { canaryRunRequest, internalRoutes } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { makeCanaryDue } from './canaries.store.ts';
import type { Canary } from './read-canaries.ts';
import { listCanaries } from './list-canaries.ts';

export interface CanaryRouteDependencies {
  readonly database: Database;
  readonly canaries: readonly Canary[];
  readonly now: () => number;
}

/** `internalRoutes.canaries` and `canaryRuns`, for operators. */
export function canaryRoutes(auth: InternalAuth, dependencies: CanaryRouteDependencies): Router {
  const { database, canaries, now } = dependencies;
  const router = Router();
  const readJson = jsonBody({ limitBytes: 4_096 });
  router.post(internalRoutes.canaries, auth.require(['api-gateway']), async (_request, response) => {
    response.json(await listCanaries(database, canaries));
  });
  router.post(internalRoutes.canaryRuns, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { name } = readInput(canaryRunRequest, request.body);
    addToLog(request, { canary: name });
    if (!(await makeCanaryDue(database, name, new Date(now())))) throw noSuchCanary(name, canaries);
    response.json({ success: true });
  });
  return router;
}

function noSuchCanary(name: string, canaries: readonly Canary[]): Failure {
  const names = canaries.map((one) => one.name).join(', ');
  return fail('NOT_FOUND', {
    message: `There is no canary called ${name}. There are: ${names || 'none; set RAPPORTEUR_CANARIES of bot-scheduler'}.`,
  });
}
