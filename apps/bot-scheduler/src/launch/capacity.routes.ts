import { Router } from 'express';
import { readCapacity } from './capacity.ts';
import type { CapacityDependencies } from './capacity.ts';

/** `GET /capacity` for operators, beside `/metrics`: it names no team and no bot, and requests no token. */
export function capacityRoutes(dependencies: CapacityDependencies): Router {
  const router = Router();
  router.get('/capacity', async (_request, response) => {
    response.json(await readCapacity(dependencies));
  });
  return router;
}
