import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { serveCall } from '@rapporteur/service-runtime';
import type { CapacityDependencies } from './capacity.ts';
import { readFleet } from './read-fleet.ts';

/** For operators, through the console. */
export function fleetRoutes(auth: InternalAuth, dependencies: CapacityDependencies): Router {
  return serveCall(auth, internalCalls.operators.fleet, () => readFleet(dependencies));
}
