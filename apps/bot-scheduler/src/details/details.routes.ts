import { Router } from 'express';
import type { Request } from 'express';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findBotOfTeam } from '../lifecycle/bots.store.ts';
import type { BotRow } from '../schema/rows.ts';
import { readBotId } from './bot-id.ts';
import { artifactKeysOf, describeBot, describeStatus } from './describe-bot.ts';

/** Signs URLs, valid for 4 hours, for objects of one bot: name -> key in, name -> URL out. Throws UNAVAILABLE. */
export type SignArtifactUrls = (botId: string, keys: Record<string, string>) => Promise<Record<string, string>>;

export interface DetailsParts {
  readonly database: Database;
  readonly signUrls: SignArtifactUrls;
}

/** `GET /internal/v2/bots/{bot_id}` and `/status`. A bot of another team is as unknown as one that never was. */
export function detailsRoutes(auth: InternalAuth, parts: DetailsParts): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v2/bots/:bot_id', gatewayOnly, async (request, response) => {
    const bot = await readBot(parts, request);
    const keys = artifactKeysOf(bot);
    const urls = Object.keys(keys).length === 0 ? {} : await parts.signUrls(bot.id, keys);
    response.json({ success: true, data: describeBot(bot, urls) });
  });
  router.get('/internal/v2/bots/:bot_id/status', gatewayOnly, async (request, response) => {
    response.json({ success: true, data: describeStatus(await readBot(parts, request)) });
  });
  return router;
}

async function readBot({ database }: DetailsParts, request: Request): Promise<BotRow> {
  const teamId = teamOf(request);
  const botId = readBotId(request);
  addToLog(request, { teamId, botId });
  const bot = await findBotOfTeam(database, botId, teamId);
  if (bot === null) throw fail('BOT_NOT_FOUND');
  return bot;
}
