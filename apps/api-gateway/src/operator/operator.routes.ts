import { internalRoutes } from '@rapporteur/contracts';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { Owners } from '../forwarding/owners.ts';

/**
 * The bots of all teams, for the console, which admits operators only: `GET /operator/v1/fleet`, `/page-packs` and
 * `/canaries`, `POST /operator/v1/canaries/{name}/run`. Each returns the response of bot-scheduler.
 */
export function operatorRoutes(auth: InternalAuth, owners: Owners): Router {
  const router = Router();
  const consoleOnly = auth.require(['console']);
  const forward = async (
    request: Request,
    response: Response,
    call: { readonly method: 'GET' | 'POST'; readonly route: string; readonly body?: object },
  ): Promise<void> => {
    const { route, ...rest } = call;
    const path = route.replace('/internal', '');
    const requestId = requestIdOf(request);
    const { status, text } = await owners.sendRequest({ owner: 'bot-scheduler', ...rest, path, requestId });
    response.status(status).type('application/json').send(text);
  };
  router.get('/operator/v1/fleet', consoleOnly, (request, response) =>
    forward(request, response, { method: 'GET', route: internalRoutes.fleet }),
  );
  router.get('/operator/v1/page-packs', consoleOnly, (request, response) =>
    forward(request, response, { method: 'POST', route: internalRoutes.pagePacks, body: {} }),
  );
  router.get('/operator/v1/canaries', consoleOnly, (request, response) =>
    forward(request, response, { method: 'POST', route: internalRoutes.canaries, body: {} }),
  );
  router.post('/operator/v1/canaries/:name/run', consoleOnly, (request, response) => {
    const { name } = request.params;
    return forward(request, response, { method: 'POST', route: internalRoutes.canaryRuns, body: { name } });
  });
  return router;
}
