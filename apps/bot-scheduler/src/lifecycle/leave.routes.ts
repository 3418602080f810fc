import { Router } from 'express';
import { placeOf } from '../schema/bot-id.ts';
import { Failure } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { BotPlace } from '../schema/bot-id.ts';
import { requestLeave } from './request-leave.ts';
import type { LeaveDependencies } from './request-leave.ts';

export interface LeaveRouteDependencies extends LeaveDependencies {
  /** Cancels a bot that is scheduled and has not run. Throws BOT_STATUS. */
  readonly cancelScheduled: (place: BotPlace) => Promise<'cancelled' | 'running' | 'unknown'>;
}

/** `POST /internal/v2/bots/{bot_id}/leave`: 200 {success, data: {message}}; 404, 409. */
export function leaveRoutes(auth: InternalAuth, dependencies: LeaveRouteDependencies): Router {
  const router = Router();
  router.post('/internal/v2/bots/:bot_id/leave', auth.require(['api-gateway']), async (request, response) => {
    response.json({ success: true, data: await leaveOrCancel(dependencies, placeOf(request)) });
  });
  return router;
}

async function leaveOrCancel(dependencies: LeaveRouteDependencies, place: BotPlace): Promise<{ message: string }> {
  const leave = () => requestLeave(dependencies, place.botId, place.teamId);
  try {
    return await leave();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'BOT_NOT_FOUND') throw error;
    switch (await dependencies.cancelScheduled(place)) {
      case 'cancelled':
        return { message: 'The scheduled bot was cancelled; it will not join.' };
      case 'running':
        // The scheduled bot was started meanwhile.
        return leave();
      case 'unknown':
        throw error;
    }
  }
}
