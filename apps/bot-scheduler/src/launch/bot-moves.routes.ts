import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { displaceRun } from '../lifecycle/displace-run.ts';
import type { DisplaceDependencies } from '../lifecycle/displace-run.ts';
import type { Context } from '../schema/context.ts';

export type BotMoveDependencies = DisplaceDependencies & Pick<Context, 'notifyRuns'>;

/** `internalCalls.operators.moveBot`: another run replaces the bot's current one. */
export function botMoveRoutes(auth: InternalAuth, dependencies: BotMoveDependencies): Router {
  return serveCall(auth, internalCalls.operators.moveBot, async ({ botId }, request) => {
    const displacement = await displaceRun(dependencies, { botId, attempt: null });
    addToLog(request, { displacement });
    if (displacement === 'unknown') throw fail('BOT_NOT_FOUND');
    if (displacement === 'not-attending')
      throw fail('BOT_STATUS', {
        message: `Bot ${botId} attends no meeting, or its recording is paused; it cannot be moved.`,
      });
    if (displacement === 'displaced') dependencies.notifyRuns();
    const [bot] = await dependencies.database.query<{ team_id: string }>('select team_id from bots where id = $1', [
      botId,
    ]);
    return { success: true as const, teamId: bot?.team_id };
  });
}
