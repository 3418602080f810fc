import { Router } from 'express';
import { addToLog, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { createBotBody } from '../schema/create-bot-body.ts';
import { preflight } from './preflight.ts';
import type { PreflightDependencies } from './preflight.ts';

const bodyLimitBytes = 1_048_576;

/**
 * `POST /internal/v2/bots/preflight`: 200 {success, data: {ready, checks, …}}, also when the bot could not be created.
 */
export function preflightRoutes(auth: InternalAuth, dependencies: PreflightDependencies): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  router.post('/internal/v2/bots/preflight', auth.require(['api-gateway']), readJson, async (request, response) => {
    const teamId = teamOf(request);
    const data = await preflight(dependencies, teamId, readInput(createBotBody, request.body));
    addToLog(request, { teamId, ready: data.ready });
    response.json({ success: true, data });
  });
  return router;
}
