import { Router } from 'express';
import type { Request } from 'express';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { SecretBox } from '@rapporteur/secret-box';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { findDeletion } from '../data-deletion/delete-objects.ts';
import { findExpiry } from '../data-deletion/retention.ts';
import { findBotOfTeam, findDelayReason, findNewestRunName } from '../lifecycle/bots.store.ts';
import type { BotRow } from '../schema/rows.ts';
import { readSecret } from '../secrets/bot-secrets.store.ts';
import { placeOf } from '../bot-id.ts';
import { artifactKeysOf, describeBot, describeMeetingData, describeStatus } from './describe-bot.ts';
import type { ArtifactUrls } from './describe-bot.ts';
import { listScreenshots } from './screenshots.ts';
import type { TranscriberClient } from './transcriber-client.ts';
import type { SignArtifactUrls } from '../storage/storage-client.ts';

export interface DetailsDependencies {
  readonly database: Database;
  readonly box: SecretBox;
  readonly signUrls: SignArtifactUrls;
  /** Counts an access to a bot's results. */
  readonly noteAccess: (botId: string) => void;
  readonly transcriber: TranscriberClient;
}

/**
 * `GET /internal/v2/bots/{bot_id}`, `/status`, `/screenshots`, and `GET /internal/v1/meeting-data/{bot_id}` for the
 * legacy API. A bot of another team is BOT_NOT_FOUND.
 */
export function detailsRoutes(auth: InternalAuth, dependencies: DetailsDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v2/bots/:bot_id', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const [urls, callbackSecret, deletion, expiresAt] = await Promise.all([
      signArtifacts(dependencies, bot),
      readCallbackSecret(dependencies, bot),
      bot.data_forgotten_at === null ? null : findDeletion(dependencies.database, bot.id),
      findExpiry(dependencies.database, bot.id),
    ]);
    dependencies.noteAccess(bot.id);
    response.json({ success: true, data: describeBot(bot, urls, { callbackSecret, deletion, expiresAt }) });
  });
  router.get('/internal/v2/bots/:bot_id/status', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const [progress, delayReason] = await Promise.all([
      dependencies.transcriber.readProgress(bot),
      bot.status === 'pickup_delayed' ? findDelayReason(dependencies.database, bot.id) : null,
    ]);
    response.json({ success: true, data: describeStatus(bot, { progress, delayReason }) });
  });
  router.get('/internal/v2/bots/:bot_id/screenshots', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    response.json({ success: true, ...(await listScreenshots(dependencies, bot.id, request.query)) });
  });
  router.get('/internal/v1/meeting-data/:bot_id', gatewayOnly, async (request, response) => {
    const bot = await readBot(dependencies, request);
    const isWanted = request.query['include_transcripts'] === 'true';
    const [urls, runName, transcript] = await Promise.all([
      signArtifacts(dependencies, bot),
      findNewestRunName(dependencies.database, bot.id),
      isWanted ? dependencies.transcriber.readTranscript(bot) : null,
    ]);
    dependencies.noteAccess(bot.id);
    const data = { ...describeMeetingData(bot, urls, runName), transcript: transcript?.utterances ?? [] };
    response.json({ success: true, data });
  });
  return router;
}

async function readBot({ database }: DetailsDependencies, request: Request): Promise<BotRow> {
  const { botId, teamId } = placeOf(request);
  const bot = await findBotOfTeam(database, botId, teamId);
  if (bot === null) throw fail('BOT_NOT_FOUND');
  return bot;
}

async function signArtifacts({ signUrls }: DetailsDependencies, bot: BotRow): Promise<ArtifactUrls> {
  const keys = artifactKeysOf(bot);
  return Object.keys(keys).length === 0 ? {} : signUrls(bot.id, keys);
}

async function readCallbackSecret(dependencies: DetailsDependencies, bot: BotRow): Promise<string | null> {
  const field = bot.callback?.secretField ?? null;
  return field === null ? null : readSecret(dependencies, { teamId: bot.team_id, botId: bot.id }, field);
}
