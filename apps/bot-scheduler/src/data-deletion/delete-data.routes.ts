import { Router } from 'express';
import type { Database } from '@rapporteur/database';
import type { InternalAuth, Logger } from '@rapporteur/service-runtime';
import { placeOf } from '../bot-id.ts';
import type { EventSink } from '../lifecycle/move-bot.ts';
import { deleteObjects } from './delete-objects.ts';
import type { DeleteBotObjects } from '../storage/storage-client.ts';
import { forgetData } from './forget-data.ts';
import { legalHoldRoutes } from './legal-hold.routes.ts';

export interface DeleteDataDependencies {
  readonly database: Database;
  readonly events: EventSink & { notify(): void };
  readonly deleteBotObjects: DeleteBotObjects;
  readonly now: () => number;
  readonly logger: Logger;
}

/**
 * `DELETE /internal/v2/bots/{bot_id}/delete-data`: 200 {success, data: {message}}; 404, 409. From the response on nothing
 * of the bot is shown; objects that storage could not delete at once are deleted by the sweep. With `internalRoutes.legalHolds`.
 */
export function deleteDataRoutes(auth: InternalAuth, dependencies: DeleteDataDependencies): Router {
  const router = Router().use(legalHoldRoutes(auth, dependencies));
  router.delete('/internal/v2/bots/:bot_id/delete-data', auth.require(['api-gateway']), async (request, response) => {
    const place = placeOf(request);
    const at = new Date(dependencies.now());
    const deleteFromProvider = isWanted(request.query);
    const forgotten = await dependencies.database.transaction((transaction) =>
      forgetData(transaction, place, { events: dependencies.events, at, deleteFromProvider }),
    );
    if (forgotten === 'now' || deleteFromProvider) dependencies.events.notify();
    await deleteObjects(dependencies, place.botId, place.teamId).catch((error: unknown) => {
      dependencies.logger.warn(
        { err: error, ...place },
        'Storage did not delete the objects of a bot; trying again later.',
      );
    });
    const message =
      forgotten === 'now'
        ? "The bot's data was deleted."
        : "The bot's data had been deleted already; nothing is left of it.";
    response.json({ success: true, data: { message } });
  });
  return router;
}

/** `delete_transcription` is an older name. */
function isWanted({ delete_from_provider, delete_transcription }: Readonly<Record<string, unknown>>): boolean {
  return (delete_from_provider ?? delete_transcription) === 'true';
}
