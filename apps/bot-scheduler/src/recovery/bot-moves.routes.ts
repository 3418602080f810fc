import { Router } from 'express';
import { botMoveRequest, internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { displaceRun } from '../lifecycle/displace-run.ts';
import type { DisplaceDependencies } from '../lifecycle/displace-run.ts';

export interface BotMoveDependencies extends DisplaceDependencies {
  /** A run is wanted. */
  readonly onWanted: () => void;
}

/** `POST internalRoutes.botMoves`, for operators: another run replaces the bot's current one. Idempotent. */
export function botMoveRoutes(auth: InternalAuth, dependencies: BotMoveDependencies): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 4_096 });
  router.post(internalRoutes.botMoves, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { botId } = readInput(botMoveRequest, request.body);
    const displacement = await displaceRun(dependencies, { botId, attempt: null });
    addToLog(request, { botId, displacement });
    if (displacement === 'unknown') throw fail('BOT_NOT_FOUND');
    if (displacement === 'not-attending')
      throw fail('BOT_STATUS', {
        message: `Bot ${botId} attends no meeting, or its recording is paused; it cannot be moved.`,
      });
    if (displacement === 'displaced') dependencies.onWanted();
    const [bot] = await dependencies.database.query<{ team_id: string }>('select team_id from bots where id = $1', [
      botId,
    ]);
    response.json({ success: true, teamId: bot?.team_id });
  });
  return router;
}
