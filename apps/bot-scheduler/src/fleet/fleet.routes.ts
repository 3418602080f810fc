import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import { internalRoutes } from '@rapporteur/contracts';
import type { CapacityDependencies } from '../launch/capacity.ts';
import { readFleet } from './read-fleet.ts';

/** `GET /internal/v1/fleet`: for operators, through the console. */
export function fleetRoutes(auth: InternalAuth, dependencies: CapacityDependencies): Router {
  const router = Router();
  router.get(internalRoutes.fleet, auth.require(['api-gateway']), async (_request, response) => {
    response.json(await readFleet(dependencies));
  });
  return router;
}
