import { Router } from 'express';
import { readCapacity } from './capacity.ts';
import type { CapacityDependencies } from './capacity.ts';

/** `GET /capacity` for operators, next to `/metrics`: it contains no team and no bot, and requires no token. */
export function capacityRoutes(dependencies: CapacityDependencies): Router {
  const router = Router();
  router.get('/capacity', async (_request, response) => {
    response.json(await readCapacity(dependencies));
  });
  return router;
}
