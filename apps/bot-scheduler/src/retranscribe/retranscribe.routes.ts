import { Router } from 'express';
import { isFinal } from '@rapporteur/bot-lifecycle';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { placeOf } from '../details/bot-id.ts';
import { jsonBody } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { lockBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import type { BotPlace } from '../lifecycle/bots.store.ts';

const action = 'be transcribed again';

/** `POST /internal/v2/bots/{bot_id}/retranscribe`: 404 and 409 as always; 422 while this deployment has no transcriber. */
export function retranscribeRoutes(auth: InternalAuth, parts: { readonly database: Database }): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: 1_048_576 });
  router.post('/internal/v2/bots/:bot_id/retranscribe', gatewayOnly, readJson, async (request) => {
    await refuseWithoutRecording(parts.database, placeOf(request));
    throw fail('NOT_CONFIGURED_YET', {
      message: 'This deployment does not transcribe yet. The recording stays as it is and can be transcribed later.',
    });
  });
  return router;
}

async function refuseWithoutRecording(database: Database, place: BotPlace): Promise<void> {
  await database.transaction(async (transaction) => {
    const bot = await lockBotOfTeam(transaction, place, action);
    if (!isFinal(bot.phase)) throw refuseInStatus(bot.id, bot.status, action);
    if (bot.artifacts.some(({ kind }) => kind === 'audio' || kind === 'video')) return;
    const why = bot.artifacts_deleted ? 'its data was deleted' : 'it has no recording';
    throw fail('BOT_STATUS', { message: `Bot ${bot.id} is ${bot.status} and ${why}; it cannot ${action}.` });
  });
}
