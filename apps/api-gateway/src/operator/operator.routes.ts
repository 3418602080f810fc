import { internalRoutes } from '@rapporteur/contracts';
import { requestIdOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { Router } from 'express';
import type { Owners } from '../forwarding/owners.ts';

/** `GET /operator/v1/fleet`: the bots of all teams, for the console, which admits operators only. */
export function operatorRoutes(auth: InternalAuth, owners: Owners): Router {
  const router = Router();
  router.get('/operator/v1/fleet', auth.require(['console']), async (request, response) => {
    const path = internalRoutes.fleet.replace('/internal', '');
    const requestId = requestIdOf(request);
    const { status, text } = await owners.sendRequest({ owner: 'bot-scheduler', method: 'GET', path, requestId });
    response.status(status).type('application/json').send(text);
  });
  return router;
}
