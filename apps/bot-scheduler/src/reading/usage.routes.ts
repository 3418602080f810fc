import { Router } from 'express';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { listBotUsage, listDailyUsage } from './list-usage.ts';
import type { Context } from '../schema/context.ts';

export type UsageDependencies = Pick<Context, 'database' | 'now'>;

/** `GET /internal/v2/usage` and `GET /internal/v2/usage/bots`. */
export function usageRoutes(auth: InternalAuth, dependencies: UsageDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v2/usage', gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    addToLog(request, { teamId });
    const at = dependencies.now();
    response.json({ success: true, data: await listDailyUsage(dependencies.database, { teamId, at }, request.query) });
  });
  router.get('/internal/v2/usage/bots', gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    addToLog(request, { teamId });
    const { rows, cursor, prevCursor } = await listBotUsage(dependencies.database, teamId, request.query);
    response.json({ success: true, data: rows, cursor, prev_cursor: prevCursor });
  });
  return router;
}
