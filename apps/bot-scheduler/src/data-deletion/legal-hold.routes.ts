import { Router } from 'express';
import { internalRoutes, legalHoldRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** `POST internalRoutes.legalHolds`, for operators: while a bot is held, none of its data is deleted. Idempotent. */
export function legalHoldRoutes(auth: InternalAuth, { database }: { readonly database: Database }): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes: 4_096 });
  router.post(internalRoutes.legalHolds, auth.require(['api-gateway']), readJson, async (request, response) => {
    const { botId, held } = readInput(legalHoldRequest, request.body);
    const [bot] = await database.query<{ team_id: string }>('select team_id from bots where id = $1', [botId]);
    if (bot === undefined) throw fail('BOT_NOT_FOUND');
    addToLog(request, { botId, teamId: bot.team_id, held });
    await database.query(
      held
        ? 'insert into legal_holds (bot_id) values ($1) on conflict (bot_id) do nothing'
        : 'delete from legal_holds where bot_id = $1',
      [botId],
    );
    response.json({ success: true });
  });
  return router;
}
