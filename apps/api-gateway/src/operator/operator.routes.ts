import { internalCalls } from '@rapporteur/contracts';
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
  const forward = async (request: Request, response: Response, call: { readonly path: string }, body: object = {}) => {
    const path = call.path.replace('/internal', '');
    const requestId = requestIdOf(request);
    const { status, text } = await owners.sendRequest({
      owner: 'bot-scheduler',
      method: 'POST',
      path,
      body,
      requestId,
    });
    response.status(status).type('application/json').send(text);
  };
  const { fleet, pagePacks, canaries, runCanary } = internalCalls.operators;
  for (const [path, call] of Object.entries({ fleet, 'page-packs': pagePacks, canaries }))
    router.get(`/operator/v1/${path}`, consoleOnly, (request, response) => forward(request, response, call));
  router.post('/operator/v1/canaries/:name/run', consoleOnly, (request, response) =>
    forward(request, response, runCanary, { name: request.params['name'] }),
  );
  return router;
}
