import { Router } from 'express';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { internalRoutes, legalHoldRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import { placeOf } from '../bot-id.ts';
import { deleteObjectsNow, describeDeletion, findDeletion } from './delete-objects.ts';
import type { ObjectDeletionDependencies } from './delete-objects.ts';
import type { ObjectDeletionRow } from '../schema/deletion-entities.ts';
import { forgetData } from './forget-data.ts';

/** Less than the 15 s that the gateway waits for a response. */
const attemptTimeoutMs = 10_000;

/**
 * `DELETE /internal/v2/bots/{bot_id}/delete-data`: 200 {success, data: {message, data_deletion}}; 404, 409. After the
 * response the bot's data is not shown; a deletion that storage does not confirm is retried. Includes
 * `internalRoutes.legalHolds`.
 */
export function deleteDataRoutes(auth: InternalAuth, dependencies: ObjectDeletionDependencies): Router {
  const router = Router().use(legalHoldRoutes(auth, dependencies));
  router.delete('/internal/v2/bots/:bot_id/delete-data', auth.require(['api-gateway']), async (request, response) => {
    const { database, events } = dependencies;
    const place = placeOf(request);
    const at = new Date(dependencies.now());
    const deleteFromProvider = isWanted(request.query);
    await database.transaction((transaction) => forgetData(transaction, place, { events, at, deleteFromProvider }));
    events.notify();
    const requested = await findDeletion(database, place.botId);
    const left = requested === null ? null : await deleteObjectsNow(dependencies, place.botId, attemptTimeoutMs);
    response.json({
      success: true,
      data: { message: sentenceOf(requested !== null, left), data_deletion: describeDeletion(left) },
    });
  });
  return router;
}

function sentenceOf(wasRequested: boolean, left: ObjectDeletionRow | null): string {
  if (!wasRequested) return "The bot's data had been deleted already; nothing is left of it.";
  if (left === null) return "The bot's data was deleted.";
  return `The bot's data is not shown any more. Its files are not deleted yet: ${left.last_error} The next attempt is at ${left.next_attempt_at.toISOString()}.`;
}

/** `delete_transcription` is a deprecated name. */
function isWanted({ delete_from_provider, delete_transcription }: Readonly<Record<string, unknown>>): boolean {
  return (delete_from_provider ?? delete_transcription) === 'true';
}

/** `POST internalRoutes.legalHolds`, for operators: while a bot is held, none of its data is deleted. Idempotent. */
function legalHoldRoutes(auth: InternalAuth, { database }: { readonly database: Database }): Router {
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
    response.json({ success: true, teamId: bot.team_id });
  });
  return router;
}
