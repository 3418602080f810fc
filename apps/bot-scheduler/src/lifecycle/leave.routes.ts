import { Router } from 'express';
import { readBotId } from '../details/bot-id.ts';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { requestLeave } from './request-leave.ts';
import type { LeaveParts } from './request-leave.ts';

/** `POST /internal/v2/bots/{bot_id}/leave`: 200 {success, data: {message}}; 404, 409. */
export function leaveRoutes(auth: InternalAuth, parts: LeaveParts): Router {
  const router = Router();
  router.post('/internal/v2/bots/:bot_id/leave', auth.require(['api-gateway']), async (request, response) => {
    const teamId = teamOf(request);
    const botId = readBotId(request);
    addToLog(request, { teamId, botId });
    response.json({ success: true, data: await requestLeave(parts, botId, teamId) });
  });
  return router;
}
